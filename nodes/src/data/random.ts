import { createHash } from 'node:crypto';
import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plusFromState } from 'pure-rand/generator/xoroshiro128plus';

/** Seeded random choices, the same on every machine. */
export interface Random {
  /** Integer from `from` to `to`, both included. */
  integer(from: number, to: number): number;
  /** Number in [0, 1) with 32 bits. */
  fraction(): number;
  chance(probability: number): boolean;
  pick<T>(options: readonly [T, ...T[]]): T;
  /** Index drawn by weight; the weights are not negative and one is positive. */
  weighted(weights: readonly number[]): number;
  shuffle<T>(list: readonly T[]): T[];
  /** `count` members in their own order. */
  subset<T>(list: readonly T[], count: number): T[];
  /** 32-bit seed for something that has a generator of its own. */
  seed(): number;
}

/** Generator of a named draw: independent of other names and of the order in which they are drawn. */
export function randomFrom(seed: number, name: string): Random {
  // The whole state comes from a hash: generators seeded with 32 bits start alike.
  const digest = createHash('sha256').update(`${seed}\n${name}`).digest();
  const generator = xoroshiro128plusFromState([0, 4, 8, 12].map((offset) => digest.readInt32LE(offset)));
  const integer = (from: number, to: number) => uniformInt(generator, from, to);
  const fraction = () => integer(0, 0xffffffff) / 0x1_0000_0000;
  const shuffle = <T>(list: readonly T[]): T[] => {
    const result = [...list];
    for (let last = result.length - 1; last > 0; last -= 1) {
      const other = integer(0, last);
      [result[last], result[other]] = [result[other] as T, result[last] as T];
    }
    return result;
  };
  return {
    integer,
    fraction,
    chance: (probability) => fraction() < probability,
    pick: ([first, ...others]) => {
      const index = integer(0, others.length);
      return index === 0 ? first : (others[index - 1] ?? first);
    },
    weighted(weights) {
      let rest = fraction() * weights.reduce((sum, weight) => sum + weight, 0);
      const index = weights.findIndex((weight) => {
        rest -= weight;
        return rest < 0;
      });
      return index >= 0 ? index : weights.findLastIndex((weight) => weight > 0);
    },
    shuffle,
    subset(list, count) {
      const chosen = new Set(shuffle(list.map((_, index) => index)).slice(0, count));
      return list.filter((_, index) => chosen.has(index));
    },
    seed: () => integer(-0x8000_0000, 0x7fff_ffff),
  };
}
