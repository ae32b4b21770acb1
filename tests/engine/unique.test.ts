import { startBatch } from '@cua-forge/server/batches/start-batch';
import { startEvaluation, viewEvaluation } from '@cua-forge/server/evaluations/evaluations';
import { StartEvaluation } from '@cua-forge/spec/evaluation-view';
import { sha256 } from '@cua-forge/store/hash';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { stringify } from 'yaml';
import type { Engine } from '../support/engine-fixture.ts';
import { startEngine } from '../support/engine-fixture.ts';

let engine: Engine;
beforeAll(async () => {
  engine = await startEngine();
});
afterAll(() => engine.stop());

const options = ['red', 'green', 'blue', 'grey', 'black', 'white', 'pink', 'brown', 'gold', 'teal', 'lime', 'navy'];
const document = (id: string, whenTaken: 'repair' | 'fail', eachRound: boolean) => ({
  forge: 1,
  id,
  title: 'Colours that differ',
  nodes: [
    {
      id: 'draw',
      kind: 'data.sample',
      version: 1,
      params: { draws: [{ name: 'colour', type: 'choice', options }], eachRound },
    },
    {
      id: 'unique',
      kind: 'data.unique',
      version: 1,
      params: { key: 'colour', whenTaken },
      repair: { target: 'draw', rounds: 10 },
    },
  ],
  edges: [{ from: 'draw.values', to: 'unique.value' }],
  outputs: { value: 'unique.value' },
});

async function batch(id: string, whenTaken: 'repair' | 'fail', count: number, eachRound = true) {
  const source = stringify(document(id, whenTaken, eachRound));
  await engine.store.meta.saveDocument(id, 'Colours', source, sha256(source), null, Date.now());
  const { id: batchId } = await startBatch(engine.services, {
    documentId: id,
    count,
    seed: 1,
    inputs: {},
    window: count,
  });
  await expect
    .poll(async () => (await engine.store.meta.getBatch(batchId))?.state, { timeout: 40_000 })
    .toBe('succeeded');
  return engine.store.meta.listRuns({ batchId, limit: 50 });
}
const colourOf = async (runId: string) => JSON.stringify((await engine.outputs(runId, 'unique')).value);

it('runs of a batch at once draw again until their values differ', async () => {
  const runs = await batch('colours-repair', 'repair', 7);
  expect(runs.map(({ state, failure }) => [state, failure])).toEqual(runs.map(() => ['succeeded', null]));
  const colours = await Promise.all(runs.map(({ id }) => colourOf(id)));
  expect(new Set(colours).size).toBe(7);
  const rounds = await Promise.all(
    runs.map(async ({ id }) => (await engine.store.meta.listOutcomes(id, { key: 'unique' })).length),
  );
  expect(Math.max(...rounds)).toBeGreaterThan(1);
});

it('a run that may not draw again fails with the code, one for each value stays', async () => {
  const runs = await batch('colours-fail', 'fail', 16);
  const won = runs.filter(({ state }) => state === 'succeeded');
  const colours = await Promise.all(won.map(({ id }) => colourOf(id)));
  expect(new Set(colours).size).toBe(won.length);
  expect(won.length).toBeLessThanOrEqual(options.length);
  expect(new Set(runs.filter(({ state }) => state !== 'succeeded').map(({ failure }) => failure?.code))).toEqual(
    new Set(['value.taken']),
  );
});

it('a sample that draws the same in each round uses its rounds up', async () => {
  const runs = await batch('colours-same', 'repair', 16, false);
  expect(new Set(runs.map(({ failure }) => failure?.code ?? 'none'))).toEqual(new Set(['none', 'gate.exhausted']));
});

it('an evaluation runs seeds that ran before: each variant anew, and claims within itself', async () => {
  const before = await batch('colours-again', 'fail', 3);
  const seeds = before.filter(({ state }) => state === 'succeeded').map(({ seed }) => seed);
  expect(seeds.length).toBeGreaterThan(0);
  const { id, variants } = await startEvaluation(
    engine.services,
    StartEvaluation.parse({ documentId: 'colours-again', revisions: [1], models: [null, 'other'], count: 3 }),
    'ann',
  );
  const view = async () => viewEvaluation(engine.services, id);
  const states = async () => (await view()).variants.map((variant) => variant.batch.batch.state);
  await expect.poll(states, { timeout: 40_000 }).toEqual(['succeeded', 'succeeded']);
  const fates = before.map(({ state }) => (state === 'succeeded' ? 'accepted' : 'rejected')).toSorted();
  for (const [index, { batchId }] of variants.entries()) {
    const runs = await engine.store.meta.listRuns({ batchId, limit: 9 });
    for (const run of runs) {
      expect(run.trial).toBe(true);
      const [outcome] = await engine.store.meta.listOutcomes(run.id, { key: 'draw' });
      expect(outcome?.origin).toBe('executed');
    }
    expect((await view()).seeds.map((seed) => seed.runs[index]?.fate).toSorted()).toEqual(fates);
  }
});
