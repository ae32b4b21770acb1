import type { ErrorCode } from '@cua-forge/spec/errors';
import { EvaluationRecord } from '@cua-forge/spec/evaluation';
import { EvaluationList, EvaluationView } from '@cua-forge/spec/evaluation-view';
import { kinds } from '@cua-forge/spec/kinds';
import { Plan } from '@cua-forge/spec/plan';
import type { BatchRecord, RunRecord } from '@cua-forge/spec/store-port';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { getJson } from '../runs/json-artifact.ts';
import { startTestServer, type TestServer } from '../testing/test-server.ts';

let server: TestServer;
const asking = (prompt: string) => ({
  ...{ forge: 1, id: 'asking', title: 'Asking' },
  nodes: [
    {
      ...{ id: 'ask', kind: 'llm.generate', version: 1 },
      params: { purpose: 'greeting', prompt, examples: ['Hello'], model: 'small' },
    },
  ],
  outputs: { text: 'ask.text' },
});
const save = async (prompt: string, expectedRevision: number | null) =>
  expect(
    await server.call('PUT', '/api/documents/asking', { document: asking(prompt), expectedRevision }),
  ).toMatchObject({ status: 200 });
const start = (body: object) => server.call('POST', '/api/evaluations', { documentId: 'asking', count: 4, ...body });
const batchAt = async ({ variants }: EvaluationRecord, index: number): Promise<BatchRecord> => {
  const batch = await server.store.meta.getBatch(variants[index]?.batchId ?? '');
  if (batch === null) throw new Error('the batch is not there');
  return batch;
};

/** A run of a variant that has ended, as its workflow would have left it. */
async function addRun(batch: BatchRecord, index: number, failure: ErrorCode | null): Promise<void> {
  const [part] = batch.parts;
  if (part === undefined) throw new Error('the batch has a part');
  const { documentId, documentHash, planHash, title, skill, inputs } = part;
  const id = `${batch.id}-${index}`;
  const run: RunRecord = {
    ...{ id, documentId, documentHash, planHash, title, skill, inputs, seed: part.seed + index, mode: 'batch' },
    ...{ batchId: batch.id, baseRun: null, selection: { mode: 'all' }, edits: {}, outputs: {}, epoch: 1 },
    state: failure === null ? 'succeeded' : 'failed',
    failure: failure === null ? null : { code: failure, message: 'no' },
    ...{ workflowId: `run/${id}`, createdAt: index, startedAt: index, endedAt: 9 },
  };
  await server.store.meta.createRun(run);
}

beforeEach(async () => {
  server = await startTestServer({ kinds });
  await save('Say hello.', null);
  await save('Say hello kindly.', 1);
});
afterEach(() => server.stop());

it('starts a batch of each revision with each model on the same seeds, and one for one key', async () => {
  const body = { revisions: [1, 'latest'], models: [null, 'anthropic:large'], seed: 7, idempotencyKey: 'k' };
  const record = EvaluationRecord.parse((await start(body)).body);
  expect((await start(body)).body).toEqual(record);
  expect(record.variants.map(({ revision, model }) => [revision, model])).toEqual([
    [1, null],
    [1, 'anthropic:large'],
    [2, null],
    [2, 'anthropic:large'],
  ]);
  const params = [];
  for (const index of [0, 1, 2, 3]) {
    const batch = await batchAt(record, index);
    expect(batch).toMatchObject({ count: 4, evaluationId: record.id, parts: [{ seed: 7, count: 4 }] });
    const plan = await getJson(server.store.artifacts, batch.parts[0]?.planHash ?? '', Plan, 'plan');
    const hash = Object.values(plan.scopes)[0]?.nodes[0]?.params ?? '';
    params.push(JSON.parse(new TextDecoder().decode(await server.store.artifacts.get(hash))));
  }
  expect(params.map(({ prompt, model }) => [prompt, model])).toEqual([
    ['Say hello.', 'small'],
    ['Say hello.', 'anthropic:large'],
    ['Say hello kindly.', 'small'],
    ['Say hello kindly.', 'anthropic:large'],
  ]);
  expect(new Set(server.engine.batches).size).toBe(4);
});

it('sets variants and seeds side by side, with the bounds of what was seen', async () => {
  const record = EvaluationRecord.parse((await start({ revisions: [1, 2] })).body);
  const [one, two] = [await batchAt(record, 0), await batchAt(record, 1)];
  for (const [index, failure] of ([null, null, 'gate.rejected', 'node.failed'] as const).entries())
    await addRun(one, index, failure);
  for (const [index, failure] of ([null, 'gate.rejected'] as const).entries()) await addRun(two, index, failure);
  const view = EvaluationView.parse((await server.call('GET', `/api/evaluations/${record.id}`)).body);
  expect(view.variants.map(({ batch }) => batch.acceptance)).toEqual([0.5, 0.5]);
  expect(view.variants[0]?.batch.failures).toEqual({ 'gate.rejected': 1, 'node.failed': 1 });
  const [low = 1, high = 0] = view.variants[0]?.between ?? [];
  expect(low).toBeCloseTo(0.15, 2);
  expect(high).toBeCloseTo(0.85, 2);
  expect(view.seeds.map(({ seed, runs }) => [seed, ...runs.map(({ fate }) => fate)])).toEqual([
    [1, 'accepted', 'accepted'],
    [2, 'accepted', 'rejected'],
    [3, 'rejected', 'waiting'],
    [4, 'failed', 'waiting'],
  ]);
  const list = EvaluationList.parse((await server.call('GET', '/api/evaluations')).body);
  expect(list.evaluations).toEqual([{ evaluation: record, done: 6 }]);
});

it('starts nothing when one of what is compared cannot run, or there is too much', async () => {
  await server.call('PUT', '/api/documents/asking', {
    document: { ...asking('x'), nodes: [], outputs: { text: 'gone.text' } },
    expectedRevision: 2,
  });
  expect(await start({ revisions: [1, 3] })).toMatchObject({ body: { error: { code: 'document.invalid' } } });
  expect(await start({ revisions: [1, 9] })).toMatchObject({ status: 404 });
  const models = Array.from({ length: 5 }, (_, index) => `m${index}`);
  expect(await start({ revisions: [1, 2], models })).toMatchObject({ status: 400 });
  expect(server.engine.batches).toEqual([]);
  expect(await server.store.meta.listEvaluations(5)).toEqual([]);
});
