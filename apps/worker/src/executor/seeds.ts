import { hash } from 'node:crypto';

/** 32-bit seed of a node: from the run's seed and its path, the same in every round, iteration and attempt, and another for each map item. */
export function seedOf(runSeed: number, key: string): number {
  const stable = key.replaceAll(/#\d+/g, '#');
  return hash('sha256', `${runSeed}\n${stable}`, 'buffer').readUInt32BE(0);
}
