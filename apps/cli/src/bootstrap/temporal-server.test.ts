import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { defineSearchAttributeKey, TypedSearchAttributes } from '@temporalio/common';
import { afterAll, describe, expect, it } from 'vitest';
import { groupIsAlive } from './managed-process.ts';
import { freePort } from './ports.ts';
import { startTemporalServer, type TemporalServer } from './temporal-server.ts';

const started: TemporalServer[] = [];
const folders: string[] = [];
afterAll(async () => {
  await Promise.all(started.map((server) => server.stop()));
  await Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true })));
});

async function start(folder: string): Promise<TemporalServer> {
  const server = await startTemporalServer({
    folder,
    port: await freePort(17_233),
    uiPort: await freePort(18_233),
    env: process.env,
  });
  started.push(server);
  return server;
}

describe('startTemporalServer', () => {
  it('keeps runs, retention and search attributes across a restart, and leaves no process behind', {
    timeout: 180_000,
  }, async () => {
    const folder = await mkdtemp(join(tmpdir(), 'forge-temporal-'));
    folders.push(folder);
    const state = defineSearchAttributeKey('ForgeState', 'KEYWORD');

    const first = await start(folder);
    const before = await Connection.connect({ address: first.address });
    await new Client({ connection: before }).workflow.start('nobodyRunsThis', {
      taskQueue: 'none',
      workflowId: 'kept',
      typedSearchAttributes: new TypedSearchAttributes([{ key: state, value: 'running' }]),
    });
    await before.close();
    expect((await fetch(first.uiUrl)).status).toBe(200);
    await first.stop();
    expect(groupIsAlive(first.pid)).toBe(false);

    const second = await start(folder);
    const after = await Connection.connect({ address: second.address });
    const client = new Client({ connection: after });
    const found = [];
    for await (const execution of client.workflow.list({ query: 'ForgeState = "running"' }))
      found.push(execution.workflowId);
    expect(found).toEqual(['kept']);
    const namespace = await after.workflowService.describeNamespace({ namespace: 'default' });
    expect(String(namespace.config?.workflowExecutionRetentionTtl?.seconds)).toBe('2592000');
    await after.close();
  });

  it('refuses to start when its port is taken', { timeout: 60_000 }, async () => {
    const folder = await mkdtemp(join(tmpdir(), 'forge-temporal-'));
    folders.push(folder);
    const server = await start(folder);
    const port = Number(new URL(`tcp://${server.address}`).port);
    await expect(
      startTemporalServer({ folder: join(folder, 'other'), port, uiPort: await freePort(18_333), env: process.env }),
    ).rejects.toMatchObject({
      code: 'temporal.unreachable',
      message: expect.stringContaining(`${port}`),
    });
  });
});
