import { ForgeError } from '@cua-forge/spec/errors';
import type { Cell, Column, Sheet } from '@cua-forge/spec/task';
import Papa from 'papaparse';
import { isEmpty } from './cell-values.ts';
import { columnTypeOf } from './column-types.ts';
import { readText } from './read-text.ts';
import { findTable } from './table-region.ts';

/** Plain numbers only: codes with leading zeros and numbers beyond double precision stay text. */
const plainNumber = /^-?(?:0|[1-9]\d{0,14})(?:\.\d{1,12})?$/;

function typed(text: string): Cell {
  const trimmed = text.trim();
  if (trimmed === '') return null;
  if (plainNumber.test(trimmed)) return Number(trimmed);
  if (/^(true|false)$/i.test(trimmed)) return trimmed.toLowerCase() === 'true';
  return trimmed;
}

/** A column of mixed content keeps its text: only a column that is numbers (or truth values) throughout is converted. */
function columnCells(texts: readonly string[]): Cell[] {
  const cells = texts.map(typed);
  const filled = cells.filter((cell) => cell !== null);
  const uniform = ['number', 'boolean'].some((type) => filled.every((cell) => typeof cell === type));
  return uniform ? cells : texts.map((text) => (text.trim() === '' ? null : text.trim()));
}

/**
 * Reads delimited text (the delimiter is recognised) as one sheet named after the file.
 * @throws ForgeError `file.unreadable` naming the line
 */
export function readCsv(name: string, bytes: Uint8Array): Sheet {
  const parsed = Papa.parse<string[]>(readText(name, bytes), {
    skipEmptyLines: false,
    delimitersToGuess: [',', ';', '\t', '|'],
  });
  const problem = parsed.errors.find((error) => error.type === 'Quotes');
  if (problem !== undefined) {
    const line = (problem.row ?? 0) + 1;
    throw new ForgeError('file.unreadable', `${name} cannot be read as CSV: ${problem.message} (row ${line}).`, {
      fix: 'Close the quotation mark there, or double the quotation marks inside the value.',
      place: { file: name, line },
    });
  }
  const grid = parsed.data.map((row) => row.map((text): Cell => (text.trim() === '' ? null : text)));
  const region = findTable(grid);
  if (region === undefined)
    throw new ForgeError('file.unreadable', `${name} has no values.`, { place: { file: name } });
  const texts = parsed.data.slice(region.headerRow + 1, region.lastRow + 1);
  const columns: Column[] = [];
  const content: Cell[][] = [];
  for (let column = region.firstColumn; column <= region.lastColumn; column += 1) {
    const cells = columnCells(texts.map((row) => row[column] ?? ''));
    columns.push({
      name: (parsed.data[region.headerRow]?.[column] ?? '').trim(),
      type: columnTypeOf(cells, undefined, 'iso'),
    });
    content.push(cells);
  }
  const notes: Record<string, Cell> = {};
  grid.slice(0, region.headerRow).forEach((row, index) => {
    const text = row.filter((cell) => !isEmpty(cell)).join(' ');
    if (text !== '') notes[`A${index + 1}`] = text;
  });
  const title = name
    .replace(/\.[^.]*$/, '')
    .replace(/[[\]*?:/\\]/g, ' ')
    .trim()
    .slice(0, 31);
  return {
    name: title === '' ? 'Sheet1' : title,
    notes,
    headerRow: region.headerRow + 1,
    firstColumn: 1,
    columns,
    rows: texts.map((_, row) => content.map((cells) => cells[row] ?? null)),
    style: {},
  };
}
