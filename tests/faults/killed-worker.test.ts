import { GraphDocument } from '@cua-forge/spec/document';
import { openStore } from '@cua-forge/store/open-store';
import { expect, it } from 'vitest';
import { faultDocument, faultDocumentKeys } from '../support/fault-document.ts';
import { countByNode, outputsOf, runIn } from '../support/run-watch.ts';
import { eventually, startServices } from '../support/services.ts';
import { modelAt, promptOf, slowModel } from '../support/slow-model.ts';

it('goes on after kill -9 of the worker as if nothing had been, with nothing committed twice', async () => {
  const model = await slowModel(600);
  const services = await startServices({ env: modelAt(model.baseUrl) });
  const store = await openStore({ folder: services.store });
  try {
    const { api } = services;
    const start = (nonce: string) =>
      api.startRun({ document: GraphDocument.parse(faultDocument), inputs: { nonce }, seed: 7, mode: 'batch' });
    const undisturbed = await runIn(api, (await start('undisturbed')).id);
    expect(undisturbed).toMatchObject({ state: 'succeeded' });
    const askedBefore = model.seen.length;

    const { id } = await start('disturbed');
    await eventually('some map items are done and others are not', async () => {
      const keys = (await store.meta.listOutcomes(id)).map(({ key }) => key);
      return keys.some((key) => key.startsWith('each[')) && !keys.includes('each');
    });
    await services.kill('worker');
    const finished = await store.meta.listOutcomes(id);
    await services.restart('worker');
    const disturbed = await runIn(api, id);

    expect(disturbed).toMatchObject({ state: 'succeeded', failure: null });
    expect(await outputsOf(api, disturbed)).toEqual(await outputsOf(api, undisturbed));
    const outcomes = await store.meta.listOutcomes(id);
    expect(Object.keys(countByNode(outcomes)).sort()).toEqual(faultDocumentKeys);
    expect(Object.values(countByNode(outcomes)).every((count) => count === 1)).toBe(true);
    expect(outcomes).toEqual(expect.arrayContaining(finished));
    const events = await store.meta.listEvents({ after: 0, runId: id, limit: 1_000 });
    expect(events.filter(({ type }) => type === 'outcome')).toHaveLength(outcomes.length);

    // A call whose outcome was committed is never made again; one that was in flight is made once more.
    const asked = model.seen.slice(askedBefore).map(promptOf);
    const again = asked.length - new Set(asked).size;
    expect(again).toBeLessThanOrEqual(4);
    expect(new Set(asked).size).toBe(11);
  } finally {
    await store.meta.close();
    await services.stop();
    await model.close();
  }
});
