import { HiddenAnswers, RequiredFile, TaskSpecification } from '@cua-forge/spec/task';
import { runKind } from '@cua-forge/testing/run-kind';
import { describe, expect, it } from 'vitest';
import { summarize } from './summarize.node.ts';
import { roundTo } from './summary/groups.ts';
import { outcomeBuilders } from './summary/outcomes.ts';

async function task(kind: string, seed: number) {
  const outputs = await runKind(summarize, { seed, inputs: { ...summarize.example.inputs, kind } });
  return {
    outcome: TaskSpecification.shape.outcome.parse(outputs.outcome),
    file: RequiredFile.parse(outputs.file),
    hidden: HiddenAnswers.parse(outputs.hidden),
  };
}

describe('data.summarize', () => {
  it('computes totals by month and keeps them out of what is public', async () => {
    for (let seed = 0; seed < 12; seed += 1) {
      const { outcome, file, hidden } = await task('totals', seed);
      const answers = hidden.answers.map(({ value }) => value);
      expect(answers.slice(0, 3)).toEqual([30, 30, 40]);
      expect(JSON.stringify(outcome)).not.toMatch(/\b(30|40|100)\b/);
      expect(file).not.toEqual(hidden.expected[0]);
      expect(hidden.expected[0]?.path).toBe(file.path);
    }
  });

  it('names every place that the user has to know', async () => {
    for (let seed = 0; seed < 12; seed += 1) {
      const { outcome } = await task('ranked', seed);
      expect(outcome.mentions).toEqual(
        expect.arrayContaining(['orders.xlsx', 'Amount', 'Rank', 'Month', 'Total Amount']),
      );
      expect(new Set(outcome.requirements.map(({ id }) => id)).size).toBe(outcome.requirements.length);
    }
  });

  it('works out every kind, and refuses one that it does not know', async () => {
    for (const kind of Object.keys(outcomeBuilders).filter((each) => each !== 'two-measures')) {
      const { outcome, hidden } = await task(kind, 5);
      expect(outcome.summary, kind).toMatch(/^orders\.xlsx has a summary that shows .*\.$/);
      expect(hidden.answers.length, kind).toBeGreaterThan(0);
    }
    await expect(task('guess', 1)).rejects.toThrow(/no summary of kind “guess”/);
  });
});

describe('roundTo', () => {
  it('rounds halves as spreadsheets do', () => {
    expect([
      roundTo(1.005, 2),
      roundTo(2.345, 2),
      roundTo(-2.345, 2),
      roundTo(0.1 + 0.2, 2),
      roundTo(1e-9, 2),
      roundTo(-0.001, 2),
    ]).toEqual([1.01, 2.35, -2.35, 0.3, 0, 0]);
  });
});
