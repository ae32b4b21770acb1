import { baseName } from '@cua-forge/spec/required-file';
import { describe, expect, it } from 'vitest';
import { taskGenerator } from '../../scripts/lib/generate-task.ts';
import { shapeWords } from './file-shape.ts';
import { jaccard, maskedWords, shingles } from './mask.ts';
import { diversityOf, NEAR, type PackageView } from './measure.ts';

const view = (id: string, instruction: string, outcome = 'totals', layout = 'plain'): PackageView => ({
  id,
  instruction,
  outcome,
  traits: { layout, data: id },
  shape: ['sheet', 'row', 'text', 'number', 'row'],
});

describe('masking', () => {
  it('makes texts equal that differ in names and numbers alone', () => {
    const first = 'Hi, Dana Reyes here. Put the 12.5% of “North” into Sales!B4 of orders.xlsx by 2024-03-01.';
    const second = 'Hi, Ben Ode here. Put the 7% of “Far West” into Costs!AA19 of my_costs.xlsx by 2025-12-31.';
    expect(maskedWords(first)).toEqual(maskedWords(second));
    expect(maskedWords(first)).not.toEqual(maskedWords('Hi, Dana Reyes here. Give me the 12.5% of “North”.'));
  });

  it('compares texts by what they have in common', () => {
    const words = 'a b c d e f'.split(' ');
    expect(jaccard(shingles(words), shingles(words))).toBe(1);
    expect(jaccard(shingles(words), shingles('x y z u v w'.split(' ')))).toBe(0);
    expect(jaccard(shingles(words), shingles('a b c d e x'.split(' ')))).toBeCloseTo(3 / 5);
  });
});

describe('diversityOf', () => {
  it('finds packages that are the same but for names and numbers', () => {
    const report = diversityOf([
      view('a', 'Please add up the amounts of Orders by month for Ann and show 12 rows on a new sheet.'),
      view('b', 'Please add up the amounts of Payments by month for Zoë and show 31 rows on a new sheet.'),
      view('c', 'Which region sold most? Mark it in the table, and leave everything else alone please.', 'top', 'wide'),
    ]);
    expect(report).toMatchObject({ packages: 3, outcomes: 2, combinations: 2, nearDuplicates: 1 });
    expect(report.nearDuplicateShare).toBeCloseTo(1 / 3);
    expect(report.closest).toMatchObject({ a: 'a', b: 'b' });
    expect(report.closest?.similarity).toBeGreaterThanOrEqual(NEAR);
  });
});

describe.each(['calc-monthly-summary', 'calc-conditional-formatting', 'calc-cross-sheet-lookup'])('%s', (skill) => {
  it('gives twelve packages that differ in outcome, structure and layout, and none nearly twice', async () => {
    const generate = taskGenerator(skill);
    const views: PackageView[] = [];
    for (let seed = 1; seed <= 12; seed += 1) {
      const { pack, spec, instruction, prepared } = await generate(seed);
      const shape: string[] = [];
      for (const { id, path } of spec.files) shape.push(...(await shapeWords(baseName(path), prepared(id))));
      const { outcome, traits } = pack.manifest;
      views.push({ id: pack.manifest.id, instruction, outcome: outcome.kind, traits, shape });
    }
    const report = diversityOf(views);
    expect(report.combinations).toBeGreaterThanOrEqual(11);
    expect(report.outcomes).toBeGreaterThanOrEqual(6);
    expect(report.nearDuplicates).toBe(0);
  }, 240_000);
});
