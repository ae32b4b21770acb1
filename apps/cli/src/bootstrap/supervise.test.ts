import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { startApp } from './app-process.ts';
import { openLog } from './log-file.ts';
import { groupIsAlive } from './managed-process.ts';
import type { Reporter } from './progress.ts';
import { supervise } from './supervise.ts';

const run = promisify(execFile);
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'forge-supervise-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const app = (script: string, extra: { readyWithinMs?: number } = {}) => ({
  name: 'probe',
  command: 'sh',
  args: ['-c', script],
  cwd: folder,
  env: process.env,
  log: openLog(join(folder, 'probe.log')),
  graceMs: 500,
  ...extra,
});

const recorder = (): Reporter & { lines: string[] } => {
  const lines: string[] = [];
  return { lines, line: (text) => void lines.push(text), update: () => undefined };
};

/** Pids of processes whose command line contains the mark; pgrep exits 1 when there is none. */
async function marked(mark: string): Promise<string[]> {
  const { stdout } = await run('pgrep', ['-f', mark]).catch(() => ({ stdout: '' }));
  return stdout.split('\n').filter((line) => line !== '');
}

describe('startApp', () => {
  it('resolves with the ready line and files every line', async () => {
    const probe = await startApp(app(`echo hello; echo '{"ready":"probe","url":"http://127.0.0.1:1"}'; sleep 60`));
    expect(probe.ready).toEqual({ ready: 'probe', url: 'http://127.0.0.1:1' });
    await probe.stop();
    expect(await readFile(join(folder, 'probe.log'), 'utf8')).toMatch(/^\S+Z hello$/m);
  });

  it('says how the app ended and its last words', async () => {
    await expect(startApp(app('echo "port is taken" >&2; exit 3'))).rejects.toThrow(/exit 3[\s\S]*port is taken/);
  });

  it('gives up on an app that is never ready, and ends it', async () => {
    await expect(startApp(app('exec sleep 61.25', { readyWithinMs: 300 }))).rejects.toThrow(/not ready in time/);
    expect(await marked('sleep 61.25')).toEqual([]);
  });

  it('stops grandchildren too, also such that ignore TERM', async () => {
    const probe = await startApp(app(`sh -c 'trap "" TERM; sleep 62.5; sleep 62.5' & echo '{"ready":"probe"}'; wait`));
    expect((await marked('sleep 62.5')).length).toBeGreaterThan(0);
    await probe.stop();
    expect(groupIsAlive(probe.pid)).toBe(false);
    expect(await marked('sleep 62.5')).toEqual([]);
  });

  it('leaves nothing when the process that started it is killed with -9', { timeout: 30_000 }, async () => {
    const source = join(import.meta.dirname, 'managed-process.ts');
    const script = `const { startProcess } = await import(${JSON.stringify(source)});
      await startProcess({ command: 'sh', args: ['-c', 'sleep 63.75 & wait'] });
      setTimeout(() => process.kill(process.pid, 'SIGKILL'), 500);`;
    await run(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script], {
      cwd: import.meta.dirname,
    }).catch(() => undefined);
    await vi.waitFor(async () => expect(await marked('sleep 63.75')).toEqual([]), { timeout: 8_000, interval: 100 });
  });
});

describe('supervise', () => {
  const backoff = { first: 20, longest: 100, calmMs: 60_000 };

  it('starts a part again after kill -9, until it is stopped', async () => {
    const reporter = recorder();
    const supervised = await supervise({
      name: 'probe',
      reporter,
      backoff,
      start: () => startApp(app(`echo '{"ready":"probe"}'; sleep 64.5`)),
    });
    const { pid } = supervised.current();
    process.kill(pid, 'SIGKILL');
    await vi.waitFor(() => expect(supervised.current().pid).not.toBe(pid), { timeout: 5_000 });
    await supervised.stop();
    expect(groupIsAlive(supervised.current().pid)).toBe(false);
    expect(await marked('sleep 64.5')).toEqual([]);
    expect(reporter.lines).toEqual(['probe ended (SIGKILL); it is started again', 'probe runs again']);
  });

  it('keeps trying when a restart fails', async () => {
    const reporter = recorder();
    let starts = 0;
    const start = () => {
      starts += 1;
      return startApp(app(starts === 2 ? 'exit 7' : `echo '{"ready":"probe"}'; sleep 64.5`));
    };
    const supervised = await supervise({ name: 'probe', reporter, backoff, start });
    process.kill(supervised.current().pid, 'SIGKILL');
    await vi.waitFor(() => expect(starts).toBe(3), { timeout: 5_000 });
    await vi.waitFor(() => expect(reporter.lines.at(-1)).toBe('probe runs again'), { timeout: 5_000 });
    expect(reporter.lines.some((line) => line.includes('exit 7'))).toBe(true);
    await supervised.stop();
  });

  it('rejects when the first start fails', async () => {
    await expect(
      supervise({ name: 'probe', reporter: recorder(), backoff, start: () => startApp(app('exit 1')) }),
    ).rejects.toThrow(/exit 1/);
  });
});
