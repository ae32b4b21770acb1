import { matchesSpec } from '@cua-forge/gates/file/matches-spec.gate';
import { mediaTypeOf } from '@cua-forge/spec/required-file';
import type { FileValue } from '@cua-forge/spec/value';
import { MemoryFiles } from '@cua-forge/testing/run-kind';
import ExcelJS from 'exceljs';
import { type Base, basePackages } from '../bases.ts';
import { at, bad, type GateCorpus, type GateExample, good } from '../example.ts';

type Edit = [
  kind: string,
  check: string,
  change: (sheet: ExcelJS.Worksheet, book: ExcelJS.Workbook, at: { row: number; column: number }) => void,
];

/** Damage to a workbook that was right. `at` is its first data cell. */
const edits: Edit[] = [
  [
    'a value',
    ': every cell',
    (sheet, _, { row, column }) => {
      sheet.getCell(row + 1, column).value = 'something else';
    },
  ],
  [
    'a number for a text',
    ': every cell',
    (sheet, _, { row, column }) => {
      sheet.getCell(row, column + 1).value = 424_242;
    },
  ],
  [
    'an empty cell',
    ': every cell',
    (sheet, _, { row, column }) => {
      sheet.getCell(row, column).value = null;
    },
  ],
  [
    'a cell too many',
    ': every cell',
    (sheet) => {
      sheet.getCell('ZZ3').value = 'x';
    },
  ],
  [
    'a heading',
    ': every cell',
    (sheet, _, { row, column }) => {
      sheet.getCell(row - 1, column).value = 'Heading';
    },
  ],
  [
    'rows swapped',
    ': every cell',
    (sheet, _, { row, column }) => {
      for (let i = column; i < column + 12; i += 1) {
        const [a, b] = [sheet.getCell(row, i).value, sheet.getCell(row + 1, i).value];
        sheet.getCell(row, i).value = b;
        sheet.getCell(row + 1, i).value = a;
      }
    },
  ],
  [
    'a sheet too many',
    'sheets',
    (_, book) => {
      book.addWorksheet('Other');
    },
  ],
  [
    'a sheet renamed',
    'sheets',
    (sheet) => {
      sheet.name = 'Renamed';
    },
  ],
  [
    'another freeze',
    ': layout',
    (sheet) => {
      sheet.views = [{ state: 'frozen', ySplit: 40 }];
    },
  ],
  [
    'a fill',
    ': layout',
    (sheet, _, { row, column }) => {
      sheet.getCell(row - 1, column).fill = { type: 'pattern', pattern: 'solid', fgColor: { argb: 'FF010203' } };
    },
  ],
];

export const matchesSpecCorpus: GateCorpus = {
  gate: matchesSpec,
  async examples() {
    const bases = await basePackages();
    const encode = (text: string) => new TextEncoder().encode(text);
    const show = (base: Base, file: FileValue, id: string, files = base.files) => ({
      params: { file: id },
      inputs: { file, spec: base.spec },
      files,
    });
    const written = (base: Base, which: number, bytes: Uint8Array, name?: string) => {
      const files = new MemoryFiles();
      const wanted = at(base.spec.files, which);
      return show(
        base,
        files.put(name ?? at(base.prepared, which).name, mediaTypeOf[wanted.type], bytes),
        wanted.id,
        files,
      );
    };
    const bytesOf = (base: Base, which: number) => base.files.get(at(base.prepared, which).hash);
    const textOf = (base: Base, which: number) => new TextDecoder().decode(bytesOf(base, which));
    const whole = bases.flatMap((base) =>
      base.spec.files.map((file, which) =>
        good(`${base.name}, ${file.id}`, show(base, at(base.prepared, which), file.id)),
      ),
    );
    const books = bases.flatMap((base) =>
      base.spec.files.flatMap((file, which) => (file.type === 'xlsx' ? [{ base, which, content: file.content }] : [])),
    );

    const resaved: GateExample[] = [];
    for (const { base, which } of books.slice(0, 9)) {
      const book = new ExcelJS.Workbook();
      await book.xlsx.load(new Uint8Array(bytesOf(base, which)).buffer);
      resaved.push(
        good(`${base.name}, saved again`, written(base, which, new Uint8Array(await book.xlsx.writeBuffer()))),
      );
    }
    const damaged: GateExample[] = [];
    for (const [index, [kind, check, change]] of [...edits, ...edits].entries()) {
      const { base, which, content } = at(books, index * 3 + 1);
      const book = new ExcelJS.Workbook();
      await book.xlsx.load(new Uint8Array(bytesOf(base, which)).buffer);
      const sheet = book.worksheets[0];
      const plan = at(content.sheets, 0);
      if (sheet === undefined) continue;
      const name = plan.name;
      change(sheet, book, { row: plan.headerRow + 1, column: plan.firstColumn });
      damaged.push(
        bad(
          kind,
          check.startsWith(':') ? name + check : check,
          base.name,
          written(base, which, new Uint8Array(await book.xlsx.writeBuffer())),
        ),
      );
    }
    const [, stock, , minutes, , visits] = bases;
    if (!stock || !minutes || !visits) throw new Error('the six by hand come first');
    const csv = textOf(stock, 0);
    const note = textOf(minutes, 0);
    return [
      ...whole,
      ...resaved,
      good('CSV with quotes', written(stock, 0, encode(csv.replace(/^(SK-\d+),/m, '"$1",')))),
      good('CSV with other line ends', written(stock, 0, encode(csv.replace(/\r?\n/g, '\n')))),
      good('CSV without an end', written(stock, 0, encode(csv.trimEnd()))),
      good('text with Windows line ends', written(minutes, 0, encode(note.replace(/\r?\n/g, '\r\n')))),
      good('text with blank lines at its end', written(minutes, 0, encode(`${note}\n\n`))),
      ...damaged,
      bad('a name', 'name', 'stock', written(stock, 0, encode(csv), 'stock2.csv')),
      bad('a name', 'name', 'prices', written(visits, 1, bytesOf(visits, 1), 'Prices.xlsx')),
      bad('no workbook', 'the file is a workbook', 'text', written(visits, 1, encode('nothing'))),
      bad('no workbook', 'the file is a workbook', 'cut off', written(visits, 1, bytesOf(visits, 1).slice(0, 700))),
      bad('a field', 'every cell', 'a number', written(stock, 0, encode(csv.replace(/,(\d+\.\d+)/, ',1$1')))),
      bad('a field', 'every cell', 'a text', written(visits, 0, encode(textOf(visits, 0).replace('PH-1', 'PH-2')))),
      bad('a heading', 'header', 'stock', written(stock, 0, encode(csv.replace('Quantity', 'Qty')))),
      bad('rows', 'rows', 'one less', written(stock, 0, encode(csv.trimEnd().split(/\r?\n/).slice(0, -1).join('\n')))),
      bad(
        'rows',
        'rows',
        'one more',
        written(visits, 0, encode(`${textOf(visits, 0).trimEnd()}\r\n2025-01-01,PH-1,1,North\r\n`)),
      ),
      bad('a line', 'every line', 'a word', written(minutes, 0, encode(note.replace('fence', 'wall')))),
      bad('a line', 'every line', 'cut off', written(minutes, 0, encode(note.slice(0, 120)))),
      bad('encoding', 'encoding', 'Latin-1', written(minutes, 0, new Uint8Array([0x4d, 0xfc, 0x6c]))),
    ];
  },
};
