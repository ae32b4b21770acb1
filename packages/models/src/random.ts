import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64';
import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';

/** Seeded draws; the same seed gives the same draws on every machine. */
export interface Random {
  /** Whole number between the bounds, both included. */
  integer(from: number, to: number): number;
  /** Number in [0, 1). */
  fraction(): number;
  /** @throws RangeError for an empty list */
  pick<T>(list: readonly T[]): T;
}

/** The generator takes its state from the seed as it is: neighbouring seeds would draw neighbouring numbers at first. */
function spread(seed: number): number {
  let mixed = seed | 0;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) | 0;
}

export function seededRandom(seed: number): Random {
  const generator = xoroshiro128plus(spread(seed + 0x9e3779b9));
  const integer = (from: number, to: number) => uniformInt(generator, from, to);
  return {
    integer,
    fraction: () => uniformFloat64(generator),
    pick<T>(list: readonly T[]): T {
      if (list.length === 0) throw new RangeError('There is nothing to pick from.');
      return list[integer(0, list.length - 1)] as T;
    },
  };
}
