import { cellAddress } from '@cua-forge/spec/cell-address';
import { baseName } from '@cua-forge/spec/required-file';
import type { Cell, Column, RequiredFile, TaskSpecification } from '@cua-forge/spec/task';

/** A table of a required file, with what stands around it. */
export interface SpecTable {
  /** Name of the file, without folder. */
  file: string;
  /** Name of the sheet; empty for a file that has none. */
  sheet: string;
  columns: Column[];
  rows: Cell[][];
  /** Free cells of the sheet, as text or number. */
  notes: Cell[];
  /** Where a cell stands, for people: `Orders!B4`. */
  placeOf(row: number, column: number): string;
}

/** What a cell shows: the cached result of a formula, otherwise its value. */
export const shownIn = (cell: Cell | undefined): string | number | boolean | null =>
  typeof cell === 'object' && cell !== null ? (cell.result ?? null) : (cell ?? null);

export const isEmpty = (cell: Cell | undefined): boolean => {
  const shown = shownIn(cell);
  return shown === null || (typeof shown === 'string' && shown.trim() === '');
};

export function tablesOf(files: readonly RequiredFile[]): SpecTable[] {
  return files.flatMap((file): SpecTable[] => {
    const name = baseName(file.path);
    if (file.type === 'csv') {
      const { columns, rows } = file.content;
      const placeOf = (row: number, column: number) =>
        `${name}, row ${row + 1}, ${columns[column]?.name ?? column + 1}`;
      return [{ file: name, sheet: '', columns, rows, notes: [], placeOf }];
    }
    if (file.type !== 'xlsx') return [];
    return file.content.sheets.map((sheet) => ({
      file: name,
      sheet: sheet.name,
      columns: sheet.columns,
      rows: sheet.rows,
      notes: Object.values(sheet.notes),
      placeOf: (row, column) => `${sheet.name}!${cellAddress(sheet.headerRow + 1 + row, sheet.firstColumn + column)}`,
    }));
  });
}

/** Every text inside a value, whatever its shape. */
export function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

/** What the specification says in words: outcome, requirements, constraints, scenario. */
export const wordsOf = ({ outcome, constraints, scenario }: TaskSpecification): string[] => [
  outcome.summary,
  ...outcome.requirements.map(({ text }) => text),
  ...constraints,
  ...textsIn(scenario),
];

/** What a column shows, top to bottom. */
export const valuesOf = ({ rows }: SpecTable, column: number) => rows.map((row) => shownIn(row[column]));

/** Text as it is compared: form, case and spaces do not count. */
export const loose = (text: string): string => text.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ').trim();

/** Whether the row is one of totals, by its first text. */
export function isTotalRow(row: readonly Cell[]): boolean {
  const label = row.map(shownIn).find((cell) => typeof cell === 'string' && cell.trim() !== '');
  return typeof label === 'string' && /^(?:grand |sub-?)?(?:totals?|sums?|overall)\b[\s:]*$/i.test(label.trim());
}
