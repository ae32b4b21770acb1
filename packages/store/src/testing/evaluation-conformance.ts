import type { EvaluationRecord } from '@cua-forge/spec/evaluation';
import { expect, it } from 'vitest';
import type { ConformanceContext } from './conformance-context.ts';
import { uniqueId } from './samples.ts';

const sample = (createdAt: number): EvaluationRecord => ({
  ...{ id: uniqueId('evaluation'), title: 'Two versions', documentId: 'sum', seed: 3, count: 20, by: 'ann', createdAt },
  variants: [
    { revision: 1, model: null, batchId: uniqueId('batch') },
    { revision: 2, model: 'anthropic', batchId: uniqueId('batch') },
  ],
});

export function evaluationConformance({ pair }: ConformanceContext): void {
  it('keeps evaluations, the newest first; one that is there stays as it is', async () => {
    const { one, two } = pair();
    const [old, recent] = [sample(8e12), sample(9e12)];
    for (const record of [old, recent, { ...old, title: 'again' }]) await one.meta.createEvaluation(record);
    expect(await two.meta.listEvaluations(2)).toEqual([recent, old]);
    expect(await two.meta.getEvaluation(old.id)).toEqual(old);
    expect(await two.meta.getEvaluation(uniqueId('none'))).toBeNull();
  });
}
