import { cellAddress } from '@cua-forge/spec/cell-address';
import type ExcelJS from 'exceljs';
import { rgb } from './seen.ts';

/** How a cell looks, conditional formats included. Colours are `RRGGBB`; `fill` is null where there is none. */
export interface ShownCell {
  fill: string | null;
  color: string | null;
  bold: boolean;
  italic: boolean;
  strike: boolean;
}

/** By the name of the sheet and the address of the cell. */
export type ShownSheets = Map<string, Map<string, ShownCell>>;

const first = (text: string, pattern: RegExp): string | undefined => pattern.exec(text)?.[1];
const lookOf = (attributes: string, content: string): ShownCell => {
  const fill = first(attributes, /\bbgcolor="#([0-9A-Fa-f]{6})"/);
  const color = first(content, /<font\b[^>]*\bcolor="#([0-9A-Fa-f]{6})"/i);
  return {
    fill: fill === undefined ? null : rgb(fill),
    color: color === undefined ? null : rgb(color),
    bold: /<b>/i.test(content),
    italic: /<i>/i.test(content),
    strike: /<(?:s|strike|del)>/i.test(content),
  };
};

/** Rows and columns that are shown, from the first that holds something. The page leaves out what is hidden, and what is empty in front. */
function shownPlaces(sheet: ExcelJS.Worksheet): { rows: number[]; columns: number[] } {
  let [top, left, bottom, right] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, 0, 0];
  sheet.eachRow((row, number) =>
    row.eachCell((cell, column) => {
      if (cell.value === null || cell.value === undefined) return;
      [top, left] = [Math.min(top, number), Math.min(left, column)];
      [bottom, right] = [Math.max(bottom, number), Math.max(right, column)];
    }),
  );
  if (bottom === 0) return { rows: [], columns: [] };
  const from = (start: number, end: number) => Array.from({ length: end - start + 1 }, (_, index) => start + index);
  return {
    rows: from(top, bottom).filter((row) => !sheet.getRow(row).hidden),
    columns: from(left, right).filter((column) => !sheet.getColumn(column).hidden),
  };
}

function readTable(html: string, { rows, columns }: ReturnType<typeof shownPlaces>): Map<string, ShownCell> {
  const found = new Map<string, ShownCell>();
  // Places that a cell above or on the left reaches into, as row and column of the page.
  const covered = new Set<string>();
  [...html.matchAll(/<tr>([\s\S]*?)<\/tr>/gi)].forEach(([, row = ''], down) => {
    let across = 0;
    for (const [, attributes = '', content = ''] of row.matchAll(/<td\b([^>]*)>([\s\S]*?)<\/td>/gi)) {
      while (covered.has(`${down} ${across}`)) across += 1;
      const height = Number(first(attributes, /\browspan="?(\d+)/i) ?? 1);
      const width = Number(first(attributes, /\bcolspan="?(\d+)/i) ?? 1);
      for (let y = 0; y < height; y += 1)
        for (let x = 0; x < width; x += 1) {
          covered.add(`${down + y} ${across + x}`);
          const [at, column] = [rows[down + y], columns[across + x]];
          if (at !== undefined && column !== undefined) found.set(cellAddress(at, column), lookOf(attributes, content));
        }
      across += width;
    }
  });
  return found;
}

/** Reads the page that LibreOffice makes of a workbook: one table for each sheet that holds something. */
export function readShownCells(book: ExcelJS.Workbook, page: Uint8Array): ShownSheets {
  const html = new TextDecoder().decode(page);
  const tables = [...html.matchAll(/(?:<a name="table(\d+)">[\s\S]*?)?<table\b[^>]*>([\s\S]*?)<\/table>/gi)];
  const filled = book.worksheets.filter((sheet) => shownPlaces(sheet).rows.length > 0);
  const shown: ShownSheets = new Map();
  tables.forEach(([, number, table = ''], index) => {
    const sheet = number === undefined ? filled[index] : book.worksheets[Number(number)];
    if (sheet !== undefined) shown.set(sheet.name, readTable(table, shownPlaces(sheet)));
  });
  return shown;
}
