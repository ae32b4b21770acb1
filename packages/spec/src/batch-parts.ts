import type { BatchPart } from './batch-part.ts';
import type { BatchRecord } from './store-port.ts';

export interface PlaceInBatch {
  part: BatchPart;
  seed: number;
}

/**
 * Which document a run of a batch runs, and with which seed: the parts take turns, so that a batch that is stopped has made some of each.
 * Throws RangeError for an index that the batch does not have.
 */
export function placeInBatch({ parts, count }: Pick<BatchRecord, 'parts' | 'count'>, index: number): PlaceInBatch {
  let taken = 0;
  let rest = index;
  let left = parts.filter((part) => part.count > 0);
  while (left.length > 0) {
    // So many rounds go by before the smallest of the parts is used up.
    const rounds = Math.min(...left.map((part) => part.count)) - taken;
    const part = left[rest % left.length];
    if (part !== undefined && rest < rounds * left.length)
      return { part, seed: part.seed + taken + Math.floor(rest / left.length) };
    rest -= rounds * left.length;
    taken += rounds;
    left = left.filter((one) => one.count > taken);
  }
  throw new RangeError(`The batch has ${count} runs and none of index ${index}.`);
}

export const batchRunId = (batchId: string, index: number): string => `${batchId}-${index}`;

/** Index of a run in its batch. */
export const indexOfBatchRun = (runId: string): number => Number(runId.slice(runId.lastIndexOf('-') + 1));
