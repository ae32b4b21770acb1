import { type Kysely, sql } from 'kysely';
import { nodeOfKey } from './node-of-key.ts';

const pageSize = 500;

type Row = Record<string, unknown>;
type Body = Record<string, unknown>;

/** What costs are added up by, budgets' running sums, and batches of several documents. */
export async function costs(db: Kysely<unknown>): Promise<void> {
  const { schema } = db;
  await schema.alterTable('runs').addColumn('ended_at', 'integer').execute();
  await schema
    .alterTable('runs')
    .addColumn('skill', 'text', (column) => column.notNull().defaultTo(''))
    .execute();
  for (const name of ['model', 'node'])
    await schema
      .alterTable('model_calls')
      .addColumn(name, 'text', (column) => column.notNull().defaultTo(''))
      .execute();
  for (const name of ['at', 'failed'])
    await schema
      .alterTable('model_calls')
      .addColumn(name, 'integer', (column) => column.notNull().defaultTo(0))
      .execute();
  await schema
    .alterTable('packages')
    .addColumn('rehearsed', 'integer', (column) => column.notNull().defaultTo(0))
    .execute();
  await schema
    .createTable('spending')
    .addColumn('owner', 'text', (column) => column.primaryKey().notNull())
    .addColumn('usd', 'real', (column) => column.notNull())
    .addColumn('tokens', 'integer', (column) => column.notNull())
    .addColumn('unpriced', 'integer', (column) => column.notNull())
    .execute();

  await rewrite(db, 'runs', ['id'], (run) => ({ ended_at: run.endedAt ?? null, skill: run.skill ?? '' }));
  await rewrite(db, 'batches', ['id'], (batch) => ({ body: JSON.stringify(withParts(batch)) }));
  await rewrite(db, 'model_calls', ['run_id', 'key', 'token', 'activity_attempt', 'call_index'], (call) => ({
    model: call.model ?? '',
    node: nodeOfKey(String(call.key)),
    at: call.at ?? 0,
    failed: call.status === 'failed' ? 1 : 0,
  }));
  const { rows } = await sql<{ run_id: string }>`
    select distinct run_id from model_calls where provider = 'rehearsal'`.execute(db);
  const rehearsed = new Set(rows.map((row) => row.run_id));
  await rewrite(db, 'packages', ['id'], (record) => {
    const without = rehearsed.has(String(record.runId));
    return { rehearsed: without ? 1 : 0, body: JSON.stringify({ ...record, rehearsed: without }) };
  });
  await spend(db, sql`'run/' || calls.run_id`);
  await spend(db, sql`'batch/' || runs.batch_id`);
}

/** A batch of one document becomes one with a single part. */
function withParts(batch: Body): Body {
  const { documentId, documentHash, planHash, skill, inputs, seed, ...rest } = batch;
  const part = { documentId, documentHash, planHash, title: batch.title, skill, inputs, count: batch.count, seed };
  return { ...rest, parts: [part], window: 8, budget: { usd: null, tokens: null } };
}

/** Sets columns of every row by its body, a page at a time, in the order of its key. */
export async function rewrite(
  db: Kysely<unknown>,
  table: string,
  key: readonly string[],
  change: (body: Body) => Row,
): Promise<void> {
  const columns = sql.join(key.map((name) => sql.ref(name)));
  let after: unknown[] | null = null;
  for (;;) {
    const where = after === null ? sql`` : sql`where (${columns}) > (${sql.join(after)})`;
    const page: { rows: Row[] } = await sql<Row>`
      select ${columns}, body from ${sql.table(table)} ${where} order by ${columns} limit ${pageSize}`.execute(db);
    for (const row of page.rows) {
      const set = Object.entries(change(JSON.parse(String(row.body)))).map(
        ([name, value]) => sql`${sql.ref(name)} = ${value}`,
      );
      const same = key.map((name) => sql`${sql.ref(name)} = ${row[name]}`);
      await sql`update ${sql.table(table)} set ${sql.join(set)} where ${sql.join(same, sql` and `)}`.execute(db);
    }
    const last = page.rows.at(-1);
    if (last === undefined || page.rows.length < pageSize) return;
    after = key.map((name) => last[name]);
  }
}

async function spend(db: Kysely<unknown>, owner: ReturnType<typeof sql>): Promise<void> {
  await sql`
    insert into spending (owner, usd, tokens, unpriced)
    select ${owner}, sum(coalesce(calls.usd, 0)), sum(calls.input_tokens + calls.output_tokens),
      sum(case when calls.usd is null and calls.input_tokens + calls.output_tokens > 0 then 1 else 0 end)
    from model_calls calls left join runs on runs.id = calls.run_id
    where ${owner} is not null
    group by ${owner}`.execute(db);
}
