import { type MetaStore, type ModelCall, type NewArtifact, Outcome } from '@cua-forge/spec/store-port';
import { sql } from 'kysely';
import { build, endOfPrefix, named } from '../query-builder.ts';
import { parseBody } from '../rows.ts';
import { all, PreparedQuery, type Steps } from '../steps.ts';
import type { OutcomeRow } from '../tables.ts';
import type { ArtifactRows } from './artifact-rows.ts';
import type { EventRows } from './event-rows.ts';
import type { ModelCallRows } from './model-call-rows.ts';

interface Neighbours {
  artifacts: ArtifactRows;
  events: EventRows;
  calls: ModelCallRows;
}

type OutcomeFilter = NonNullable<Parameters<MetaStore['listOutcomes']>[1]>;

export class OutcomeRows {
  readonly #neighbours: Neighbours;
  readonly #insert;
  readonly #select;
  readonly #selectMemo;

  constructor(neighbours: Neighbours) {
    this.#neighbours = neighbours;
    this.#insert = new PreparedQuery<OutcomeRow, unknown>(
      build
        .insertInto('outcomes')
        .values({
          run_id: named('run_id'),
          key: named('key'),
          token: named('token'),
          status: named('status'),
          memo_key: named('memo_key'),
          ended_at: named('ended_at'),
          kind: named('kind'),
          body: named('body'),
        })
        .onConflict((conflict) => conflict.columns(['run_id', 'key', 'token']).doNothing()),
    );
    this.#select = new PreparedQuery<{ runId: string; key: string; token: number }, { body: string }>(
      build
        .selectFrom('outcomes')
        .select('body')
        .where('run_id', '=', named<string>('runId'))
        .where('key', '=', named<string>('key'))
        .where('token', '=', named<number>('token')),
    );
    this.#selectMemo = new PreparedQuery<{ memoKey: string; status: Outcome['status'] }, { body: string }>(
      build
        .selectFrom('outcomes')
        .select('body')
        .where('memo_key', '=', named<string>('memoKey'))
        .where('status', '=', named<string>('status'))
        .orderBy('ended_at', 'desc')
        .orderBy(sql.ref('rowid'), 'desc')
        .limit(sql.lit(1)),
    );
  }

  /** Inside a write. `outcome` has been parsed; `artifacts` are small ones with their right hashes. */
  *commit(outcome: Outcome, artifacts: NewArtifact[], calls: ModelCall[]): Steps<Outcome> {
    for (const call of calls) yield* this.#neighbours.calls.add(call);
    const { runId, key, token, status, origin } = outcome;
    const changes = yield* this.#insert.modify({
      run_id: runId,
      key,
      token,
      status,
      memo_key: outcome.memoKey,
      ended_at: outcome.endedAt,
      kind: outcome.kind,
      body: JSON.stringify(outcome),
    });
    if (changes === 0) return (yield* this.find(runId, key, token)) ?? outcome;
    for (const artifact of artifacts) yield* this.#neighbours.artifacts.put(artifact);
    const { madeBy, usage, startedAt, endedAt } = outcome;
    const data = { key, token, status, origin, madeBy, usage, startedAt, endedAt };
    yield* this.#neighbours.events.add([{ runId, type: 'outcome', data, at: outcome.endedAt }]);
    return outcome;
  }

  *find(runId: string, key: string, token: number): Steps<Outcome | null> {
    const row = yield* this.#select.first({ runId, key, token });
    return row === undefined ? null : parseBody(Outcome, 'outcomes', row.body);
  }

  *findMemo(memoKey: string): Steps<Outcome | null> {
    const row = yield* this.#selectMemo.first({ memoKey, status: 'succeeded' });
    return row === undefined ? null : parseBody(Outcome, 'outcomes', row.body);
  }

  *list(runId: string, filter: OutcomeFilter): Steps<Outcome[]> {
    let query = build.selectFrom('outcomes').select('body').where('run_id', '=', runId).orderBy('token');
    if (filter.key !== undefined) query = query.where('key', '=', filter.key);
    if (filter.prefix !== undefined) {
      query = query.where('key', '>=', filter.prefix).where('key', '<', endOfPrefix(filter.prefix));
    }
    if (filter.outsideItems === true) {
      const rest = sql<string>`substr(${sql.ref('key')}, ${sql.lit((filter.prefix ?? '').length + 1)})`;
      query = query.where(rest, 'not like', '%[%');
    }
    if (filter.kind !== undefined) query = query.where('kind', '=', filter.kind);
    return (yield* all(query)).map(({ body }) => parseBody(Outcome, 'outcomes', body));
  }
}
