import type { Cell, Table } from '@cua-forge/spec/task';
import Papa from 'papaparse';
import type { Check } from './compare-workbook.ts';

const MOST_DIFFERENCES = 5;

function decode(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

const notText: Check = { check: 'encoding', ok: false, detail: 'the bytes are not UTF-8' };

/** Whether a field of a CSV file stands for a cell; numbers are compared by value. */
function means(field: string, cell: Cell | undefined): boolean {
  if (cell === null || cell === undefined) return field === '';
  if (typeof cell === 'object') return means(field, cell.result ?? null);
  if (typeof cell === 'number') return field.trim() !== '' && Number(field) === cell;
  if (typeof cell === 'boolean') return field.toLowerCase() === String(cell);
  return field === cell;
}

/** Compares the bytes of a CSV file with a specified table. */
export function compareCsv(bytes: Uint8Array, table: Table): Check[] {
  const content = decode(bytes);
  if (content === undefined) return [notText];
  const parsed = Papa.parse<string[]>(content.replace(/\r?\n$/, ''), { delimiter: ',', skipEmptyLines: false });
  const [header = [], ...rows] = parsed.data;
  const names = table.columns.map((column) => column.name);
  const differences: string[] = [];
  table.rows.forEach((row, index) => {
    names.forEach((name, column) => {
      const field = rows[index]?.[column] ?? '';
      if (!means(field, row[column]))
        differences.push(
          `row ${index + 1}, ${name}: expected ${JSON.stringify(row[column] ?? null)}, found ${JSON.stringify(field)}`,
        );
    });
  });
  return [
    { check: 'syntax', ok: parsed.errors.length === 0, detail: parsed.errors[0]?.message ?? 'the file parses as CSV' },
    {
      check: 'header',
      ok: names.join('\n') === header.join('\n'),
      detail: `expected ${names.join(', ')}; found ${header.join(', ')}`,
    },
    {
      check: 'rows',
      ok: rows.length === table.rows.length,
      detail: `expected ${table.rows.length}; found ${rows.length}`,
    },
    {
      check: 'every cell',
      ok: differences.length === 0,
      detail:
        differences.length === 0
          ? `${table.rows.length * names.length} cells are as specified`
          : differences.slice(0, MOST_DIFFERENCES).join('; '),
    },
  ];
}

/** Compares the bytes of a text file with a specified text, line by line; blank lines at the end do not count. */
export function compareText(bytes: Uint8Array, text: string): Check[] {
  const content = decode(bytes);
  if (content === undefined) return [notText];
  const lines = (value: string) => value.replace(/\r\n?/g, '\n').trimEnd().split('\n');
  const [wanted, found] = [lines(text), lines(content)];
  const index = wanted.findIndex((line, at) => line !== found[at]);
  const same = index < 0 && wanted.length === found.length;
  const at = index < 0 ? wanted.length : index;
  const detail = same
    ? `${wanted.length} lines are as specified`
    : `line ${at + 1}: expected ${JSON.stringify(wanted[at] ?? null)}, found ${JSON.stringify(found[at] ?? null)}`;
  return [{ check: 'every line', ok: same, detail }];
}
