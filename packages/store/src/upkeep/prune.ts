import { BatchRecord, ModelCall, RunRecord } from '@cua-forge/spec/store-port';
import type { Retention } from '@cua-forge/spec/upkeep';
import { sql } from 'kysely';
import type { Connection } from '../connection.ts';
import { build } from '../query-builder.ts';
import { parseBody } from '../rows.ts';
import { all, first, modify, type Query, type Steps } from '../steps.ts';
import type { Lease } from './lease.ts';

const day = 24 * 60 * 60 * 1000;
const runsAtOnce = 50;
const rowsAtOnce = 2_000;
const ended = ['succeeded', 'failed', 'cancelled', 'terminated'] as const;

/**
 * Ended runs that are past their retention: older than `runDays`, or not among the newest of their document. A run of an
 * open batch stays, and so does one that a run which stays was started from.
 */
export async function runsToPrune(connection: Connection, retention: Retention, now: number): Promise<Set<string>> {
  const { runDays, runsPerDocument } = retention;
  const doomed = new Set<string>();
  if (runDays === undefined && runsPerDocument === undefined) return doomed;
  const cutoff = runDays === undefined ? Number.NEGATIVE_INFINITY : now - runDays * day;
  const openBatches = new Set(await connection.read(openBatchIds));
  const perDocument = new Map<string, number>();
  const bases = new Map<string, string>();
  for await (const run of newestFirst(connection)) {
    if (run.baseRun !== null) bases.set(run.id, run.baseRun);
    if (!ended.some((state) => state === run.state)) continue;
    const newer = perDocument.get(run.documentId) ?? 0;
    perDocument.set(run.documentId, newer + 1);
    const tooMany = runsPerDocument !== undefined && newer >= runsPerDocument;
    const tooOld = (run.endedAt ?? run.createdAt) < cutoff;
    if ((tooMany || tooOld) && !(run.batchId !== null && openBatches.has(run.batchId))) doomed.add(run.id);
  }
  for (const run of bases.keys()) {
    if (doomed.has(run)) continue;
    for (let base = bases.get(run); base !== undefined; base = bases.get(base)) doomed.delete(base);
  }
  return doomed;
}

async function* newestFirst(connection: Connection): AsyncGenerator<RunRecord> {
  let before: RunRecord | undefined;
  for (;;) {
    const last: RunRecord | undefined = before;
    const rows = await connection.read(() => runPage(last));
    for (const { body } of rows) {
      before = parseBody(RunRecord, 'runs', body);
      yield before;
    }
    if (rows.length < rowsAtOnce) return;
  }
}

function* runPage(before: RunRecord | undefined): Steps<{ body: string }[]> {
  const query = build.selectFrom('runs').select('body').orderBy('created_at', 'desc').orderBy('id', 'desc');
  const page =
    before === undefined
      ? query
      : query.where(({ eb, refTuple, tuple }) =>
          eb(refTuple('created_at', 'id'), '<', tuple(before.createdAt, before.id)),
        );
  return yield* all(page.limit(rowsAtOnce));
}

function* openBatchIds(): Steps<string[]> {
  const rows = yield* all(build.selectFrom('batches').select('body'));
  return rows
    .map(({ body }) => parseBody(BatchRecord, 'batches', body))
    .filter((batch) => !ended.some((state) => state === batch.state))
    .map(({ id }) => id);
}

export interface Pruning {
  connection: Connection;
  lease: Lease;
  now: number;
  step(done: number): Promise<void>;
}

/** Deletes runs that are still ended, and all that belongs to them; packages, what these claimed, and pins stay. Returns how many. */
export async function pruneRuns({ connection, lease, step }: Pruning, runs: ReadonlySet<string>): Promise<number> {
  const waiting = [...runs];
  let pruned = 0;
  while (waiting.length > 0) {
    const chunk = waiting.splice(0, runsAtOnce);
    pruned += await connection.write(function* () {
      yield* lease.renew();
      const still = yield* all(
        build.selectFrom('runs').select('id').where('id', 'in', chunk).where('state', 'in', ended),
      );
      const ids = still.map(({ id }) => id);
      if (ids.length === 0) return 0;
      for (const table of ['outcomes', 'node_views', 'model_calls', 'events'] as const)
        yield* modify(build.deleteFrom(table).where('run_id', 'in', ids));
      // What a package stands for stays taken as long as the package is there.
      const delivered = build.selectFrom('packages').select('packages.run_id').where('packages.run_id', 'in', ids);
      yield* modify(build.deleteFrom('claims').where('run_id', 'in', ids).where('run_id', 'not in', delivered));
      const owners = ids.map((id) => `run/${id}`);
      yield* modify(build.deleteFrom('spending').where('owner', 'in', owners));
      yield* modify(build.deleteFrom('runs').where('id', 'in', ids));
      return ids.length;
    });
    await step(pruned);
  }
  return pruned;
}

const hasTexts = sql<boolean>`(body like '%"prompt":{%' or body like '%"response":{%')`;
const open = build.selectFrom('runs').select('runs.id').where('state', 'not in', ended);

/** Deletes events before a time of runs that have ended; the newest of all stays, since events are counted on from it. */
export async function pruneEvents({ connection, lease, step }: Pruning, before: number): Promise<number> {
  let pruned = 0;
  for (;;) {
    const gone = await connection.write(function* () {
      yield* lease.renew();
      const newest = (yield* first(build.selectFrom('events').select(({ fn }) => fn.max('id').as('id'))))?.id ?? 0;
      const old = build
        .selectFrom('events')
        .select('events.id')
        .where('at', '<', before)
        .where('events.id', '<', newest)
        .where('run_id', 'not in', open)
        .limit(rowsAtOnce);
      return yield* modify(build.deleteFrom('events').where('id', 'in', old));
    });
    pruned += gone;
    await step(pruned);
    if (gone < rowsAtOnce) return pruned;
  }
}

/** Deletes the node states of runs that ended before a time; their outcomes still tell how each node ended. */
export async function pruneNodeViews({ connection, lease, step }: Pruning, before: number): Promise<number> {
  let pruned = 0;
  for (const runs of await endedBefore(connection, before)) {
    pruned += await connection.write(function* () {
      yield* lease.renew();
      return yield* modify(build.deleteFrom('node_views').where('run_id', 'in', runs));
    });
    await step(pruned);
  }
  return pruned;
}

/** Forgets prompts and answers of model calls of runs that ended before a time; tokens and money stay. */
export async function pruneModelTexts({ connection, lease, step }: Pruning, before: number): Promise<number> {
  let pruned = 0;
  for (const runs of await endedBefore(connection, before)) {
    pruned += await connection.write(function* () {
      yield* lease.renew();
      const calls = yield* all(build.selectFrom('model_calls').selectAll().where('run_id', 'in', runs).where(hasTexts));
      for (const row of calls) {
        const call = parseBody(ModelCall, 'model_calls', row.body);
        yield* modify(
          build
            .updateTable('model_calls')
            .set({ body: JSON.stringify({ ...call, prompt: null, response: null }) })
            .where('run_id', '=', row.run_id)
            .where('key', '=', row.key)
            .where('token', '=', row.token)
            .where('activity_attempt', '=', row.activity_attempt)
            .where('call_index', '=', row.call_index),
        );
      }
      return calls.length;
    });
    await step(pruned);
  }
  return pruned;
}

/** Ids of runs that ended before a time, some at a time. */
async function endedBefore(connection: Connection, before: number): Promise<string[][]> {
  const runs: string[] = [];
  for await (const run of newestFirst(connection)) {
    if (ended.some((state) => state === run.state) && (run.endedAt ?? run.createdAt) < before) runs.push(run.id);
  }
  return Array.from({ length: Math.ceil(runs.length / runsAtOnce) }, (_, index) =>
    runs.slice(index * runsAtOnce, (index + 1) * runsAtOnce),
  );
}

/** How many events, node states and model texts would go; for a dry run. */
export async function countOld(
  connection: Connection,
  cutoffs: { events: number | null; modelTexts: number | null },
): Promise<{ events: number; nodeViews: number; modelTexts: number }> {
  const counted = { events: 0, nodeViews: 0, modelTexts: 0 };
  const { events, modelTexts } = cutoffs;
  const count = async (query: Query<{ count: number }>): Promise<number> =>
    (await connection.read(() => first(query)))?.count ?? 0;
  const howMany = build.fn.countAll<number>().as('count');
  if (events !== null) {
    const old = build.selectFrom('events').select(howMany).where('at', '<', events).where('run_id', 'not in', open);
    counted.events = await count(old);
    for (const runs of await endedBefore(connection, events)) {
      counted.nodeViews += await count(build.selectFrom('node_views').select(howMany).where('run_id', 'in', runs));
    }
  }
  if (modelTexts !== null) {
    for (const runs of await endedBefore(connection, modelTexts)) {
      const calls = build.selectFrom('model_calls').select(howMany).where('run_id', 'in', runs).where(hasTexts);
      counted.modelTexts += await count(calls);
    }
  }
  return counted;
}
