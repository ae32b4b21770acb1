import { GraphDocument } from '@cua-forge/spec/document';
import { openStore } from '@cua-forge/store/open-store';
import { expect, it } from 'vitest';
import { outputsOf, runIn } from '../support/run-watch.ts';
import { eventually, startServices } from '../support/services.ts';
import { documentOf } from '../support/test-kinds.ts';

it('repeats only what was not committed when it dies inside a region of cheap nodes', async () => {
  const length = 24;
  const id = (index: number) => `step-${index}`;
  const services = await startServices();
  const store = await openStore({ folder: services.store });
  try {
    const { api } = services;
    // Each takes some hundred milliseconds, all of them run in one activity.
    const expression = '$sum($map([1..60000], function($n) { $n % 7 })) + before';
    const document = documentOf(
      Array.from({ length }, (_, index) => ({
        id: id(index),
        kind: 'data.transform',
        params: { expression, inputs: { before: 'number' } },
      })),
      Array.from({ length }, (_, index) => [
        index === 0 ? '$inputs.zero' : `${id(index - 1)}.value`,
        `${id(index)}.before`,
      ]),
      { inputs: { zero: { type: 'number', default: 0 } }, outputs: { sum: `${id(length - 1)}.value` } },
    );
    const run = await api.startRun({ document: GraphDocument.parse(document), mode: 'batch' });
    await eventually(
      'a part of the region is committed',
      async () => (await store.meta.listOutcomes(run.id)).length >= 4,
    );
    await services.kill('worker');
    const finished = await store.meta.listOutcomes(run.id);
    expect(finished.length).toBeLessThan(length);
    await services.restart('worker');
    const ended = await runIn(api, run.id);
    expect(ended).toMatchObject({ state: 'succeeded' });
    const outcomes = await store.meta.listOutcomes(run.id);
    expect(outcomes.map(({ key }) => key)).toEqual(Array.from({ length }, (_, index) => id(index)));
    expect(outcomes.slice(0, finished.length)).toEqual(finished);
    expect(outcomes.every(({ origin }) => origin === 'executed')).toBe(true);
    const each = await api.value(outcomes[0]?.outputs.value?.hash ?? '');
    expect(await outputsOf(api, ended)).toEqual({ sum: Number(each) * length });
  } finally {
    await store.meta.close();
    await services.stop();
  }
});
