import { existsSync } from 'node:fs';
import { compareWorkbook } from '@cua-forge/gates/file/compare-workbook';
import type { OfficePort } from '@cua-forge/spec/kind';
import { TaskSpecification, type Workbook } from '@cua-forge/spec/task';
import { FileValue } from '@cua-forge/spec/value';
import { MemoryFiles, runKind } from '@cua-forge/testing/run-kind';
import { LibreOffice } from '@cua-forge/worker/office/libre-office';
import ExcelJS from 'exceljs';
import { describe, expect, it } from 'vitest';
import { exampleSpec } from './example-spec.ts';
import { writeXlsx } from './write-xlsx.ts';
import { xlsx } from './xlsx.preparer.ts';

const soffice = ['/usr/bin/soffice', '/usr/local/bin/soffice'].find((path) => existsSync(path));
const office = new LibreOffice(soffice ?? 'soffice');
const never = new AbortController().signal;

const example = TaskSpecification.parse(exampleSpec).files.flatMap((file) =>
  file.type === 'xlsx' ? file.content : [],
);
const workbook = ((): Workbook => {
  const [first] = example;
  if (first === undefined) throw new Error('the example has no workbook');
  return first;
})();

async function load(bytes: Uint8Array): Promise<ExcelJS.Workbook> {
  const book = new ExcelJS.Workbook();
  await book.xlsx.load(new Uint8Array(bytes).buffer);
  return book;
}

function sheetOf(book: ExcelJS.Workbook, name: string): ExcelJS.Worksheet {
  const sheet = book.getWorksheet(name);
  if (sheet === undefined) throw new Error(`no sheet ${name}`);
  return sheet;
}

async function prepare(params: { calculate?: 'all' | 'never' }, port?: OfficePort): Promise<Uint8Array> {
  const files = new MemoryFiles();
  const options = { files, params: { file: 'book', ...params }, inputs: { spec: exampleSpec } };
  const outputs = await runKind(xlsx, port === undefined ? options : { ...options, office: port });
  return files.get(FileValue.parse(outputs.file).hash);
}

describe('features of a workbook', () => {
  it('are written so that a library reads them, and so that the gate finds nothing missing', async () => {
    const bytes = await writeXlsx(workbook);
    const book = await load(bytes);
    const [summary, stock] = [sheetOf(book, 'Summary'), sheetOf(book, 'Stock')];
    expect(summary.getCell('A1').font).toMatchObject({ name: 'Arial', size: 11, bold: true });
    expect(summary.getCell('B1').border.bottom).toMatchObject({ style: 'medium', color: { argb: 'FF1F4E78' } });
    expect(summary.getCell('A1').alignment).toMatchObject({ horizontal: 'center', wrapText: true });
    expect(summary.views[0]).toMatchObject({ state: 'frozen', xSplit: 1 });
    expect(summary.getTables().length).toBe(1);
    expect(stock.getCell('C1').master.address).toBe('A1');
    expect(stock.getCell('C10').dataValidation).toMatchObject({ type: 'whole', formulae: [0, 500] });
    expect(stock.getCell('B5').dataValidation.formulae).toEqual(['"A1,B2,C7"']);
    expect(book.definedNames.getRanges('Amounts').ranges).toEqual(['Orders!$D$4:$D$6']);
    expect((await compareWorkbook(bytes, workbook)).filter(({ ok }) => !ok)).toEqual([]);
  });

  it.each<[string, (book: ExcelJS.Workbook) => void, RegExp]>([
    [
      'a lost conditional format',
      (book) => sheetOf(book, 'Stock').removeConditionalFormatting('A4:A7'),
      /expected 4 rules/,
    ],
    [
      'another font',
      (book) => {
        sheetOf(book, 'Summary').getCell('A1').font = { name: 'Calibri', size: 11, bold: true };
      },
      /A1: expected font name Arial/,
    ],
    ['a lost table', (book) => sheetOf(book, 'Summary').removeTable('Totals'), /expected table Totals/],
    ['cells no longer merged', (book) => sheetOf(book, 'Stock').unMergeCells('A1:D1'), /A1:D1 is not merged/],
    [
      'a lost name',
      (book) => {
        book.definedNames.model = [];
      },
      /Amounts: expected/,
    ],
  ])('the gate notices %s', async (_what, change, message) => {
    const book = await load(await writeXlsx(workbook));
    change(book);
    const checks = await compareWorkbook(new Uint8Array(await book.xlsx.writeBuffer()), workbook);
    expect(
      checks
        .filter(({ ok }) => !ok)
        .map(({ detail }) => detail)
        .join('\n'),
    ).toMatch(message);
  });

  it('give equal bytes each time', async () => {
    const first = await writeXlsx(workbook);
    await new Promise((resolve) => setTimeout(resolve, 2_100));
    expect(Buffer.from(await writeXlsx(workbook)).equals(Buffer.from(first))).toBe(true);
  });

  it('are refused with every reason when no application would load them', async () => {
    const [sheet] = workbook.sheets;
    if (sheet === undefined) throw new Error('no sheet');
    const broken: Workbook = {
      sheets: [{ ...sheet, rows: [], table: { name: 'Data', theme: 'TableStyleLight1', banded: true } }],
      definedNames: [
        { name: 'data', refersTo: 'Orders!$A$1' },
        { name: 'AB12', refersTo: 'Orders!$A$1' },
      ],
    };
    await expect(writeXlsx(broken)).rejects.toThrow(/name data; ab12 is the address of a cell; .*Orders has no row/);
  });
});

describe('results of formulas', () => {
  it('stay missing where LibreOffice is, and asking for all of them says what is missing', async () => {
    const book = await load(await prepare({}));
    expect(sheetOf(book, 'Summary').getCell('B3')).toMatchObject({ formula: 'AVERAGE(Amounts)' });
    expect(sheetOf(book, 'Summary').getCell('B3').result).toBeUndefined();
    await expect(prepare({ calculate: 'all' })).rejects.toMatchObject({ code: 'tool.missing' });
  });

  it.skipIf(soffice === undefined)(
    'are those that LibreOffice calculates, equal in every cell, and the bytes are the same each time',
    async () => {
      const bytes = await prepare({}, office);
      expect(Buffer.from(await prepare({ calculate: 'all' }, office)).equals(Buffer.from(bytes))).toBe(true);
      const [given, calculated] = [await load(bytes), await load(await office.convert('b.xlsx', bytes, 'xlsx', never))];
      const seen: string[] = [];
      for (const sheet of given.worksheets) {
        sheet.eachRow((row) => {
          row.eachCell((cell) => {
            if (cell.type !== ExcelJS.ValueType.Formula) return;
            const there = sheetOf(calculated, sheet.name).getCell(cell.address);
            expect(Number(cell.result), `${sheet.name}!${cell.address}`).toBeCloseTo(Number(there.result), 9);
            seen.push(cell.address);
          });
        });
      }
      expect(seen).toEqual(['E4', 'E5', 'E6', 'B2', 'B3']);
      expect(sheetOf(given, 'Summary').getCell('B3').result).toBe(60.25);
    },
    180_000,
  );

  it.skipIf(soffice === undefined)(
    'and features survive LibreOffice',
    async () => {
      const made = await office.convert('b.xlsx', await writeXlsx(workbook), 'xlsx', never);
      const book = await load(made);
      const stock = sheetOf(book, 'Stock');
      const rules = (await compareWorkbook(made, workbook)).filter(
        ({ check }) => check === 'Stock: validations' || check === 'Stock: merged cells' || check === 'names of ranges',
      );
      expect(rules.map(({ check, ok }) => `${check} ${ok}`)).toEqual([
        'Stock: validations true',
        'Stock: merged cells true',
        'names of ranges true',
      ]);
      const formats: unknown = 'conditionalFormattings' in stock ? stock.conditionalFormattings : [];
      const text = JSON.stringify(formats);
      for (const part of ['"cellIs"', '"lessThan"', '"dataBar"', 'COUNTIF($A$4:$A$7,A4)>1', 'ISBLANK($D4)'])
        expect(text).toContain(part);
      expect(stock.getCell('A3').fill).toMatchObject({ fgColor: { argb: 'FFE2EFDA' } });
    },
    180_000,
  );
});
