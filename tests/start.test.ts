import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Addresses, Instance } from '@cua-forge/cli/bootstrap/lock';
import { Health } from '@cua-forge/spec/api/system';
import { TaskManifest } from '@cua-forge/spec/task';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';

const run = promisify(execFile);
const root = join(import.meta.dirname, '..');
const Ready = Addresses.extend({
  logs: z.string(),
  packages: z.array(z.strictObject({ id: z.string(), path: z.string() })),
});

let data: string;
beforeEach(async () => {
  data = await mkdtemp(join(tmpdir(), 'forge-npm-start-'));
});
afterEach(() => rm(data, { recursive: true, force: true }));

const environment = () => ({ ...process.env, FORGE_DATA: data, FORGE_MODEL_PROVIDER: 'rehearsal' });
const args = (): string[] => ['scripts/start.mjs', '--json', '--count', '3', '--out', join(data, 'packages')];

/** Command lines of all processes whose environment names the data folder. */
async function processesOfInstance(): Promise<string[]> {
  const { stdout } = await run('ps', ['axeww', '-o', 'pid=,args='], { maxBuffer: 50_000_000 });
  return stdout.split('\n').filter((line) => line.includes(`FORGE_DATA=${data}`));
}

async function pidOf(part: string): Promise<number> {
  const line = (await processesOfInstance()).find((one) => one.includes(part));
  return Number(line?.trim().split(' ')[0]);
}

async function readyLine(child: ChildProcess): Promise<z.infer<typeof Ready>> {
  let text = '';
  let errors = '';
  child.stderr?.on('data', (chunk) => {
    errors += String(chunk);
  });
  for await (const chunk of child.stdout ?? []) {
    text += String(chunk);
    if (text.includes('\n')) return Ready.parse(JSON.parse(text));
  }
  throw new Error(`It ended before it was ready: ${errors}`);
}

const health = async (studio: string): Promise<Health> =>
  Health.parse(await (await fetch(`${studio}/api/health`)).json());

describe('npm start', () => {
  it('stops in the middle of a start and of the first packages, and leaves no process behind', async () => {
    for (const [said, more] of [
      ['Starting worker', []],
      ['Generating|of 40', ['--count', '40']],
    ] as const) {
      const child = spawn(process.execPath, [...args(), ...more], {
        cwd: root,
        env: environment(),
        stdio: ['ignore', 'ignore', 'pipe'],
      });
      const exited = once(child, 'exit');
      await new Promise<void>((resolve) => {
        child.stderr.on('data', (chunk) => new RegExp(said).test(String(chunk)) && resolve());
      });
      child.kill('SIGINT');
      expect(await exited).toEqual([0, null]);
      expect(await processesOfInstance()).toEqual([]);
    }
  });

  it('makes three packages, serves everything from one origin, survives crashes of its parts, is there once a folder, and leaves no process behind', async () => {
    const child = spawn(process.execPath, args(), { cwd: root, env: environment(), stdio: ['ignore', 'pipe', 'pipe'] });
    const exited = once(child, 'exit');
    try {
      const ready = await readyLine(child);
      expect(await health(ready.studio)).toMatchObject({ temporal: { reachable: true, address: ready.temporal } });
      await vi.waitFor(
        async () => expect((await health(ready.studio)).workers.some(({ pollers }) => pollers > 0)).toBe(true),
        { timeout: 60_000, interval: 500 },
      );
      expect((await fetch(ready.studio)).headers.get('content-type')).toContain('text/html');
      expect(ready.temporalUi).toBe(`${ready.studio}/temporal`);
      expect((await fetch(`${ready.studio}/temporal/`)).status).toBe(200);

      expect(ready.packages).toHaveLength(3);
      for (const { path } of ready.packages) {
        expect(path.startsWith(join(data, 'packages'))).toBe(true);
        expect(TaskManifest.parse(JSON.parse(await readFile(join(path, 'task.json'), 'utf8')))).toMatchObject({
          skills: ['calc-monthly-summary'],
        });
      }

      const second = await run(process.execPath, args(), { cwd: root, env: environment() });
      const { running } = z.object({ running: Instance }).parse(JSON.parse(second.stdout));
      expect(running).toMatchObject({ pid: child.pid, addresses: { studio: ready.studio, temporal: ready.temporal } });

      for (const part of ['apps/server/src/main.ts', 'server start-dev']) {
        const pid = await pidOf(part);
        expect(pid).toBeGreaterThan(0);
        process.kill(pid, 'SIGKILL');
        await vi.waitFor(async () => expect((await health(ready.studio)).temporal.reachable).toBe(true), {
          timeout: 30_000,
          interval: 200,
        });
        expect(await pidOf(part)).not.toBe(pid);
      }
    } finally {
      child.kill('SIGINT');
      child.kill('SIGINT');
    }
    expect(await exited).toEqual([0, null]);
    expect(await processesOfInstance()).toEqual([]);
  });
});
