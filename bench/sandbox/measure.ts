import { setTimeout as sleep } from 'node:timers/promises';
import type { BenchmarkResult } from '../benchmark.ts';

/** Value below which this share of the values lies. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}

export async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** Milliseconds after which the machine has done with what an earlier call has left to do, such as the end of a process of Docker's. */
export const settle = (): Promise<void> => sleep(200);

/** Our calls and theirs by turns, so that both see the same machine; none pays for what another has left. `next` comes right after each of ours. */
export async function byTurns(
  count: number,
  ours: () => Promise<unknown>,
  theirs: () => Promise<unknown>,
  next: () => Promise<unknown> = async () => undefined,
) {
  const mine: number[] = [];
  const other: number[] = [];
  for (let turn = 0; turn < count; turn++) {
    await settle();
    mine.push(await timed(ours));
    await next();
    await settle();
    other.push(await timed(theirs));
  }
  return { mine, other };
}

/** `NAME.p50` and `NAME.p95` in ms, with what they were measured against. The aim is one of the p95. */
export function results(name: string, aim: string, mine: number[], other: number[] | null): BenchmarkResult[] {
  return [0.5, 0.95].map((share) => {
    const value = percentile(mine, share);
    const against = other === null ? null : percentile(other, share);
    return {
      metric: `${name}.p${share * 100}`,
      value,
      unit: 'ms',
      against,
      ratio: against === null ? null : against / value,
      aim: share === 0.95 ? aim : '–',
    };
  });
}

export const single = (metric: string, value: number, unit: string, aim = '–'): BenchmarkResult => ({
  metric,
  value,
  unit,
  against: null,
  ratio: null,
  aim,
});
