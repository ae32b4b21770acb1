import { Verdict } from '@cua-forge/spec/kind';
import { type RequiredFile, TaskSpecification } from '@cua-forge/spec/task';
import { noOffice } from '@cua-forge/testing/execute-context';
import { MemoryFiles, runKind } from '@cua-forge/testing/run-kind';
import ExcelJS from 'exceljs';
import { describe, expect, it } from 'vitest';
import { matchesSpec } from './matches-spec.gate.ts';
import { opens } from './opens.gate.ts';

const base = TaskSpecification.parse(matchesSpec.example.inputs.spec);
const book: RequiredFile = {
  id: 'book',
  path: '/home/user/book.xlsx',
  type: 'xlsx',
  content: {
    sheets: [
      {
        name: 'Data',
        notes: { A1: 'Title' },
        headerRow: 3,
        firstColumn: 2,
        columns: [
          { name: 'Day', type: 'date', format: 'dd/mm/yyyy' },
          { name: 'Amount', type: 'number', width: 15 },
        ],
        rows: [
          ['2024-03-01', 5],
          ['2024-03-02', { formula: 'C4*2', result: 10 }],
        ],
        style: { freezeHeader: true, headerFill: 'FF112233' },
      },
    ],
  },
};

/** Made by hand, not by a preparer. */
async function handmade(
  change: (sheet: ExcelJS.Worksheet, book: ExcelJS.Workbook) => void = () => undefined,
): Promise<Uint8Array> {
  const workbook = new ExcelJS.Workbook();
  const sheet = workbook.addWorksheet('Data', { views: [{ state: 'frozen', ySplit: 3 }] });
  sheet.getCell('A1').value = 'Title';
  sheet.getCell('B3').value = 'Day';
  sheet.getCell('B3').fill = { type: 'pattern', pattern: 'solid', fgColor: { argb: 'FF112233' } };
  sheet.getCell('C3').value = 'Amount';
  sheet.getCell('B4').value = new Date(Date.UTC(2024, 2, 1));
  sheet.getCell('B5').value = new Date(Date.UTC(2024, 2, 2));
  sheet.getCell('C4').value = 5;
  sheet.getCell('C5').value = { formula: 'C4*2', result: 10, date1904: false };
  for (const address of ['B4', 'B5']) sheet.getCell(address).numFmt = 'dd/mm/yyyy';
  sheet.getColumn(3).width = 15;
  change(sheet, workbook);
  return new Uint8Array(await workbook.xlsx.writeBuffer());
}

async function judge(wanted: RequiredFile, name: string, bytes: Uint8Array) {
  const files = new MemoryFiles();
  const file = files.put(name, 'application/octet-stream', bytes);
  const outputs = await runKind(matchesSpec, {
    files,
    params: { file: wanted.id },
    inputs: { file, spec: { ...base, files: [wanted] } },
  });
  const verdict = Verdict.parse(outputs.verdict);
  return {
    ...verdict,
    passedOn: outputs.file !== undefined,
    wrong: verdict.evidence.filter((check) => !check.ok).map((check) => `${check.check}: ${check.detail}`),
  };
}

describe('gate.matches-spec', () => {
  it('passes a workbook that holds what is specified, however it was made', async () => {
    expect(await judge(book, 'book.xlsx', await handmade())).toMatchObject({
      verdict: 'pass',
      passedOn: true,
      wrong: [],
    });
  });

  it('rejects each single difference and names it', async () => {
    const changes: [string, (sheet: ExcelJS.Worksheet, book: ExcelJS.Workbook) => void, RegExp][] = [
      [
        'a value',
        (sheet) => {
          sheet.getCell('C4').value = 6;
        },
        /C4: expected number 5, found number 6/,
      ],
      [
        'a number as text',
        (sheet) => {
          sheet.getCell('C4').value = '5';
        },
        /C4: expected number 5, found string "5"/,
      ],
      [
        'a date as text',
        (sheet) => {
          sheet.getCell('B4').value = '2024-03-01';
        },
        /B4: expected date 2024-03-01T00:00:00/,
      ],
      [
        'a formula as value',
        (sheet) => {
          sheet.getCell('C5').value = 10;
        },
        /C5: expected formula C4\*2/,
      ],
      [
        'a wrong cached result',
        (sheet) => {
          sheet.getCell('C5').value = { formula: 'C4*2', result: 11, date1904: false };
        },
        /C5: .*number 10/,
      ],
      [
        'a header',
        (sheet) => {
          sheet.getCell('C3').value = 'Sum';
        },
        /C3: expected string "Amount"/,
      ],
      [
        'an extra cell',
        (sheet) => {
          sheet.getCell('F9').value = 'x';
        },
        /F9: expected empty/,
      ],
      [
        'a lost title',
        (sheet) => {
          sheet.getCell('A1').value = null;
        },
        /A1: expected string "Title", found empty/,
      ],
      [
        'a format',
        (sheet) => {
          sheet.getCell('B5').numFmt = 'yyyy';
        },
        /B5: expected format/,
      ],
      [
        'a width',
        (sheet) => {
          sheet.getColumn(3).width = 9;
        },
        /width of Amount/,
      ],
      [
        'freeze',
        (sheet) => {
          sheet.views = [{ state: 'normal' }];
        },
        /is not frozen/,
      ],
      [
        'a filter',
        (sheet) => {
          sheet.autoFilter = 'B3:C5';
        },
        /filter is set/,
      ],
      [
        'a fill',
        (sheet) => {
          sheet.getCell('B3').fill = { type: 'pattern', pattern: 'none' };
        },
        /header fill/,
      ],
      [
        'an extra sheet',
        (_, workbook) => {
          workbook.addWorksheet('Other');
        },
        /sheets: expected Data; found Data, Other/,
      ],
    ];
    for (const [what, change, message] of changes) {
      const result = await judge(book, 'book.xlsx', await handmade(change));
      expect(result, what).toMatchObject({ verdict: 'reject', passedOn: false });
      expect(result.wrong.join('\n'), what).toMatch(message);
    }
  });

  it('rejects a wrong name and bytes that are no workbook', async () => {
    expect((await judge(book, 'other.xlsx', await handmade())).wrong).toEqual([
      'name: expected book.xlsx; found other.xlsx',
    ]);
    expect((await judge(book, 'book.xlsx', new TextEncoder().encode('nothing'))).verdict).toBe('reject');
  });

  it('compares CSV and text', async () => {
    const csv: RequiredFile = {
      id: 'csv',
      path: '/home/user/t.csv',
      type: 'csv',
      content: {
        columns: [
          { name: 'A', type: 'text' },
          { name: 'B', type: 'number' },
        ],
        rows: [
          ['x, y', 1.5],
          [null, 2],
        ],
      },
    };
    const encode = (content: string) => new TextEncoder().encode(content);
    expect((await judge(csv, 't.csv', encode('A,B\r\n"x, y",1.50\r\n,2\r\n'))).verdict).toBe('pass');
    expect((await judge(csv, 't.csv', encode('A,B\r\n"x, y",1.50\r\n'))).wrong.join()).toMatch(
      /rows: expected 2; found 1/,
    );
    expect((await judge(csv, 't.csv', encode('A,C\r\n"x, y",1.50\r\n,2\r\n'))).wrong.join()).toMatch(/header/);
    expect((await runKind(matchesSpec)).verdict).toMatchObject({ verdict: 'pass' });
    const note: RequiredFile = { id: 'n', path: '/home/user/n.txt', type: 'text', content: 'a\nb' };
    expect((await judge(note, 'n.txt', encode('a\nc\n'))).wrong).toEqual([
      'every line: line 2: expected "b", found "c"',
    ]);
  });
});

describe('gate.opens', () => {
  const open = async (opened: boolean | null) =>
    runKind(opens, {
      office: { ...noOffice, open: async () => ({ opened, application: 'LibreOffice', detail: 'as told' }) },
    });

  it('rejects only a file that does not open, and says so when it was not opened', async () => {
    expect(await open(true)).toMatchObject({ verdict: { verdict: 'pass' }, file: { name: 'note.txt' } });
    const refused = await open(false);
    expect(refused.verdict).toMatchObject({
      verdict: 'reject',
      evidence: [{ check: 'note.txt opens in LibreOffice', ok: false, detail: 'as told' }],
    });
    expect(refused.file).toBeUndefined();
    const absent = await open(null);
    expect(absent).toMatchObject({
      verdict: { verdict: 'pass', evidence: [{ detail: expect.stringContaining('not opened') }] },
      file: { name: 'note.txt' },
    });
  });
});
