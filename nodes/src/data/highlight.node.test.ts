import { HiddenAnswers, RequiredFile, TaskSpecification } from '@cua-forge/spec/task';
import { runKind } from '@cua-forge/testing/run-kind';
import { describe, expect, it } from 'vitest';
import { ruleBuilders } from './highlight/plan-highlight.ts';
import { highlight } from './highlight.node.ts';

const run = async (kinds: string[], seed: number) => {
  const inputs = { ...highlight.example.inputs, kinds };
  const outputs = await runKind(highlight, { inputs, seed });
  return {
    outcome: TaskSpecification.shape.outcome.parse(outputs.outcome),
    file: RequiredFile.parse(outputs.file),
    hidden: HiddenAnswers.parse(outputs.hidden),
  };
};
const seeds = Array.from({ length: 30 }, (_, index) => index + 1);

describe('data.highlight', () => {
  it('says in words what the expected rules do, and keeps the rows they highlight hidden', async () => {
    for (const seed of seeds) {
      const { outcome, hidden } = await run(['threshold'], seed);
      const rule = outcome.requirements.find(({ id }) => id === 'rule-1')?.text ?? '';
      const [, how = '', wanted = ''] = /Amount is (above|at least|below|at most) (\S+)\.$/.exec(rule) ?? [];
      if (how === '') {
        expect(rule).toContain('the limit in cell F1');
        continue;
      }
      const amounts = [10, 20, 30, 40];
      const tests: Record<string, (value: number) => boolean> = {
        above: (value) => value > Number(wanted),
        'at least': (value) => value >= Number(wanted),
        below: (value) => value < Number(wanted),
        'at most': (value) => value <= Number(wanted),
      };
      const rows = amounts.flatMap((value, index) => (tests[how]?.(value) ? [index + 2] : []));
      expect(hidden.answers).toEqual([{ label: 'highlighted by rule 1', value: `rows ${rows.join(', ')}` }]);
      expect(outcome.summary).not.toContain('rows');
    }
  });

  it('starts without, with outdated, kept or short rules, and always ends with the asked ones first', async () => {
    const starts = new Set<string>();
    for (const seed of seeds) {
      const { outcome, file, hidden } = await run(['equals', 'average', 'extreme'], seed);
      const [solved] = hidden.expected;
      if (file.type !== 'xlsx' || solved?.type !== 'xlsx') throw new Error('no workbook');
      const [before, after] = [file.content, solved.content].map((book) => book.sheets[0]?.conditionalFormats ?? []);
      const asked = outcome.requirements
        .filter(({ id }) => id.startsWith('rule-'))
        .filter(({ id }) => id !== 'rules-before');
      const start = outcome.kind.split('; ').at(-1) ?? '';
      starts.add(start);
      expect(after?.length).toBe(asked.length + (start === 'a rule to keep' ? 1 : 0));
      expect(before?.length).toBe(start === 'without rules' ? 0 : start === 'rules that stop short' ? asked.length : 1);
      expect(after).not.toEqual(before);
    }
    expect([...starts].sort()).toEqual(['a rule to keep', 'a rule to replace', 'without rules']);
  });

  it('names the kinds it knows, and says when none fits', async () => {
    await expect(run(['rainbow'], 1)).rejects.toThrow(/rainbow.*/);
    await expect(run(['rainbow'], 1)).rejects.toMatchObject({ fix: expect.stringContaining('threshold') });
    expect(Object.keys(ruleBuilders).length).toBeGreaterThanOrEqual(12);
    const text = { name: 'Name', type: 'text' };
    const sheet = {
      name: 'Orders',
      notes: {},
      headerRow: 1,
      firstColumn: 1,
      style: {},
      columns: [text],
      rows: [['a'], ['b']],
    };
    const inputs = { ...highlight.example.inputs, kinds: ['average'], workbook: { sheets: [sheet] } };
    await expect(runKind(highlight, { inputs })).rejects.toMatchObject({ code: 'input.invalid' });
  });
});
