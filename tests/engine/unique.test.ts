import { startBatch } from '@cua-forge/server/batches/start-batch';
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
