import { HiddenAnswers, RequiredFile, TaskSpecification } from '@cua-forge/spec/task';
import { runKind } from '@cua-forge/testing/run-kind';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { money } from './reconcile/invoice-pages.ts';
import { reconciliations } from './reconcile/outcomes.ts';
import { reconcile } from './reconcile.node.ts';

const { workbook } = reconcile.example.inputs;

async function make(reconciliation: string, seed: number, from: unknown = workbook) {
  const inputs = { workbook: from, reconciliation, company: 'Alder & Finch', path: '/home/user/Documents/ledger.xlsx' };
  const outputs = await runKind(reconcile, { inputs, seed });
  const files = z.array(RequiredFile).parse(outputs.files);
  const [book] = files;
  const hidden = HiddenAnswers.parse(outputs.hidden);
  const solved = hidden.expected[0];
  if (book?.type !== 'xlsx' || solved?.type !== 'xlsx') throw new Error('no workbook');
  return {
    outcome: TaskSpecification.shape.outcome.parse(outputs.outcome),
    files,
    given: book.content,
    solved: solved.content,
    hidden,
    traits: z.record(z.string(), z.string()).parse(outputs.traits),
  };
}

describe('data.reconcile', () => {
  it.each(Object.keys(reconciliations))('makes a ledger and three PDFs for %s', async (wish) => {
    for (let seed = 1; seed <= 5; seed += 1) {
      const { outcome, files, given, solved, traits } = await make(wish, seed);
      expect(outcome.kind).toBe(wish);
      expect(files.map(({ id, type }) => `${id} ${type}`)).toEqual([
        'workbook xlsx',
        'invoices-1 pdf',
        'invoices-2 pdf',
        'invoices-3 pdf',
      ]);
      expect(new Set(files.map(({ path }) => path)).size).toBe(4);
      expect(given).not.toEqual(solved);
      expect(outcome.requirements.every(({ must }) => must)).toBe(true);
      expect(traits.sizes).toMatch(/^[12] not booked, [123] without invoice$/);
      const told = [outcome.summary, ...outcome.requirements.map(({ text }) => text)].join(' ');
      for (const mention of outcome.mentions) expect(told).toContain(mention);
    }
  });

  it('takes suppliers from the workbook where it has some, and makes them up where it has none', async () => {
    const names = (files: RequiredFile[]) => JSON.stringify(files);
    expect(names((await make('list of gaps', 3)).files)).toMatch(/Harrow Mills|Ortiz Logistics|Lund Catering/);
    const numbers = {
      sheets: [
        {
          name: 'N',
          notes: {},
          headerRow: 1,
          firstColumn: 1,
          style: {},
          columns: [{ name: 'Count', type: 'integer' }],
          rows: [[1], [2]],
        },
      ],
    };
    const { given } = await make('list of gaps', 3, numbers);
    expect(given.sheets.some((sheet) => sheet.rows.length >= 8)).toBe(true);
  });

  it('refuses what it cannot do by name', async () => {
    await expect(make('pay everything', 1)).rejects.toThrow(/no reconciliation called "pay everything"/);
  });
});

describe('amounts on invoices', () => {
  it.each([
    [1234567.5, 'EUR', 'sign', '€1,234,567.50'],
    [1234.5, 'GBP', 'code', '1,234.50 GBP'],
    [1234.5, 'EUR', 'continental', '1.234,50 EUR'],
    [12, 'USD', 'sign', '$12.00'],
  ] as const)('writes %d %s by %s', (value, currency, form, text) => {
    expect(money(value, currency, form)).toBe(text);
  });
});
