import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { writeXlsx } from '@cua-forge/preparers/write-xlsx';
import { findAnswerLeaks } from '@cua-forge/spec/answer-leaks';
import { kinds } from '@cua-forge/spec/kinds';
import type { Sheet, Workbook } from '@cua-forge/spec/task';
import { validateDocument } from '@cua-forge/spec/validate-document';
import { LibreOffice } from '@cua-forge/worker/office/libre-office';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type GeneratedTask, readSkill, taskGenerator } from '../../scripts/lib/generate-task.ts';
import { loadBook, readRows, type Seen, seenIn } from '../../scripts/lib/read-table.ts';
import { movedDown, rowsOfRule, rowsWhere, statedRule } from './second-computation.ts';

const skill = 'calc-conditional-formatting';
const office = resolve(import.meta.dirname, '../../../shared/data/office');
const soffice = ['/usr/bin/soffice', '/usr/local/bin/soffice'].find((path) => existsSync(path));

const Formats = z.array(
  z.looseObject({
    ref: z.string(),
    rules: z.array(
      z.looseObject({
        type: z.string(),
        priority: z.number(),
        operator: z.string().optional(),
        formulae: z.array(z.unknown()).optional(),
        rank: z.number().optional(),
        percent: z.boolean().optional(),
        bottom: z.boolean().optional(),
        aboveAverage: z.boolean().optional(),
      }),
    ),
  }),
);

function contentOf(task: GeneratedTask, which: 'given' | 'solved'): Workbook {
  const [file] = which === 'given' ? task.spec.files : task.hidden.expected;
  if (file?.type !== 'xlsx') throw new Error('no workbook');
  return file.content;
}

/** Rules of a sheet as a library reads them from the solved file, in order of priority. */
async function writtenRules(task: GeneratedTask, name: string) {
  const book = await loadBook(await writeXlsx(contentOf(task, 'solved')));
  const sheet = book.getWorksheet(name);
  const found: unknown = sheet !== undefined && 'conditionalFormattings' in sheet ? sheet.conditionalFormattings : [];
  return Formats.parse(found)
    .flatMap(({ ref, rules }) => rules.map((rule) => ({ ref, rule })))
    .sort((a, b) => a.rule.priority - b.rule.priority);
}

interface FormulaCase {
  label: string;
  sheet: Sheet;
  formulas: string[];
  expected: boolean[];
}

/** Compares words, file and hidden answers of a task; rules that are formulas are returned for LibreOffice to calculate. */
async function check(task: GeneratedTask): Promise<FormulaCase[]> {
  const stated = task.spec.outcome.requirements.filter(({ id }) => /^rule-\d$/.test(id));
  const content = contentOf(task, 'solved');
  const book = await loadBook(task.prepared('workbook'));
  const cases: FormulaCase[] = [];
  for (const [index, { text }] of stated.entries()) {
    const label = `seed ${task.seed}: ${text}`;
    const sheet = content.sheets.find(({ name }) => text.startsWith(`On the sheet ${name},`));
    if (sheet === undefined) throw new Error(`no sheet in ${label}`);
    const written = (await writtenRules(task, sheet.name))[index];
    const last = sheet.headerRow + sheet.rows.length;
    expect(written?.ref, label).toMatch(new RegExp(`^[A-Z]+${sheet.headerRow + 1}:[A-Z]+${last}$`));
    const rule = statedRule(text);
    if (rule === null || written === undefined) {
      expect(['dataBar', 'colorScale', 'iconSet'], label).toContain(written?.rule.type);
      continue;
    }
    const rows = readRows(book, sheet);
    const target = book.getWorksheet(sheet.name);
    const cellAt = (address: string): Seen => (target === undefined ? null : seenIn(target.getCell(address)));
    const hold = rowsWhere(rule.condition, rows, cellAt);
    const numbers = hold.flatMap((holds, row) => (holds ? [sheet.headerRow + 1 + row] : []));
    const answer = task.hidden.answers.find((each) => each.label === `highlighted by rule ${index + 1}`);
    expect(answer?.value, label).toBe(`rows ${numbers.join(', ')}`);
    expect(numbers.length, label).toBeGreaterThan(0);
    expect(numbers.length, label).toBeLessThan(rows.length);
    const { operator, formulae, rank, percent, bottom, aboveAverage } = written.rule;
    const plain = {
      type: written.rule.type,
      ...(operator === undefined ? {} : { operator }),
      ...(formulae === undefined ? {} : { formulae }),
      ...(rank === undefined ? {} : { rank }),
      ...(percent === undefined ? {} : { percent }),
      ...(bottom === undefined ? {} : { bottom }),
      ...(aboveAverage === undefined ? {} : { aboveAverage }),
    };
    const values = rows.map((row) => row[rule.column ?? ''] ?? null);
    const highlighted = rowsOfRule(plain, values, cellAt);
    if (highlighted !== undefined) expect(highlighted, label).toEqual(hold);
    else
      cases.push({
        label,
        sheet,
        formulas: rows.map((_, row) => movedDown(String(formulae?.[0]), row)),
        expected: hold,
      });
  }
  const given = contentOf(task, 'given');
  const bare = (workbook: Workbook) => workbook.sheets.map(({ conditionalFormats: _, ...sheet }) => sheet);
  expect(bare(given), `seed ${task.seed}`).toEqual(bare(content));
  expect(given, `seed ${task.seed}`).not.toEqual(content);
  expect(findAnswerLeaks(task.instruction, task.hidden.answers, task.spec.outcome.mentions)).toEqual([]);
  return cases;
}

/** Lets LibreOffice calculate the formulas of rules, all in one workbook: one sheet for each, the formulas in its last column. */
async function checkFormulas(cases: readonly FormulaCase[]): Promise<void> {
  const sheets = cases.map(({ sheet, formulas }, index): Sheet => {
    const { conditionalFormats: _, ...plain } = sheet;
    return {
      ...plain,
      name: `Case ${index + 1}`,
      columns: [...sheet.columns, { name: 'Rule', type: 'boolean' }],
      notes: Object.fromEntries(Object.entries(sheet.notes).map(([address, cell]) => [address, cell])),
      rows: sheet.rows.map((row, at) => [...row, { formula: formulas[at] ?? 'NA()' }]),
    };
  });
  const limits = cases.map(({ sheet }) => sheet.firstColumn + sheet.columns.length);
  // The rule's column takes the place of the gap before a limit cell, which stays where it is.
  const bytes = await writeXlsx({ sheets });
  const book = await loadBook(
    await new LibreOffice(soffice ?? 'soffice').convert('rules.xlsx', bytes, 'xlsx', new AbortController().signal),
  );
  for (const [index, { label, sheet, expected }] of cases.entries()) {
    const target = book.getWorksheet(`Case ${index + 1}`);
    const seen = expected.map((_, row) =>
      target === undefined ? null : seenIn(target.getCell(sheet.headerRow + 1 + row, limits[index] ?? 1)),
    );
    expect(seen.map(Boolean), label).toEqual(expected);
  }
}

async function checkMany(seeds: number, inputs: Record<string, string> = {}): Promise<GeneratedTask[]> {
  const generate = taskGenerator(skill, inputs);
  const made: GeneratedTask[] = [];
  const cases: FormulaCase[] = [];
  for (let seed = 7; seed < 7 + seeds; seed += 1) {
    const task = await generate(seed);
    cases.push(...(await check(task)));
    made.push(task);
  }
  if (soffice !== undefined && cases.length > 0) await checkFormulas(cases);
  return made;
}

describe('the shipped document', () => {
  it('is valid', () => {
    const { document, findings } = readSkill(skill);
    expect(findings).toEqual([]);
    expect(validateDocument(document, kinds)).toEqual([]);
  });
});

describe('twenty seeds on the sample', () => {
  it('give twenty tasks whose words, rules and hidden answers agree, and that differ', async () => {
    const made = await checkMany(20);
    expect(new Set(made.map(({ spec }) => spec.outcome.kind)).size).toBeGreaterThanOrEqual(15);
    expect(new Set(made.map(({ instruction }) => instruction)).size).toBe(20);
    expect(new Set(made.map(({ pack }) => pack.manifest.id)).size).toBe(20);
    expect(new Set(made.map(({ spec }) => spec.traits['start of the task'])).size).toBeGreaterThanOrEqual(3);
  }, 300_000);

  it('give the same package again for the same seed', async () => {
    const generate = taskGenerator(skill);
    expect((await generate(3)).pack).toEqual((await generate(3)).pack);
  }, 60_000);
});

describe.skipIf(!existsSync(office))('real workbooks (when the shared data lies beside the project)', () => {
  it.each(['SalesAnalysis_L3_01', 'InvRestock_L3_08', 'EmpBudget_L3_07', 'ProjStatus_L2_09'])(
    '%s gives tasks that agree',
    async (name) => {
      const made = await checkMany(10, { workbook: resolve(office, `${name}.xlsx`) });
      expect(new Set(made.map(({ spec }) => spec.outcome.kind)).size).toBeGreaterThanOrEqual(6);
    },
    240_000,
  );
});
