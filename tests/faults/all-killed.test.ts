import { GraphDocument } from '@cua-forge/spec/document';
import { openStore } from '@cua-forge/store/open-store';
import { expect, it } from 'vitest';
import { faultDocument, faultDocumentKeys } from '../support/fault-document.ts';
import { countByNode, outputsOf, runIn } from '../support/run-watch.ts';
import { eventually, startServices } from '../support/services.ts';
import { modelAt, slowModel } from '../support/slow-model.ts';

it('goes on after every process was killed at once', async () => {
  const model = await slowModel(500);
  const services = await startServices({ env: modelAt(model.baseUrl) });
  const store = await openStore({ folder: services.store });
  try {
    const { api } = services;
    const start = (nonce: string) =>
      api.startRun({ document: GraphDocument.parse(faultDocument), inputs: { nonce }, seed: 3, mode: 'batch' });
    const { id } = await start('killed');
    await eventually('some map items are done', async () =>
      (await store.meta.listOutcomes(id)).some(({ key }) => key.startsWith('each[')),
    );
    const names = ['temporal', 'server', 'worker'] as const;
    await Promise.all(names.map((name) => services.kill(name)));
    const finished = await store.meta.listOutcomes(id);
    expect(finished.length).toBeLessThan(faultDocumentKeys.length);
    await Promise.all(names.map((name) => services.restart(name)));

    const run = await runIn(api, id);
    expect(run).toMatchObject({ state: 'succeeded', epoch: 1 });
    const outcomes = await store.meta.listOutcomes(id);
    expect(countByNode(outcomes)).toEqual(Object.fromEntries(faultDocumentKeys.map((key) => [key, 1])));
    expect(outcomes).toEqual(expect.arrayContaining(finished));
    const undisturbed = await runIn(api, (await start('undisturbed')).id);
    expect(await outputsOf(api, run)).toEqual(await outputsOf(api, undisturbed));
  } finally {
    await store.meta.close();
    await services.stop();
    await model.close();
  }
});
