import { GraphDocument } from '@cua-forge/spec/document';
import { isHostWorkflow } from '@cua-forge/spec/engine';
import { openStore } from '@cua-forge/store/open-store';
import { expect, it } from 'vitest';
import { countByNode, runIn } from '../support/run-watch.ts';
import { eventually, startServices } from '../support/services.ts';
import { documentOf } from '../support/test-kinds.ts';

it('runs that share a workflow survive kill -9 of the worker, then of server, Temporal and worker, and commit every node once', async () => {
  const services = await startServices();
  const store = await openStore({ folder: services.store });
  try {
    const { api } = services;
    // Each takes some hundred milliseconds.
    const expression = '$sum($map([1..60000], function($n) { $n % 7 })) + before';
    const steps = ['a', 'b', 'c'];
    const document = documentOf(
      steps.map((id) => ({ id, kind: 'data.transform', params: { expression, inputs: { before: 'number' } } })),
      steps.map((id, index) => [index === 0 ? '$inputs.first' : `${steps[index - 1]}.value`, `${id}.before`]),
      { inputs: { first: { type: 'number' } }, outputs: { sum: 'c.value' } },
    );
    const { ids, hosts } = await api.startRuns({
      document: GraphDocument.parse(document),
      runs: Array.from({ length: 8 }, (_, index) => ({ inputs: { first: index } })),
    });
    expect(hosts).toBe(1);
    const committed = async () =>
      (await Promise.all(ids.map((id) => store.meta.listOutcomes(id)))).reduce((sum, all) => sum + all.length, 0);
    await eventually('some nodes are committed', async () => (await committed()) >= 4, 60_000);
    await services.kill('worker');
    const before = await committed();
    expect(before).toBeLessThan(24);
    await services.restart('worker');
    await eventually('more nodes are committed', async () => (await committed()) > before, 60_000);
    await Promise.all([services.kill('worker'), services.kill('server'), services.kill('temporal')]);
    await services.restart('temporal');
    await Promise.all([services.restart('worker'), services.restart('server')]);
    for (const id of ids) {
      const run = await runIn(api, id, undefined, 90_000);
      expect(run).toMatchObject({ state: 'succeeded', epoch: 1 });
      expect(isHostWorkflow(run.workflowId)).toBe(true);
      expect(countByNode(await store.meta.listOutcomes(id))).toEqual({ a: 1, b: 1, c: 1 });
    }
  } finally {
    await store.meta.close();
    await services.stop();
  }
});
