import type { UsageSum } from '@cua-forge/spec/costs';
import { ModelCall } from '@cua-forge/spec/store-port';
import { nodeOfKey } from '../node-of-key.ts';
import { build, named } from '../query-builder.ts';
import { parseBody, parseRow } from '../rows.ts';
import { all, PreparedQuery, type Steps } from '../steps.ts';
import type { ModelCallRow } from '../tables.ts';
import type { SpendingRows } from './spending-rows.ts';

export class ModelCallRows {
  readonly #insert;
  readonly #spending: SpendingRows;

  constructor(spending: SpendingRows) {
    this.#spending = spending;
    this.#insert = new PreparedQuery<ModelCallRow, unknown>(
      build
        .insertInto('model_calls')
        .values({
          run_id: named('run_id'),
          key: named('key'),
          token: named('token'),
          activity_attempt: named('activity_attempt'),
          call_index: named('call_index'),
          provider: named('provider'),
          model: named('model'),
          node: named('node'),
          at: named('at'),
          failed: named('failed'),
          input_tokens: named('input_tokens'),
          cached_tokens: named('cached_tokens'),
          output_tokens: named('output_tokens'),
          usd: named('usd'),
          body: named('body'),
        })
        .onConflict((conflict) => conflict.doNothing()),
    );
  }

  /** A call that is stored already (same execution, activity attempt and index) is left as it is. */
  *add(call: ModelCall): Steps<void> {
    const valid = parseRow(ModelCall, 'model_calls', call);
    const added = yield* this.#insert.modify({
      run_id: valid.runId,
      key: valid.key,
      token: valid.token,
      activity_attempt: valid.activityAttempt,
      call_index: valid.index,
      provider: valid.provider,
      model: valid.model,
      node: nodeOfKey(valid.key),
      at: valid.at,
      failed: valid.status === 'failed' ? 1 : 0,
      input_tokens: valid.usage.input,
      cached_tokens: valid.usage.cached,
      output_tokens: valid.usage.output,
      usd: valid.usd,
      body: JSON.stringify(valid),
    });
    if (added > 0) yield* this.#spending.add(valid);
  }

  /** In the order they were made. */
  *list(runId: string, key?: string): Steps<ModelCall[]> {
    let query = build
      .selectFrom('model_calls')
      .select('body')
      .where('run_id', '=', runId)
      .orderBy('token')
      .orderBy('activity_attempt')
      .orderBy('call_index');
    if (key !== undefined) query = query.where('key', '=', key);
    return (yield* all(query)).map(({ body }) => parseBody(ModelCall, 'model_calls', body));
  }

  /** `usd` is null as soon as one call that used tokens has no price: a sum without it would be too low. */
  *sum(filter: { runId?: string; batchId?: string }): Steps<UsageSum> {
    let calls = build.selectFrom('model_calls');
    if (filter.runId !== undefined) calls = calls.where('run_id', '=', filter.runId);
    if (filter.batchId !== undefined) {
      const runs = build.selectFrom('runs').select('runs.id').where('batch_id', '=', filter.batchId);
      calls = calls.where('run_id', 'in', runs);
    }
    const rows = yield* all(
      calls
        .select(({ fn, eb }) => [
          'provider',
          fn.countAll<number>().as('calls'),
          fn.sum<number>('input_tokens').as('input'),
          fn.sum<number>('cached_tokens').as('cached'),
          fn.sum<number>('output_tokens').as('output'),
          fn.sum<number | null>('usd').as('usd'),
          fn
            .countAll<number>()
            .filterWhere(
              eb.and([eb('usd', 'is', null), eb.or([eb('input_tokens', '>', 0), eb('output_tokens', '>', 0)])]),
            )
            .as('unpriced'),
        ])
        .groupBy('provider')
        .orderBy('provider'),
    );
    const total: UsageSum = { calls: 0, usage: { input: 0, cached: 0, output: 0 }, usd: 0, providers: [] };
    for (const row of rows) {
      total.calls += row.calls;
      total.usage.input += row.input;
      total.usage.cached += row.cached;
      total.usage.output += row.output;
      total.usd = total.usd === null || row.unpriced > 0 ? null : total.usd + (row.usd ?? 0);
      total.providers.push(row.provider);
    }
    return total;
  }
}
