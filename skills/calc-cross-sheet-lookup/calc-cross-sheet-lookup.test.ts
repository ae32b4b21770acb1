import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { quotedSheet } from '@cua-forge/nodes/data/columns/column-facts';
import { writeXlsx } from '@cua-forge/preparers/write-xlsx';
import { findAnswerLeaks } from '@cua-forge/spec/answer-leaks';
import { kinds } from '@cua-forge/spec/kinds';
import type { Cell, Sheet, Workbook } from '@cua-forge/spec/task';
import { validateDocument } from '@cua-forge/spec/validate-document';
import { LibreOffice } from '@cua-forge/worker/office/libre-office';
import ExcelJS from 'exceljs';
import { describe, expect, it } from 'vitest';
import { type GeneratedTask, readSkill, taskGenerator } from '../../scripts/lib/generate-task.ts';
import { loadBook, readRows, type Seen, seenIn } from '../../scripts/lib/read-table.ts';
import { type Row, solve } from './second-computation.ts';

const skill = 'calc-cross-sheet-lookup';
const office = resolve(import.meta.dirname, '../../../shared/data/office');
const soffice = ['/usr/bin/soffice', '/usr/local/bin/soffice'].find((path) => existsSync(path));

function contentOf(task: GeneratedTask, which: 'given' | 'solved'): Workbook {
  const [file] = which === 'given' ? task.spec.files : task.hidden.expected;
  if (file?.type !== 'xlsx') throw new Error('no workbook');
  return file.content;
}

const same = (a: Seen, b: Seen) =>
  typeof a === 'number' && typeof b === 'number' ? Math.abs(a - b) < 1e-6 * Math.max(1, Math.abs(a)) : a === b;

/** The sheet and the heading of the column that holds the results. */
function target(task: GeneratedTask, solved: Workbook): { sheet: Sheet; heading: string } {
  const match = /in the column (.+) of (.+), below [A-Z]+\d+;/.exec(task.hidden.derivation);
  const sheet = solved.sheets.find(({ name }) => name === match?.[2]);
  if (match?.[1] === undefined || sheet === undefined) throw new Error(task.hidden.derivation);
  return { sheet, heading: match[1] };
}

/** Solves a task again from the words and the bytes that the user gets, and compares each cell with what is expected. */
async function check(task: GeneratedTask): Promise<void> {
  const label = `seed ${task.seed}, ${task.spec.outcome.kind}`;
  const [given, solved] = [contentOf(task, 'given'), contentOf(task, 'solved')];
  const { sheet, heading } = target(task, solved);
  const book = await loadBook(task.prepared('workbook'));
  const tables = new Map<string, Row[]>(given.sheets.map((each) => [each.name, readRows(book, each)]));
  const sentence = task.spec.outcome.requirements.find(({ id }) => id === 'values')?.text ?? '';
  const results = solve(sentence, tables.get(sheet.name) ?? [], tables);
  const expected = readRows(await loadBook(await writeXlsx(solved)), sheet).map((row) => row[heading] ?? null);
  expect(results.length, label).toBe(expected.length);
  results.forEach((value, row) => {
    expect(same(value, expected[row] ?? null), `${label}, row ${row + 1}: ${value} and ${expected[row]}`).toBe(true);
  });
  const at = sheet.columns.findIndex(({ name }) => name === heading);
  expect(
    sheet.rows.every((row) => typeof row[at] === 'object' && row[at] !== null),
    label,
  ).toBe(true);
  const others = (workbook: Workbook) =>
    workbook.sheets.map((each) =>
      each.name === sheet.name
        ? {
            ...each,
            columns: each.columns.filter(({ name }) => name !== heading),
            rows: each.rows.map((row) => row.filter((_, index) => index !== at)),
          }
        : each,
    );
  expect(others(given), label).toEqual(others(solved));
  expect(given, label).not.toEqual(solved);
  expect(findAnswerLeaks(task.instruction, task.hidden.answers, task.spec.outcome.mentions), label).toEqual([]);
}

/** The sheets of a workbook under names of their own, so that several workbooks fit into one. */
function renamed(workbook: Workbook, prefix: string): Sheet[] {
  const names = workbook.sheets.map(({ name }) => [name, `${prefix}${name}`.slice(0, 31)] as const);
  const moved = (cell: Cell): Cell => {
    if (typeof cell !== 'object' || cell === null) return cell;
    const formula = names.reduce(
      (text, [from, to]) => text.replaceAll(`${quotedSheet(from)}!`, `${quotedSheet(to)}!`),
      cell.formula,
    );
    return { ...cell, formula };
  };
  return workbook.sheets.map((sheet) => ({
    ...sheet,
    name: `${prefix}${sheet.name}`.slice(0, 31),
    rows: sheet.rows.map((row) => row.map(moved)),
  }));
}

/** Formulas of a workbook must show in LibreOffice what they have cached. */
async function checkFormulas(workbook: Workbook, label: string): Promise<number> {
  const bytes = await writeXlsx(workbook);
  const converted = await new LibreOffice(soffice ?? 'soffice').convert(
    'book.xlsx',
    bytes,
    'xlsx',
    new AbortController().signal,
  );
  const [cached, calculated] = [await loadBook(bytes), await loadBook(converted)];
  let count = 0;
  for (const sheet of cached.worksheets) {
    const there = calculated.getWorksheet(sheet.name);
    sheet.eachRow((row) => {
      row.eachCell((cell) => {
        if (cell.type !== ExcelJS.ValueType.Formula) return;
        const seen = there === undefined ? null : seenIn(there.getCell(cell.address));
        const place = `${label}, ${sheet.name}!${cell.address} ${cell.formula}`;
        expect(same(seenIn(cell), seen), `${place}: cached ${seenIn(cell)}, calculated ${seen}`).toBe(true);
        count += 1;
      });
    });
  }
  return count;
}

async function checkMany(seeds: number, inputs: Record<string, string> = {}): Promise<GeneratedTask[]> {
  const generate = taskGenerator(skill, inputs);
  const made: GeneratedTask[] = [];
  for (let seed = 7; seed < 7 + seeds; seed += 1) {
    const task = await generate(seed);
    await check(task);
    made.push(task);
  }
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
  it('give twenty tasks with right answers that differ', async () => {
    const made = await checkMany(20);
    expect(new Set(made.map(({ spec }) => spec.traits.outcome)).size).toBeGreaterThanOrEqual(8);
    expect(new Set(made.map(({ instruction }) => instruction)).size).toBe(20);
    expect(new Set(made.map(({ pack }) => pack.manifest.id)).size).toBe(20);
  }, 300_000);

  it.skipIf(soffice === undefined)(
    'show in LibreOffice what they have cached, before and after, one of each kind',
    async () => {
      const generate = taskGenerator(skill);
      const seen = new Set<unknown>();
      const sheets: Sheet[] = [];
      for (let seed = 1; seed <= 60 && seen.size < 14; seed += 1) {
        const task = await generate(seed);
        const { outcome } = task.spec.traits;
        if (seen.has(outcome)) continue;
        seen.add(outcome);
        sheets.push(...renamed(contentOf(task, 'solved'), `S${seed}_`));
        if (String(outcome).startsWith('repair')) sheets.push(...renamed(contentOf(task, 'given'), `G${seed}_`));
      }
      expect(seen.size).toBeGreaterThanOrEqual(12);
      expect(await checkFormulas({ sheets }, 'all kinds')).toBeGreaterThan(300);
    },
    400_000,
  );

  it('give the same package again for the same seed', async () => {
    const generate = taskGenerator(skill);
    expect((await generate(3)).pack).toEqual((await generate(3)).pack);
  }, 60_000);
});

describe.skipIf(!existsSync(office))('real workbooks (when the shared data lies beside the project)', () => {
  it.each(['SalesAnalysis_L3_01', 'InvRestock_L3_08', 'EmpBudget_L3_07', 'SalesProduct_L3_06'])(
    '%s gives tasks with right answers',
    async (name) => {
      const made = await checkMany(10, { workbook: resolve(office, `${name}.xlsx`) });
      expect(new Set(made.map(({ spec }) => spec.outcome.kind)).size).toBeGreaterThanOrEqual(5);
    },
    240_000,
  );
});
