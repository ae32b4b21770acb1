import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { batchRunId, placeInBatch } from '@cua-forge/spec/batch-parts';
import { canonicalJson } from '@cua-forge/spec/canonical-json';
import type { BatchRecord, RunRecord } from '@cua-forge/spec/store-port';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer, twoEchoes } from '../../server/src/testing/test-server.ts';
import { silentReporter } from './bootstrap/progress.ts';
import { runCli } from './program.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
let server: TestServer;
let folder: string;
beforeEach(async () => {
  server = await startTestServer();
  folder = await mkdtemp(join(tmpdir(), 'forge-batch-'));
  for (const id of ['two-echoes', 'others'])
    await server.call('PUT', `/api/documents/${id}`, {
      document: { ...twoEchoes, id, skill: id },
      expectedRevision: null,
    });
});
afterEach(async () => {
  await server.stop();
  await rm(folder, { recursive: true, force: true });
});

interface Answer {
  code: number;
  out: string;
  err: string;
  json: () => unknown;
}
async function cli(argv: string[], interrupt?: AbortSignal): Promise<Answer> {
  let out = '';
  let err = '';
  const note = (text: string) => {
    err += `${text}\n`;
  };
  const code = await runCli(argv, {
    root,
    env: { FORGE_URL: server.url },
    write: (text) => {
      out += text;
    },
    reporter: { ...silentReporter, line: note, update: note },
    signal: interrupt ?? new AbortController().signal,
  });
  return { code, out, err, json: () => JSON.parse(out) };
}

type End = 'accepted' | 'rejected' | 'budget';

/** A run of the batch that has ended, as its workflow would have left it. */
async function addRun(batch: BatchRecord, index: number, end: End): Promise<void> {
  const { meta, artifacts } = server.store;
  const { part, seed } = placeInBatch(batch, index);
  const { documentId, documentHash, planHash, title, skill, inputs } = part;
  const id = batchRunId(batch.id, index);
  const run: RunRecord = {
    ...{ id, documentId, documentHash, planHash, title, skill, inputs, seed, mode: 'batch', batchId: batch.id },
    ...{
      baseRun: null,
      selection: { mode: 'all' },
      edits: {},
      state: 'succeeded',
      failure: null,
      outputs: {},
      epoch: 1,
    },
    ...{ workflowId: `run/${id}`, createdAt: index, startedAt: index, endedAt: Date.now() },
  };
  if (end === 'accepted') {
    const text = await artifacts.put(new TextEncoder().encode(`Task ${seed} of ${skill}`));
    const manifest = {
      ...{
        schema: 1,
        id: `pkg-${skill}-${seed}`,
        title,
        domain: 'office',
        skills: [skill],
        applications: ['calc'],
        seed,
      },
      ...{ workflow: { id: documentId, version: 'v' }, run: id, models: ['openai:small'], files: [], proofs: [] },
      ...{ outcome: { kind: 'k', summary: 's' }, traits: {}, gates: [] },
    };
    const files = [
      { path: 'instruction.md', file: { name: 'instruction.md', mediaType: 'text/plain', ...text }, executable: false },
    ];
    const value = await artifacts.put(new TextEncoder().encode(canonicalJson({ manifest, files })));
    await meta.addPackage({
      ...{ id: manifest.id, runId: id, batchId: batch.id, skill, seed, title, outcomeKind: 'k', rehearsed: false },
      ...{ value, createdAt: index },
    });
  }
  const code = end === 'budget' ? 'budget.exhausted' : 'gate.rejected';
  await meta.createRun(end === 'accepted' ? run : { ...run, state: 'failed', failure: { code, message: 'x' } });
  await meta.addModelCall({
    ...{ runId: id, key: 'first', token: 1, round: 1, attempt: 1, index: 0, activityAttempt: 1, purpose: 'first' },
    ...{ provider: 'openai', model: 'small', usage: { input: 900, cached: 100, output: 100 }, usd: 0.02 },
    ...{ milliseconds: 5, status: 'ok', error: null, prompt: null, response: null, at: Date.now() },
  });
  await meta.addEvents([{ runId: id, type: 'run', data: { state: 'succeeded' }, at: 1 }]);
}

/** What the batch's workflow does when the batch has been started. */
function carryOut(ends: readonly End[], state: BatchRecord['state']): void {
  const start = server.engine.startBatch.bind(server.engine);
  server.engine.startBatch = async (batch) => {
    await start(batch);
    server.engine.startBatch = start;
    setTimeout(async () => {
      for (const [index, end] of ends.entries()) await addRun(batch, index, end);
      await server.store.meta.updateBatch(batch.id, { state, endedAt: 9 });
    }, 20);
  };
}
const begin = (...more: string[]) =>
  cli(['batch', 'two-echoes', 'others', '--count', '2', '--seed', '5', '--input', 'word=x', ...more]);
const newest = async (): Promise<BatchRecord> => {
  const [batch] = await server.store.meta.listBatches(1);
  if (!batch) throw new Error('no batch');
  return batch;
};

describe('forge batch', () => {
  it('makes runs of several skills, writes their packages and says what each cost', async () => {
    carryOut(['accepted', 'accepted', 'rejected', 'accepted'], 'succeeded');
    const out = join(folder, 'out');
    const { code, json, err } = await begin('--out', out, '--window', '3', '--budget-usd', '1.5', '--json');
    expect(json()).toMatchObject({
      ...{ state: 'succeeded', requested: 4, accepted: 3, rejected: 1, failed: 0, cancelled: 0, waiting: 0 },
      ...{ provider: 'openai', tokens: { input: 3_600, cached: 400, output: 400 }, acceptance: 0.75 },
      usd: expect.closeTo(0.08),
      perAccepted: { usd: expect.closeTo(0.08 / 3), tokens: expect.closeTo(4_000 / 3) },
      packages: [{ id: 'pkg-two-echoes-5' }, { id: 'pkg-others-5' }, { id: 'pkg-others-6' }],
    });
    expect(code).toBe(0);
    expect(await readFile(join(out, 'pkg-others-6', 'instruction.md'), 'utf8')).toBe('Task 6 of others');
    expect(err).toMatch(/4 of 4 · 3 accepted · 1 rejected · acceptance 75 % · 4000 tokens · \$0.0800/);
    expect(await newest()).toMatchObject({ window: 3, budget: { usd: 1.5, tokens: null } });
  });

  it('ends with 1 where the budget is used up, and says how to go on', async () => {
    carryOut(['accepted', 'budget'], 'budget');
    const { code, out } = await begin('--budget-tokens', '1500');
    expect(code).toBe(1);
    expect(out).toContain('1 of 4 task packages');
    expect(out).toContain('forge batch resume');
    const { id } = await newest();
    const refused = await cli(['batch', 'resume', id, '--budget-tokens', '1800', '--json']);
    expect(refused.json()).toMatchObject({ error: { code: 'budget.exhausted' } });
    expect(refused.code).toBe(1);
    expect(
      (await cli(['batch', 'resume', id, '--budget-tokens', '9000', '--window', '2', '--json'])).json(),
    ).toMatchObject({ state: 'running', window: 2, budget: { usd: null, tokens: 9_000 } });
  });

  it('is paused by Ctrl+C, and followed again later', async () => {
    const interrupt = new AbortController();
    setTimeout(() => interrupt.abort(), 100);
    const argv = ['batch', 'two-echoes', '--count', '2', '--input', 'two-echoes.word=x', '--out', folder];
    const { code, out } = await cli(argv, interrupt.signal);
    expect(code).toBe(1);
    const batch = await newest();
    expect(batch.state).toBe('paused');
    expect(out).toContain(`forge batch resume ${batch.id}`);
    expect((await cli(['batch', 'resume', batch.id])).code).toBe(0);
    for (const index of [0, 1]) await addRun(batch, index, 'accepted');
    await server.store.meta.updateBatch(batch.id, { state: 'succeeded', endedAt: 9 });
    expect((await cli(['batch', 'watch', batch.id, '--out', folder, '--json'])).json()).toMatchObject({ accepted: 2 });
  });

  it('is shown, listed, paused, retried, cancelled and written out at any time', async () => {
    const started = await begin('--no-wait', '--json');
    expect(started.code).toBe(0);
    const batch = await newest();
    await addRun(batch, 0, 'accepted');
    await addRun(batch, 1, 'rejected');
    const shown = await cli(['batch', 'show', batch.id]);
    expect(shown.out).toContain('2 of 4 · 1 accepted · 1 rejected');
    expect(shown.out).toContain('1 × gate.rejected');
    expect((await cli(['batches'])).out).toMatch(new RegExp(`${batch.id} +queued +4 +8 +two-echoes, others`));
    expect((await cli(['batch', 'export', batch.id, '--out', folder, '--json'])).json()).toMatchObject({
      packages: [{ id: 'pkg-two-echoes-5' }],
    });
    expect((await cli(['batch', 'retry', batch.id, '--failed', 'gate.rejected', '--json'])).json()).toEqual({
      runs: [batchRunId(batch.id, 1)],
    });
    expect((await cli(['batch', 'retry', batch.id, '--failed', 'model.auth'])).code).toBe(2);
    expect((await cli(['batch', 'pause', batch.id])).out).toContain('is paused');
    expect((await cli(['batch', 'cancel', batch.id])).code).toBe(0);
    expect(server.engine.cancelled).toEqual([batch.workflowId]);
  });

  it.each([
    [['batch']],
    [['batch', 'none', '--count', '2']],
    [['batch', 'two-echoes', '--input', 'nothing=1']],
    [['batch', 'two-echoes', '--budget-usd', '0']],
    [['batch', 'two-echoes', '--budget-tokens', '1.5']],
    [['batch', 'show', 'none']],
    [['costs', '--by', 'moon']],
    [['costs', '--from', 'yesterday']],
  ])('%j ends with 2', async (argv) => {
    expect((await cli(argv)).code).toBe(2);
  });
});

describe('forge costs', () => {
  it('adds up by what is asked for', async () => {
    expect((await cli(['costs'])).out).toContain('No model has been asked.');
    await begin('--no-wait');
    const batch = await newest();
    for (const [index, end] of (['accepted', 'rejected', 'accepted'] as const).entries())
      await addRun(batch, index, end);
    const { out } = await cli(['costs', '--by', 'skill', '--batch', batch.id]);
    expect(out).toMatch(/two-echoes +2 +0 +2 +1800 +200 +200 +\$0.0400 +2 +1000 +\$0.0200/);
    expect(out).toMatch(/others +1 +0 +1 +900 +100 +100 +\$0.0200 +0 +– +–/);
    expect(out).toMatch(/all +3 +0 +3 +2700 +300 +300 +\$0.0600 +2 +1500 +\$0.0300/);
    expect((await cli(['costs', '--by', 'model', '--to', '2020-01-01', '--json'])).json()).toMatchObject({ rows: [] });
  });
});
