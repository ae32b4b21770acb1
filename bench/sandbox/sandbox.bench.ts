import { join } from 'node:path';
import { dockerProvider } from '@cua-forge/sandbox/docker/docker-provider';
import { loadSandboxSettings } from '@cua-forge/sandbox/settings';
import { WarmPool } from '@cua-forge/sandbox/warm-pool';
import type { Sandbox, SandboxProvider } from '@cua-forge/spec/sandbox-port';
import type { Benchmark, BenchmarkResult } from '../benchmark.ts';
import { density, proofs, setups } from './episodes.ts';
import { bareContainer, memoryOf, run } from './machine.ts';
import { byTurns, results, settle, single, timed } from './measure.ts';

const root = join(import.meta.dirname, '../..');
/** Clicks after one another, the first of them after a rest. */
const series = 25;
const sentence = 'The quick brown fox, 42 %';

/** From the request to a desktop that answers, beside a container in which nothing but `sleep` starts. */
async function ready(provider: SandboxProvider, count: number, report: (line: string) => void) {
  const mine: number[] = [];
  const bare: number[] = [];
  for (let turn = 0; turn < count; turn += 1) {
    let made: Sandbox | undefined;
    await settle();
    mine.push(
      await timed(async () => {
        made = await provider.start();
      }),
    );
    const image = made?.info.image ?? '';
    await made?.close();
    await settle();
    let end: (() => Promise<unknown>) | undefined;
    bare.push(
      await timed(async () => {
        end = await bareContainer(image, turn);
      }),
    );
    await end?.();
    report(
      `ready: ${turn + 1} of ${count}, ${mine.at(-1)?.toFixed(0)} ms, bare container ${bare.at(-1)?.toFixed(0)} ms`,
    );
  }
  return results('ready', '≤ 700', mine, bare);
}

/** From a used desktop to another that nobody has used. `size`: how many the pool keeps ready; between two resets it has the time to make the next ready. */
async function reset(
  provider: SandboxProvider,
  { name, size, count }: { name: string; size: number; count: number },
  report: (line: string) => void,
) {
  const pool = new WarmPool(provider, { size });
  const times: number[] = [];
  let desk = await pool.take();
  for (let turn = 0; turn < count; turn += 1) {
    await pool.settled();
    await settle();
    times.push(
      await timed(async () => {
        desk = await pool.reset(desk);
        await desk.windows();
      }),
    );
    report(`${name}: ${turn + 1} of ${count}, ${times.at(-1)?.toFixed(0)} ms`);
  }
  await desk.close();
  await pool.close();
  return results(name, '≤ 400', times, null);
}

async function input(desk: Sandbox, count: number, wanted: (name: string) => boolean, report: (line: string) => void) {
  const inside = (...command: string[]) =>
    run('docker', ['exec', '-e', 'DISPLAY=:0', `cua-forge-${desk.id}`, ...command]);
  const found: BenchmarkResult[] = [];
  if (wanted('click')) {
    report(`click: ${count} series of ${series} by turns with docker exec xdotool`);
    let at = 0;
    const click = () => desk.click({ x: 100 + (at++ % 50), y: 100 });
    const following: number[] = [];
    const { mine, other } = await byTurns(
      count,
      click,
      () => inside('xdotool', 'mousemove', '100', '100', 'click', '1'),
      async () => {
        for (let turn = 1; turn < series; turn += 1) following.push(await timed(click));
      },
    );
    found.push(...results('click', '≤ 1', [...mine, ...following], other));
    found.push(...results('click.rested', '–', mine, other));
  }
  const memory = await memoryOf(desk);
  if (wanted('memory') && memory !== null) found.push(single('memory.empty', memory, 'MB'));
  await desk.launch(['soffice', '--calc', '--norestore']);
  await desk.waitForWindow({ title: 'Calc' }, { timeoutMs: 120_000 });
  await desk.waitForStill({ timeoutMs: 120_000 });
  const withCalc = await memoryOf(desk);
  if (wanted('memory') && withCalc !== null) found.push(single('memory.calc', withCalc, 'MB', '≤ 300'));
  if (wanted('screenshot')) {
    report(`screenshot: ${count} of 1920 x 1080 with Calc, by turns with docker exec scrot`);
    const { mine, other } = await byTurns(
      count,
      () => desk.screenshot(),
      () => inside('scrot', '--overwrite', '/tmp/shot.png'),
    );
    found.push(...results('screenshot', '≤ 60', mine, other));
  }
  if (wanted('type')) {
    const turns = Math.max(5, Math.round(count / 4));
    report(`type: ${turns} times ${sentence.length} characters into a cell, by turns with docker exec xdotool`);
    const { mine, other } = await byTurns(
      turns,
      () => desk.type(sentence, { delayMs: 2 }),
      () => inside('xdotool', 'type', '--delay', '2', sentence),
    );
    found.push(...results('type', '–', mine, other));
  }
  return found;
}

/** Desktops with Docker: how long they take to be ready, to be reset, to click, to type and to show, beside `docker run`, and `docker exec` with xdotool and scrot; what they hold; and how many there can be. */
export const sandboxBenchmark: Benchmark = {
  name: 'sandbox',
  async run(report, { pairs, only }) {
    const settings = loadSandboxSettings(process.env, root);
    settings.hosts = settings.hosts.map(({ url }) => ({ url, limit: 32 }));
    const provider = dockerProvider(settings);
    const wanted = (name: string): boolean => name.includes(only);
    const found: BenchmarkResult[] = [];
    const starts = Math.max(3, pairs * 2);
    if (wanted('ready')) found.push(...(await ready(provider, starts, report)));
    if (wanted('reset')) {
      found.push(...(await reset(provider, { name: 'reset', size: 1, count: starts }, report)));
      found.push(...(await reset(provider, { name: 'reset.cold', size: 0, count: starts }, report)));
    }
    if (['click', 'type', 'screenshot', 'memory'].some(wanted)) {
      const desk = await provider.start();
      try {
        found.push(...(await input(desk, Math.max(20, pairs * 8), wanted, report)));
      } finally {
        await desk.close();
      }
    }
    if (wanted('setup') || only.startsWith('setup')) found.push(...(await setups(settings, report, wanted)));
    if (wanted('proofs.per.minute')) found.push(...(await proofs(2, report)));
    if (wanted('density')) found.push(await density(provider, 8, report));
    return found;
  },
};
