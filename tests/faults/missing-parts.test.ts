import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ApiError } from '@cua-forge/spec/api/api-error';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually, type RunningServices, startServices } from '../support/services.ts';
import { documentOf } from '../support/test-kinds.ts';

const root = join(import.meta.dirname, '../..');

interface CommandRun {
  child: ChildProcess;
  said(): string;
  ended: Promise<{ code: number | null; printed: string }>;
}

/** Runs a command line of `forge` as a process of its own. */
function forge(args: readonly string[], env: Record<string, string>): CommandRun {
  const { FORGE_URL: _url, FORGE_TOKEN: _token, ...inherited } = process.env;
  const child = spawn(process.execPath, [join(root, 'apps/cli/bin/forge.mjs'), ...args], {
    cwd: root,
    env: { ...inherited, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let printed = '';
  let said = '';
  child.stdout.on('data', (part) => {
    printed += String(part);
  });
  child.stderr.on('data', (part) => {
    said += String(part);
  });
  const ended = once(child, 'close').then(([code]) => ({ code: Number(code), printed }));
  return { child, said: () => said, ended };
}

describe('parts that were never started', () => {
  let folder: string;
  let services: RunningServices;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'forge-parts-'));
    services = await startServices({ start: ['temporal', 'server'] });
  });
  afterAll(async () => {
    await services.stop();
    await rm(folder, { recursive: true, force: true });
  });

  it('none of them: a command that acts on what runs says what to start', async () => {
    const { code, printed } = await forge(['cancel', 'some-run', '--json'], { FORGE_DATA: folder }).ended;
    expect(code).toBe(1);
    expect(ApiError.parse(JSON.parse(printed)).error).toMatchObject({
      code: 'server.unreachable',
      message: expect.stringContaining(folder),
      fix: expect.stringContaining('npm start'),
    });
  });

  it('no worker: health counts none, a command that waits says so, and the run goes on once there is one', async () => {
    const { temporal, workers } = await services.api.health();
    expect(temporal.reachable).toBe(true);
    expect(workers.map(({ queue }) => queue).sort()).toEqual(['forge', 'forge-heavy', 'forge-light', 'forge-model']);
    expect(workers.every(({ pollers }) => pollers === 0)).toBe(true);

    const file = join(folder, 'document.json');
    const nodes = [{ id: 'add', kind: 'data.transform', params: { expression: '20 + 3' } }];
    await writeFile(file, JSON.stringify(documentOf(nodes, [], { outputs: { sum: 'add.value' } })));
    const command = forge(['run', file, '--wait'], { FORGE_URL: services.url });
    await eventually('the command says that no worker runs', async () => command.said().includes('none is running'));
    expect(command.child.exitCode).toBeNull();
    await services.restart('worker');
    const { code, printed } = await command.ended;
    expect(code).toBe(0);
    expect(printed).toContain('23');
    expect((await services.api.health()).workers.every(({ pollers }) => pollers > 0)).toBe(true);
  });

  it('no Temporal: the server goes on serving, and a worker that starts says what it waits for', async () => {
    await services.end('worker');
    await services.end('temporal');
    const { printed, code } = await forge(['runs', '--json'], { FORGE_URL: services.url }).ended;
    expect(code).toBe(0);
    expect(printed).toContain('test-document');
    const starting = services.restart('worker').catch((thrown: unknown) => thrown);
    const log = join(services.folder, 'logs/worker.log');
    await eventually('the worker says what it waits for', async () => {
      const text = await readFile(log, 'utf8');
      return text.includes('Temporal does not answer') && text.includes(services.temporal.address);
    });
    await services.restart('temporal');
    expect(await starting).toBeUndefined();
  });
});
