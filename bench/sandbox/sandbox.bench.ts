import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { dockerProvider } from '@cua-forge/sandbox/docker/docker-provider';
import { loadSandboxSettings } from '@cua-forge/sandbox/settings';
import { WarmPool } from '@cua-forge/sandbox/warm-pool';
import type { Sandbox } from '@cua-forge/spec/sandbox-port';
import type { Benchmark, BenchmarkResult } from '../benchmark.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../..');

/** Value below which this share of the values lies. */
function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** Our calls and theirs by turns, so that both see the same machine. */
async function byTurns(count: number, ours: () => Promise<unknown>, theirs: () => Promise<unknown>) {
  const mine: number[] = [];
  const other: number[] = [];
  for (let turn = 0; turn < count; turn++) {
    mine.push(await timed(ours));
    other.push(await timed(theirs));
  }
  return { mine, other };
}

function results(name: string, aims: [string, string], mine: number[], other: number[] | null): BenchmarkResult[] {
  return ([0.5, 0.95] as const).map((share, index) => {
    const value = percentile(mine, share);
    const against = other === null ? null : percentile(other, share);
    return {
      metric: `${name}.p${share * 100}`,
      value,
      unit: 'ms',
      against,
      ratio: against === null ? null : against / value,
      aim: aims[index] ?? '',
    };
  });
}

/** Memory that the container's processes use, in megabytes, from its control group; null where that cannot be read. */
async function memoryOf(sandbox: Sandbox): Promise<number | null> {
  const { stdout } = await run('docker', ['inspect', '-f', '{{.Id}}', `cua-forge-${sandbox.id}`]);
  const id = stdout.trim();
  for (const file of [
    `/sys/fs/cgroup/memory/docker/${id}/memory.stat`,
    `/sys/fs/cgroup/system.slice/docker-${id}.scope/memory.stat`,
  ]) {
    const text = await readFile(file, 'utf8').catch(() => null);
    const used = /^(?:total_rss|anon) (\d+)$/m.exec(text ?? '')?.[1];
    if (used !== undefined) return Number(used) / 1e6;
  }
  return null;
}

/** Desktops with Docker: how long they take to be ready, to be reset, to click and to show; beside `docker exec` with xdotool and scrot. */
export const sandboxBenchmark: Benchmark = {
  name: 'sandbox',
  async run(report, { pairs, only }) {
    const provider = dockerProvider(loadSandboxSettings(process.env, root));
    const wanted = (name: string): boolean => name.includes(only);
    const found: BenchmarkResult[] = [];
    const starts = Math.max(3, pairs);
    if (wanted('ready')) {
      const times: number[] = [];
      for (let turn = 0; turn < starts; turn++) {
        let made: Sandbox | undefined;
        times.push(
          await timed(async () => {
            made = await provider.start();
          }),
        );
        await made?.close();
        report(`ready: ${turn + 1} of ${starts}, ${times.at(-1)?.toFixed(0)} ms`);
      }
      found.push(...results('ready', ['≤ 700', '≤ 700'], times, null));
    }
    if (wanted('reset')) {
      const cold = new WarmPool(provider, { size: 0 });
      const times: number[] = [];
      let desk = await provider.start();
      for (let turn = 0; turn < starts; turn++) {
        times.push(
          await timed(async () => {
            desk = await cold.reset(desk);
          }),
        );
        report(`reset: ${turn + 1} of ${starts}, ${times.at(-1)?.toFixed(0)} ms`);
      }
      await desk.close();
      found.push(...results('reset', ['≤ 400', '≤ 400'], times, null));
    }
    const desk = await provider.start();
    try {
      const inside = (...command: string[]) =>
        run('docker', ['exec', '-e', 'DISPLAY=:0', `cua-forge-${desk.id}`, ...command]);
      const count = Math.max(20, pairs * 4);
      if (wanted('click')) {
        report(`click: ${count} by turns with docker exec xdotool`);
        let at = 0;
        const { mine, other } = await byTurns(
          count,
          () => desk.click({ x: 100 + (at++ % 50), y: 100 }),
          () => inside('xdotool', 'mousemove', '100', '100', 'click', '1'),
        );
        found.push(...results('click', ['≤ 1', '≤ 1'], mine, other));
      }
      await desk.launch(['soffice', '--calc', '--norestore']);
      await desk.waitForWindow({ title: 'Calc' }, { timeoutMs: 120_000 });
      await desk.waitForStill({ timeoutMs: 120_000 });
      if (wanted('screenshot')) {
        report(`screenshot: ${count} of 1920 x 1080 with Calc, by turns with docker exec scrot`);
        const { mine, other } = await byTurns(
          count,
          () => desk.screenshot(),
          () => inside('scrot', '--overwrite', '/tmp/shot.png'),
        );
        found.push(...results('screenshot', ['≤ 60', '≤ 60'], mine, other));
      }
      const memory = await memoryOf(desk);
      if (wanted('memory') && memory !== null)
        found.push({ metric: 'memory.calc', value: memory, unit: 'MB', against: null, ratio: null, aim: '≤ 300' });
    } finally {
      await desk.close();
    }
    return found;
  },
};
