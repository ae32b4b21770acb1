import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { BatchPart } from './batch-part.ts';
import { batchRunId, indexOfBatchRun, placeInBatch } from './batch-parts.ts';

const partOf = (documentId: string, count: number, seed: number): BatchPart => ({
  documentId,
  documentHash: '',
  planHash: '',
  title: documentId,
  skill: documentId,
  inputs: {},
  count,
  seed,
});
const batchOf = (...parts: BatchPart[]) => ({ parts, count: parts.reduce((sum, { count }) => sum + count, 0) });

describe('places in a batch', () => {
  it('take turns; what is left goes to the longer parts', () => {
    const batch = batchOf(partOf('a', 1, 5), partOf('b', 3, 9), partOf('c', 2, 1));
    const places = Array.from({ length: 6 }, (_, index) => placeInBatch(batch, index));
    expect(places.map(({ part, seed }) => `${part.documentId}${seed}`)).toEqual(['a5', 'b9', 'c1', 'b10', 'c2', 'b11']);
    expect(() => placeInBatch(batch, 6)).toThrow(RangeError);
  });

  it('give each part its seeds, each once, in order', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1, maxLength: 6 }), (counts) => {
        const batch = batchOf(...counts.map((count, index) => partOf(`p${index}`, count, index * 100)));
        const seeds: Record<string, number[]> = {};
        for (let index = 0; index < batch.count; index++) {
          const { part, seed } = placeInBatch(batch, index);
          seeds[part.documentId] = [...(seeds[part.documentId] ?? []), seed];
        }
        for (const part of batch.parts)
          expect(seeds[part.documentId]).toEqual(Array.from({ length: part.count }, (_, index) => part.seed + index));
      }),
    );
  });

  it('are found from the id of a run', () => {
    expect(indexOfBatchRun(batchRunId('b-7-x', 1_234))).toBe(1_234);
  });
});
