import {
  type CostBy,
  type CostFilter,
  type CostRow,
  type CostTable,
  costRow,
  type SpendingFilter,
  type SpendingPoint,
} from '@cua-forge/spec/costs';
import { sql } from 'kysely';
import { build } from '../query-builder.ts';
import { all, type Steps } from '../steps.ts';

interface Group {
  part: string | null;
  rest: string | null;
}

/** Columns that make a group of calls; null where one is enough. */
const columnsOf = {
  node: ['runs.document_id', 'model_calls.node'],
  run: ['model_calls.run_id', null],
  skill: ['runs.skill', null],
  batch: ['runs.batch_id', null],
  model: ['model_calls.provider', 'model_calls.model'],
} as const satisfies Record<CostBy, readonly [string, string | null]>;

/** Columns that make a group of packages. A node's are those of its document; a model's are all. */
const packagesOf = {
  node: 'runs.document_id',
  run: 'packages.run_id',
  skill: 'packages.skill',
  batch: 'packages.batch_id',
  model: null,
} as const satisfies Record<CostBy, string | null>;

const join: Record<CostBy, string> = { node: '/', run: '', skill: '', batch: '', model: ':' };
const rehearsal = 'rehearsal';

/** Model calls that cost money, with the runs they belong to. */
function callsOf({ runId, batchId, from, to }: CostFilter) {
  let query = build.selectFrom('model_calls').leftJoin('runs', 'runs.id', 'model_calls.run_id');
  if (runId !== undefined) query = query.where('model_calls.run_id', '=', runId);
  if (batchId !== undefined) query = query.where('runs.batch_id', '=', batchId);
  if (from !== undefined) query = query.where('model_calls.at', '>=', from);
  if (to !== undefined) query = query.where('model_calls.at', '<', to);
  return query;
}

const used = sql<number>`model_calls.input_tokens + model_calls.output_tokens`;
const sums = [
  sql<number>`count(*)`.as('calls'),
  sql<number>`coalesce(sum(model_calls.failed), 0)`.as('failed'),
  sql<number>`count(distinct model_calls.run_id)`.as('runs'),
  sql<number>`coalesce(sum(model_calls.input_tokens), 0)`.as('input'),
  sql<number>`coalesce(sum(model_calls.cached_tokens), 0)`.as('cached'),
  sql<number>`coalesce(sum(model_calls.output_tokens), 0)`.as('output'),
  sql<number>`coalesce(sum(model_calls.usd), 0)`.as('usd'),
  sql<number>`coalesce(sum(case when model_calls.usd is null and ${used} > 0 then 1 else 0 end), 0)`.as('unpriced'),
] as const;

type Sums = Record<'calls' | 'failed' | 'runs' | 'input' | 'cached' | 'output' | 'usd' | 'unpriced', number>;

function* accepted(filter: CostFilter, by: CostBy | null): Steps<Map<string, number>> {
  const { runId, batchId, from, to } = filter;
  const column = by === null ? null : packagesOf[by];
  let query = build
    .selectFrom('packages')
    .leftJoin('runs', 'runs.id', 'packages.run_id')
    .where('packages.rehearsed', '=', 0);
  if (runId !== undefined) query = query.where('packages.run_id', '=', runId);
  if (batchId !== undefined) query = query.where('packages.batch_id', '=', batchId);
  if (from !== undefined) query = query.where('packages.created_at', '>=', from);
  if (to !== undefined) query = query.where('packages.created_at', '<', to);
  const count = sql<number>`count(distinct packages.run_id)`.as('count');
  if (column === null) {
    const rows = yield* all(query.select([sql<string>`''`.as('part'), count]));
    return new Map(rows.map((row) => ['', Number(row.count)]));
  }
  const rows = yield* all(query.select([sql<string | null>`${sql.ref(column)}`.as('part'), count]).groupBy('part'));
  return new Map(rows.map((row) => [row.part ?? '', Number(row.count)]));
}

function rowOf(key: string, row: Sums, acceptedRuns: number): CostRow {
  const unpriced = Number(row.unpriced);
  return costRow({
    key,
    calls: Number(row.calls),
    failedCalls: Number(row.failed),
    runs: Number(row.runs),
    usage: { input: Number(row.input), cached: Number(row.cached), output: Number(row.output) },
    usd: unpriced > 0 ? null : Number(row.usd),
    unpricedCalls: unpriced,
    accepted: acceptedRuns,
  });
}

/** What model calls cost, most tokens first. */
export function* costs(filter: CostFilter): Steps<CostTable> {
  const { by, limit } = filter;
  const [part, rest] = columnsOf[by];
  const grouped = callsOf(filter)
    .where('model_calls.provider', '<>', rehearsal)
    .select([
      sql<string | null>`${sql.ref(part)}`.as('part'),
      (rest === null ? sql<string | null>`null` : sql<string | null>`${sql.ref(rest)}`).as('rest'),
      ...sums,
    ])
    .groupBy(rest === null ? [part] : [part, rest])
    .orderBy(sql`sum(${used})`, 'desc')
    .orderBy(part)
    .limit(limit);
  const groups = yield* all(grouped);
  const perGroup = yield* accepted(filter, by);
  const all_ = yield* all(
    callsOf(filter)
      .where('model_calls.provider', '<>', rehearsal)
      .select([...sums]),
  );
  const rehearsed = yield* all(
    callsOf(filter).where('model_calls.provider', '=', rehearsal).select(sql<number>`count(*)`.as('calls')),
  );
  const nothing: Sums = { calls: 0, failed: 0, runs: 0, input: 0, cached: 0, output: 0, usd: 0, unpriced: 0 };
  return {
    by,
    rows: groups.map((group) =>
      rowOf(keyOf(by, group), group, perGroup.get(packagesOf[by] === null ? '' : (group.part ?? '')) ?? 0),
    ),
    total: rowOf('', all_[0] ?? nothing, (yield* accepted(filter, null)).get('') ?? 0),
    rehearsedCalls: Number(rehearsed[0]?.calls ?? 0),
  };
}

const keyOf = (by: CostBy, { part, rest }: Group): string =>
  rest === null ? (part ?? '') : `${part ?? ''}${join[by]}${rest}`;

/** What model calls cost, in equal stretches of time. */
export function* spendingOverTime({ runId, batchId, skill, from, to, points }: SpendingFilter): Steps<SpendingPoint[]> {
  const step = Math.max(1, Math.ceil((to - from) / points));
  const stretch = sql<number>`(model_calls.at - ${sql.lit(from)}) / ${sql.lit(step)}`;
  let calls = build
    .selectFrom('model_calls')
    .leftJoin('runs', 'runs.id', 'model_calls.run_id')
    .where('model_calls.provider', '<>', rehearsal)
    .where('model_calls.at', '>=', from)
    .where('model_calls.at', '<', to);
  if (runId !== undefined) calls = calls.where('model_calls.run_id', '=', runId);
  if (batchId !== undefined) calls = calls.where('runs.batch_id', '=', batchId);
  if (skill !== undefined) calls = calls.where('runs.skill', '=', skill);
  const rows = yield* all(
    calls
      .select([stretch.as('stretch'), ...sums])
      .groupBy('stretch')
      .orderBy('stretch'),
  );
  return rows.map((row) => ({
    at: Math.min(to, from + (Number(row.stretch) + 1) * step),
    calls: Number(row.calls),
    tokens: Number(row.input) + Number(row.output),
    usd: Number(row.usd),
    unpricedCalls: Number(row.unpriced),
  }));
}
