import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { Workbook } from '@cua-forge/spec/task';
import { MemoryFiles, runKind } from '@cua-forge/testing/run-kind';
import ExcelJS from 'exceljs';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { file } from './file.node.ts';

const office = resolve(import.meta.dirname, '../../../../shared/data/office');
const xlsxType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
const Summary = z.object({
  sheets: z.array(
    z.object({
      name: z.string(),
      rows: z.number(),
      columns: z.array(z.object({ name: z.string(), type: z.string() })),
    }),
  ),
  emptySheets: z.array(z.string()),
});

async function read(name: string, bytes: Uint8Array) {
  const files = new MemoryFiles();
  const outputs = await runKind(file, { files, inputs: { file: files.put(name, xlsxType, bytes) } });
  return { outputs, workbook: () => Workbook.parse(outputs.workbook), summary: () => Summary.parse(outputs.summary) };
}
const text = (content: string) => new TextEncoder().encode(content);

async function decorated(): Promise<Uint8Array> {
  const book = new ExcelJS.Workbook();
  book.addWorksheet('Empty');
  const sheet = book.addWorksheet('Orders', { views: [{ state: 'frozen', ySplit: 4 }] });
  sheet.getCell('B1').value = 'Orders of the year';
  sheet.getCell('B2').value = { richText: [{ text: 'all ' }, { text: 'regions' }] };
  ['Date', 'Region', 'Units', 'Price', 'Total', 'Share'].forEach((name, index) => {
    const cell = sheet.getCell(4, index + 2);
    cell.value = name;
    cell.fill = { type: 'pattern', pattern: 'solid', fgColor: { argb: 'FF1F4E78' } };
    cell.font = { bold: true, color: { argb: 'FFFFFFFF' } };
  });
  for (let row = 5; row < 11; row += 1) {
    sheet.getCell(row, 2).value = new Date(Date.UTC(2024, row - 5, 15));
    sheet.getCell(row, 2).numFmt = 'dd/mm/yyyy';
    sheet.getCell(row, 3).value = row % 2 === 0 ? 'North' : 'South';
    sheet.getCell(row, 4).value = row - 5;
    sheet.getCell(row, 5).value = 2.5;
    sheet.getCell(row, 5).numFmt = '"$"#,##0.00';
    sheet.getCell(row, 6).value = { formula: `D${row}*E${row}`, result: (row - 5) * 2.5 };
    sheet.getCell(row, 7).value = 0.25;
    sheet.getCell(row, 7).numFmt = '0.0%';
  }
  sheet.getCell('J5').value = 'checked';
  sheet.getColumn(3).width = 18;
  sheet.autoFilter = 'B4:G10';
  return new Uint8Array(await book.xlsx.writeBuffer());
}

describe('data.file on workbooks', () => {
  it('finds the table below title rows with types, formats, styles and the cells beside it', async () => {
    const { workbook, summary } = await read('orders.xlsx', await decorated());
    const sheet = workbook().sheets[0];
    expect(workbook().sheets).toHaveLength(1);
    expect(summary().emptySheets).toEqual(['Empty']);
    expect(sheet).toMatchObject({ name: 'Orders', headerRow: 4, firstColumn: 2 });
    expect(sheet?.columns.map((column) => [column.name, column.type])).toEqual([
      ['Date', 'date'],
      ['Region', 'text'],
      ['Units', 'integer'],
      ['Price', 'currency'],
      ['Total', 'number'],
      ['Share', 'percent'],
    ]);
    expect(sheet?.columns[0]?.format).toBe('dd/mm/yyyy');
    expect(sheet?.columns[1]?.width).toBe(18);
    expect(sheet?.rows[0]).toEqual(['2024-01-15', 'South', 0, 2.5, { formula: 'D5*E5', result: 0 }, 0.25]);
    expect(sheet?.notes).toEqual({ B1: 'Orders of the year', B2: 'all regions', J5: 'checked' });
    expect(sheet?.style).toEqual({
      headerFill: 'FF1F4E78',
      headerFont: 'FFFFFFFF',
      freezeHeader: true,
      autoFilter: true,
    });
  });

  it('names the file that is encrypted, damaged, empty, too large or of another type', async () => {
    const good = await decorated();
    const empty = new ExcelJS.Workbook();
    empty.addWorksheet('Sheet1');
    const cases: [string, Uint8Array, string][] = [
      ['secret.xlsx', new Uint8Array([0xd0, 0xcf, 0x11, 0xe0, 1, 2]), 'file.unreadable'],
      ['cut.xlsx', good.slice(0, good.length / 2), 'file.unreadable'],
      ['text.xlsx', text('not a workbook'), 'file.unreadable'],
      ['empty.xlsx', new Uint8Array(await empty.xlsx.writeBuffer()), 'file.unreadable'],
      ['slides.pptx', good, 'file.unsupported'],
      ['huge.xlsx', new Uint8Array(20 * 1024 * 1024 + 1), 'file.unsupported'],
    ];
    for (const [name, bytes, code] of cases) {
      await expect(read(name, bytes), name).rejects.toMatchObject({
        code,
        place: { file: name },
        message: expect.stringContaining(name),
      });
    }
  });
});

describe('data.file on text', () => {
  it('reads CSV with its delimiter, quotes and types', async () => {
    const { workbook, outputs } = await read(
      'stock.csv',
      text('\uFEFFcode;name;amount;on\n007;"A; ""b""";12.5;2024-02-01\n008;C;3;2024-02-03\n'),
    );
    const sheet = workbook().sheets[0];
    expect(sheet?.columns.map((column) => column.type)).toEqual(['text', 'text', 'number', 'date']);
    expect(sheet?.rows[0]).toEqual(['007', 'A; "b"', 12.5, '2024-02-01']);
    expect(outputs.table).toMatchObject({
      rows: [
        ['007', 'A; "b"', 12.5, '2024-02-01'],
        ['008', 'C', 3, '2024-02-03'],
      ],
    });
    await expect(read('bad.csv', text('a,b\n"x,1\n'))).rejects.toMatchObject({
      code: 'file.unreadable',
      place: { file: 'bad.csv' },
    });
  });

  it('reads text in other encodings and refuses binary', async () => {
    expect((await read('note.txt', new Uint8Array([0x63, 0x61, 0x66, 0xe9, 13, 10]))).outputs.text).toBe('café\n');
    const note = { name: 'note.txt', mediaType: 'text/plain', text: 'hello' };
    await expect(runKind(file, { params: { expect: 'workbook' }, inputs: { file: note } })).rejects.toThrow(
      /note.txt is no workbook/,
    );
    await expect(read('note.md', new Uint8Array([1, 0, 2]))).rejects.toMatchObject({ code: 'file.unreadable' });
  });
});

describe.skipIf(!existsSync(office))(
  'data.file on real workbooks (when the shared data lies beside the project)',
  () => {
    it('reads every one of them', async () => {
      const names = readdirSync(office).filter((name) => name.endsWith('.xlsx'));
      expect(names.length).toBeGreaterThan(10);
      for (const name of names) {
        const { workbook } = await read(name, readFileSync(resolve(office, name)));
        expect(workbook().sheets.length, name).toBeGreaterThan(0);
      }
    }, 60_000);

    it('sees the columns that a person sees', async () => {
      const columns = async (name: string, sheet: string) => {
        const { summary } = await read(name, readFileSync(resolve(office, name)));
        const found = summary().sheets.find((candidate) => candidate.name === sheet);
        return { rows: found?.rows, columns: found?.columns.map((column) => `${column.name}:${column.type}`) };
      };
      expect(await columns('SalesAnalysis_L3_01.xlsx', 'Sales')).toEqual({
        rows: 12,
        columns: [
          'Month:text',
          'Region:text',
          'Product:text',
          'Units:integer',
          'Price:integer',
          'Revenue:integer',
          'Cost:integer',
          'Profit:integer',
          'Margin %:number',
        ],
      });
      expect(await columns('InvRestock_L3_08.xlsx', 'Inventory')).toMatchObject({
        rows: 15,
        columns: expect.arrayContaining(['Category:text', 'Quantity:integer', 'Restock Cost:integer']),
      });
      expect((await columns('Finance_Sheet2_Sum.xlsx', 'Sheet1')).rows).toBe(9);
      expect((await columns('Customer_Deduplicate.xlsx', 'Sheet1')).columns?.[0]).toBe(
        'Customer Names with Duplicates:text',
      );
      // Somebody sorted this sheet with its header.
      expect((await columns('ProjTimeline_L3_09.xlsx', 'Projects')).columns?.[0]).toBe('Project ID:text');
      expect((await columns('QtrFullYear_L3_10.xlsx', 'Q1-Q4')).columns?.slice(0, 3)).toEqual([
        'Department:text',
        'Q1 Revenue:integer',
        'Q1 Cost:integer',
      ]);
    });
  },
);
