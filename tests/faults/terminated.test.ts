import { GraphDocument } from '@cua-forge/spec/document';
import { type Behaviour, fakeChatServer, streams } from '@cua-forge/testing/fake-chat-server';
import { Client, Connection } from '@temporalio/client';
import { expect, it } from 'vitest';
import { faultDocument, faultDocumentKeys } from '../support/fault-document.ts';
import { runIn } from '../support/run-watch.ts';
import { eventually, startServices } from '../support/services.ts';
import { modelAt } from '../support/slow-model.ts';

it('shows a workflow terminated in Temporal as terminated, ends what it had begun, and takes it up again', async () => {
  let open = 0;
  let answering = false;
  const answer: Behaviour = (response, request) => {
    open += 1;
    response.once('close', () => {
      open -= 1;
    });
    if (answering) streams('Done.')(response, request);
  };
  const model = await fakeChatServer([answer]);
  const services = await startServices({ env: modelAt(model.baseUrl, { FORGE_MODEL_CONCURRENCY: '16' }) });
  const connection = await Connection.connect({ address: services.temporal.address });
  try {
    const { api } = services;
    const client = new Client({ connection, namespace: services.temporal.namespace });
    const started = await api.startRun({ document: GraphDocument.parse(faultDocument), inputs: { nonce: 'x' } });
    const childrenOf = async (): Promise<string[]> => {
      const ids: string[] = [];
      const query = 'ExecutionStatus = "Running" AND WorkflowType = "runItems"';
      for await (const { workflowId } of client.workflow.list({ query })) ids.push(workflowId);
      return ids.filter((id) => id.startsWith(`run/${started.id}/`));
    };
    await eventually('the run asks the model in itself and in its map', async () => open >= 7);
    await eventually('the map has a child workflow', async () => (await childrenOf()).length > 0);
    // The run must be old enough for the reconciler to look at it.
    await eventually('the delay is over', async () =>
      (await api.run(started.id)).nodes.some(({ key, status }) => key === 'late' && status === 'succeeded'),
    );

    const at = Date.now();
    await client.workflow.getHandle(started.workflowId).terminate('by hand');
    const terminated = await runIn(api, started.id, ['terminated'], 20_000);
    expect(Date.now() - at).toBeLessThan(12_000);
    expect(terminated.failure).toMatchObject({
      message: expect.stringContaining('terminated in Temporal'),
      fix: expect.stringMatching(/retry/i),
    });
    expect(terminated.endedAt).not.toBeNull();
    await eventually('no child workflow is open', async () => (await childrenOf()).length === 0);
    await eventually('no call of the model is open', async () => open === 0);
    const kept = (await api.node(started.id, { key: 'late' })).outcomes;

    answering = true;
    expect(await api.retryRun(started.id, {})).toMatchObject({ reopened: true });
    const again = await runIn(api, started.id);
    expect(again).toMatchObject({ state: 'succeeded', failure: null, epoch: 2 });
    expect((await api.node(started.id, { key: 'late' })).outcomes).toEqual(kept);
    const top = (await api.run(started.id)).nodes;
    expect(top.map(({ key }) => key).sort()).toEqual(faultDocumentKeys.filter((key) => !key.includes('[')));
    expect(top.every(({ status }) => status === 'succeeded')).toBe(true);
  } finally {
    await connection.close();
    await services.stop();
    await model.close();
  }
});
