import ExcelJS from 'exceljs';
import { strFromU8, unzipSync } from 'fflate';

/** How much of a table is looked at: its top says how it is built, and its rows repeat. */
const looked = { rows: 5, columns: 40 };

function kindOf(cell: ExcelJS.Cell): string {
  switch (cell.type) {
    case ExcelJS.ValueType.Number:
      return 'number';
    case ExcelJS.ValueType.Date:
      return 'date';
    case ExcelJS.ValueType.Formula:
      return 'formula';
    case ExcelJS.ValueType.Null:
      return 'empty';
    default:
      return 'text';
  }
}

function filled(sheet: ExcelJS.Worksheet, row: number): ExcelJS.Cell[] {
  return Array.from({ length: Math.min(looked.columns, sheet.columnCount) }, (_, index) =>
    sheet.getCell(row, index + 1),
  );
}

/** Words for a sheet: where its cells start, kinds and formats column by column, colours, panes, rules. Names and values stay out. */
function sheetWords(sheet: ExcelJS.Worksheet): string[] {
  const words = ['sheet', sheet.views[0]?.state ?? 'normal', sheet.autoFilter ? 'filtered' : 'unfiltered'];
  const last = Math.min(sheet.rowCount, 6 + looked.rows);
  for (let row = 1; row <= last; row += 1) {
    for (const cell of filled(sheet, row)) {
      const fill = cell.fill?.type === 'pattern' && cell.fill.pattern === 'solid' ? 'filled' : 'plain';
      words.push(`${kindOf(cell)}-${fill}-${cell.numFmt ?? 'general'}`);
    }
    words.push('row');
  }
  const formats: unknown = 'conditionalFormattings' in sheet ? sheet.conditionalFormattings : [];
  const rules = JSON.stringify(formats).match(/"type":"[a-zA-Z0-9]+"/g) ?? [];
  return [...words, ...rules];
}

async function workbookWords(bytes: Uint8Array): Promise<string[]> {
  const book = new ExcelJS.Workbook();
  await book.xlsx.load(new Uint8Array(bytes).buffer);
  return book.worksheets.flatMap(sheetWords);
}

/** Words for a text document: styles, lists, tables and direct formatting in their order, without any text. */
function documentWords(bytes: Uint8Array): string[] {
  const parts = unzipSync(bytes);
  const names = Object.keys(parts).filter((name) => /^word\/(document|header\d*|footer\d*)\.xml$/.test(name));
  return names.sort().flatMap((name) => {
    const xml = strFromU8(parts[name] ?? new Uint8Array());
    return [
      'part',
      ...(xml.match(/<w:(?:pStyle|jc|b|i|u|tbl|tc|numPr|drawing|pgSz|pgMar|br|shd|sz)\b(?: w:val="[^"]*")?/g) ?? []),
    ];
  });
}

/** Words for the structure and layout of a file; other types give their ending and the order of size. */
export async function shapeWords(name: string, bytes: Uint8Array): Promise<string[]> {
  if (name.endsWith('.xlsx')) return workbookWords(bytes);
  if (name.endsWith('.docx')) return documentWords(bytes);
  return [name.slice(name.lastIndexOf('.')), `size-${Math.round(Math.log2(bytes.byteLength + 1))}`];
}
