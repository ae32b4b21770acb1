import { BatchRecord, PackageRecord } from '@cua-forge/spec/store-port';
import Sqlite from 'better-sqlite3';
import { Kysely, SqliteDialect } from 'kysely';
import { expect, it } from 'vitest';
import { migrateToLatest } from './migrate.ts';
import { migrations } from './migrations.ts';
import { sampleBatch, sampleCall, samplePackage, sampleRun } from './testing/samples.ts';

const early = Object.fromEntries(Object.entries(migrations).filter(([name]) => name < '0003'));

it('takes a store from before there were costs along, with what had been spent', async () => {
  const sqlite = new Sqlite(':memory:');
  const db = new Kysely<unknown>({ dialect: new SqliteDialect({ database: sqlite }) });
  await migrateToLatest(db, early);

  const { parts, window, budget, ...batch } = sampleBatch();
  void [window, budget];
  const former = { ...batch, ...parts[0] };
  sqlite.prepare('insert into batches values (?, 1, ?)').run(batch.id, JSON.stringify(former));
  const runs = Array.from({ length: 1_200 }, (_, index) => sampleRun({ batchId: batch.id, endedAt: index }));
  const addRun = sqlite.prepare(
    `insert into runs (id, document_id, batch_id, state, created_at, body) values (?, 'd', ?, 'succeeded', 1, ?)`,
  );
  for (const run of runs) addRun.run(run.id, batch.id, JSON.stringify(run));
  const addCall = sqlite.prepare(
    `insert into model_calls (run_id, key, token, activity_attempt, call_index, provider, input_tokens, cached_tokens, output_tokens, usd, body)
     values (?, 'files[3]/draft', 1, 1, 0, ?, 100, 40, 20, ?, ?)`,
  );
  const providers = ['openai', 'rehearsal'];
  for (const [index, run] of runs.slice(0, 600).entries()) {
    const provider = providers[index % 2];
    const call = sampleCall({ runId: run.id, key: 'files[3]/draft', model: 'small', at: index });
    addCall.run(run.id, provider, index === 0 ? null : 0.5, JSON.stringify({ ...call, provider }));
  }
  const packages = runs.slice(0, 2).map((run) => samplePackage({ runId: run.id, batchId: batch.id }));
  for (const { rehearsed, ...record } of packages) {
    void rehearsed;
    sqlite
      .prepare('insert into packages (id, run_id, batch_id, skill, created_at, body) values (?, ?, ?, ?, 1, ?)')
      .run(record.id, record.runId, batch.id, record.skill, JSON.stringify(record));
  }

  await migrateToLatest(db);
  const rows = (query: string): unknown[] => sqlite.prepare(query).all();
  const body = (query: string): unknown => JSON.parse(String(sqlite.prepare(query).pluck().get()));
  expect(BatchRecord.parse(body('select body from batches'))).toEqual(sampleBatch({ ...batch, parts }));
  expect(rows('select count(*) as n, count(ended_at) as ended, min(skill) as skill from runs')).toEqual([
    { n: 1_200, ended: 1_200, skill: 'calc-monthly-summary' },
  ]);
  expect(rows('select distinct node, model, failed from model_calls')).toEqual([
    { node: 'files/draft', model: 'small', failed: 0 },
  ]);
  expect(rows('select max(at) as last from model_calls')).toEqual([{ last: 599 }]);
  expect(rows(`select * from spending where owner like 'batch/%'`)).toEqual([
    { owner: `batch/${batch.id}`, usd: 299.5, tokens: 72_000, unpriced: 1 },
  ]);
  expect(rows(`select count(*) as n from spending where owner like 'run/%'`)).toEqual([{ n: 600 }]);
  const flags = packages.map(({ id }) => PackageRecord.parse(body(`select body from packages where id = '${id}'`)));
  expect(flags.map(({ rehearsed }) => rehearsed)).toEqual([false, true]);
  expect(rows('select sum(rehearsed) as n from packages')).toEqual([{ n: 1 }]);
  await db.destroy();
});
