import { HiddenAnswers, RequiredFile, TaskSpecification } from '@cua-forge/spec/task';
import { runKind } from '@cua-forge/testing/run-kind';
import { describe, expect, it } from 'vitest';
import { lookupBuilders } from './lookup/plan-lookup.ts';
import { lookup } from './lookup.node.ts';

async function run(kinds: string[], seed: number) {
  const outputs = await runKind(lookup, { inputs: { ...lookup.example.inputs, kinds }, seed });
  const hidden = HiddenAnswers.parse(outputs.hidden);
  const [solved] = hidden.expected;
  const given = RequiredFile.parse(outputs.file);
  if (given.type !== 'xlsx' || solved?.type !== 'xlsx') throw new Error('no workbook');
  return {
    outcome: TaskSpecification.shape.outcome.parse(outputs.outcome),
    hidden,
    given: given.content,
    solved: solved.content,
  };
}

describe('data.lookup', () => {
  it('gives each key of the reference sheet the sum of its rows', async () => {
    const { solved, given, outcome, hidden } = await run(['sum-by-key'], 4);
    const reference = solved.sheets.find(({ name }) => name !== 'Orders');
    const at = reference?.columns.findIndex(({ name }) => name === 'Total Amount') ?? -1;
    const sums = new Map(reference?.rows.map((row) => [row[0], row[at]]));
    expect(sums.get('North')).toMatchObject({
      result: 40,
      formula: expect.stringMatching(/^ROUND\(SUMIFS\(Orders!\$C\$2:\$C\$5,Orders!\$B\$2:\$B\$5,[A-Z]\d+\),2\)$/),
    });
    expect(sums.get('South')).toMatchObject({ result: 60 });
    expect(outcome.mentions).toEqual(expect.arrayContaining(['Region', 'Total Amount', 'Amount']));
    expect(hidden.answers.map(({ value }) => value)).toEqual(expect.arrayContaining([40, 60]));
    const filled = given.sheets
      .flatMap(({ rows }) => rows.flat())
      .filter((cell) => typeof cell === 'object' && cell !== null);
    expect(filled).toEqual([]);
  });

  it('takes a lower limit as a part of its band', async () => {
    const amounts = [0, 10, 20, 30, 40, 50, 60, 70];
    const name = 'Orders';
    const sheet = {
      name,
      notes: {},
      headerRow: 1,
      firstColumn: 1,
      style: {},
      columns: [
        { name: 'Region', type: 'text' },
        { name: 'Amount', type: 'number' },
      ],
      rows: amounts.map((amount) => ['North', amount]),
    };
    const inputs = { ...lookup.example.inputs, kinds: ['bands'], workbook: { sheets: [sheet] } };
    const { expected } = HiddenAnswers.parse((await runKind(lookup, { inputs, seed: 2 })).hidden);
    const [file] = expected;
    const sheets = file?.type === 'xlsx' ? file.content.sheets : [];
    const bands = sheets.find((each) => each.name !== name)?.rows ?? [];
    const results = sheets.find((each) => each.name === name)?.rows.map((row) => row[2]) ?? [];
    const limit = Number(bands[1]?.[0]);
    expect(amounts).toContain(limit);
    expect(results[amounts.indexOf(limit)]).toMatchObject({ result: bands[1]?.[1] });
    expect(results[amounts.indexOf(limit) - 1]).toMatchObject({ result: bands[0]?.[1] });
  });

  it('breaks lookups that are to be repaired, and never shows a result before', async () => {
    for (const seed of [1, 2, 3, 4, 5, 6, 7, 8]) {
      const { given, solved, outcome } = await run(['repair'], seed).catch(() => run(['attribute'], seed));
      const cells = (book: typeof given) =>
        book.sheets.find(({ name }) => name === 'Orders')?.rows.map((row) => row.at(-1));
      expect(cells(given), outcome.kind).not.toEqual(cells(solved));
      expect(
        cells(solved)?.every((cell) => typeof cell === 'object' && cell !== null && cell.result !== undefined),
      ).toBe(true);
    }
  });

  it('names the kinds it knows', async () => {
    await expect(run(['guess'], 1)).rejects.toMatchObject({ fix: expect.stringContaining('missing-keys') });
    expect(Object.keys(lookupBuilders).length).toBeGreaterThanOrEqual(12);
  });
});
