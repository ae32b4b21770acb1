import { GraphDocument } from '@cua-forge/spec/document';
import { Client, Connection } from '@temporalio/client';
import { expect, it } from 'vitest';
import { runIn } from '../support/run-watch.ts';
import { eventually, startServices } from '../support/services.ts';
import { documentOf } from '../support/test-kinds.ts';

const document = GraphDocument.parse(
  documentOf(
    [
      { id: 'before', kind: 'data.transform', params: { expression: '1', inputs: {} } },
      { id: 'decide', kind: 'flow.approval', params: { message: 'Go on?' } },
      { id: 'after', kind: 'data.transform', params: { expression: '{"seen": value}', inputs: { value: 'json' } } },
    ],
    [
      ['before.value', 'decide.value'],
      ['decide.approved', 'after.value'],
    ],
  ),
);

it('keeps open runs on the build that they were started on, and starts new ones on the current build', async () => {
  const services = await startServices({ start: ['temporal', 'server'] });
  try {
    const { api, temporal } = services;
    const connection = await Connection.connect({ address: temporal.address });
    const client = new Client({ connection });
    const buildOf = async (workflowId: string) => {
      const { raw } = await client.workflow.getHandle(workflowId).describe();
      return raw.workflowExecutionInfo?.versioningInfo?.deploymentVersion?.buildId;
    };
    const use = (build: string) =>
      eventually(`build ${build} is current`, async () => {
        await api.setCurrentBuild({ build });
        return (await api.workers()).builds.some((one) => one.build === build && one.status === 'current');
      });
    const start = () => api.startRun({ document, inputs: {}, seed: 1, mode: 'batch' });
    const waits = (id: string) =>
      eventually('it waits for the decision', async () =>
        (await api.run(id)).nodes.some(({ key, status }) => key === 'decide' && status === 'awaiting'),
      );

    await expect(api.setCurrentBuild({ build: 'unheard-of' })).rejects.toMatchObject({ code: 'not-found' });
    await services.addWorker({ FORGE_BUILD_ID: 'first', FORGE_WORKER_NAME: 'first' });
    await use('first');
    const old = await start();
    await waits(old.id);
    await services.addWorker({ FORGE_BUILD_ID: 'second', FORGE_WORKER_NAME: 'second' });
    await use('second');
    const young = await start();
    await waits(young.id);
    expect([await buildOf(old.workflowId), await buildOf(young.workflowId)]).toEqual(['first', 'second']);
    const builds = Object.fromEntries((await api.workers()).builds.map(({ build, status }) => [build, status]));
    expect(builds).toEqual({ first: expect.stringMatching(/^(draining|inactive)$/), second: 'current' });

    for (const { id } of [old, young]) await api.approve(id, { key: 'decide', decision: 'approve' });
    for (const { id } of [old, young]) expect(await runIn(api, id)).toMatchObject({ state: 'succeeded' });
    expect(await buildOf(old.workflowId)).toBe('first');
    await connection.close();
  } finally {
    await services.stop();
  }
});
