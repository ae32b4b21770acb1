import { setTimeout as sleep } from 'node:timers/promises';
import { GraphDocument } from '@cua-forge/spec/document';
import { Client, Connection } from '@temporalio/client';
import { expect, it } from 'vitest';
import { faultDocument } from '../support/fault-document.ts';
import { outputsOf, runIn } from '../support/run-watch.ts';
import { eventually, startServices } from '../support/services.ts';
import { modelAt, slowModel } from '../support/slow-model.ts';

it('shares runs among several workers, names them, and loses nothing when one is killed', async () => {
  const model = await slowModel(300);
  const services = await startServices({ env: { ...modelAt(model.baseUrl), FORGE_WORKER_NAME: 'one' } });
  try {
    const { api, temporal } = services;
    const second = await services.addWorker({ FORGE_WORKER_NAME: 'two' });
    // This one serves activities alone.
    await services.addWorker({ FORGE_WORKER_NAME: 'three', FORGE_QUEUES: 'light,model' });
    const names = (view: Awaited<ReturnType<typeof api.workers>>, queue: string) =>
      view.queues
        .find((one) => one.queue === queue)
        ?.workers.map(({ identity }) => identity.split(' ')[0])
        .sort();
    const view = await eventually('all three poll', async () => {
      const seen = await api.workers();
      return names(seen, 'forge-model')?.length === 3 && seen;
    });
    expect(names(view, 'forge-light')).toEqual(['one', 'three', 'two']);
    expect(names(view, 'forge')).toEqual(['one', 'two']);
    expect(names(view, 'forge-heavy')).toEqual(['one', 'two']);

    const runs = await Promise.all(
      Array.from({ length: 6 }, (_, index) =>
        api.startRun({
          document: GraphDocument.parse(faultDocument),
          inputs: { nonce: `run ${index}` },
          seed: 7,
          mode: 'batch',
        }),
      ),
    );
    await sleep(2_000);
    process.kill(-second.pid, 'SIGKILL');
    const ended = await Promise.all(runs.map(({ id }) => runIn(api, id, undefined, 120_000)));
    expect(ended.map(({ state }) => state)).toEqual(ended.map(() => 'succeeded'));
    const [first, ...others] = await Promise.all(ended.map((run) => outputsOf(api, run)));
    for (const other of others) expect(other).toEqual(first);

    const connection = await Connection.connect({ address: temporal.address });
    const client = new Client({ connection });
    const identities = new Set<string>();
    for (const { workflowId } of runs) {
      const { events } = await client.workflow.getHandle(workflowId).fetchHistory();
      for (const event of events ?? []) {
        const identity = event.activityTaskStartedEventAttributes?.identity;
        if (identity) identities.add(identity.split(' ')[0] ?? '');
      }
    }
    await connection.close();
    expect([...identities].sort()).toEqual(expect.arrayContaining(['one', 'three']));
  } finally {
    await services.stop();
    await model.close();
  }
});

it('tells of activities that fail again and again', async () => {
  const services = await startServices({
    env: {
      FORGE_MODEL_PROVIDER: 'openai',
      FORGE_OPENAI_BASE_URL: 'http://127.0.0.1:9/v1',
      FORGE_OPENAI_API_KEY: 'none',
      FORGE_MODEL: 'absent',
    },
  });
  try {
    const { api } = services;
    const { id } = await api.startRun({
      document: GraphDocument.parse(faultDocument),
      inputs: { nonce: 'stuck' },
      seed: 7,
      mode: 'batch',
    });
    const { problems, examined } = await eventually(
      'an activity is in trouble',
      async () => {
        const view = await api.workers();
        return view.problems.length > 0 && view;
      },
      90_000,
    );
    expect(examined).toBeGreaterThan(0);
    expect(problems[0]).toMatchObject({ runId: id, activity: 'executeNodes', queue: 'forge-model' });
    expect(problems[0]?.failure).toMatch(/127\.0\.0\.1:9|reach|connect/i);
    await api.cancelRun(id);
  } finally {
    await services.stop();
  }
});
