import { cellAddress } from '@cua-forge/spec/cell-address';
import type { Cell, Column, Sheet, Workbook } from '@cua-forge/spec/task';
import { z } from 'zod';
import { type Check, check } from '../evidence.ts';
import { isRealDate } from '../spec/real-date.ts';
import { isEmpty, loose, shownIn } from '../spec/spec-tables.ts';

const sheet = z.string().min(1).describe('Name of the sheet.');
const Bound = z.union([z.number(), z.string()]);

/** What must hold in a workbook beyond what its columns say themselves. */
export const TableRules = z.strictObject({
  keys: z
    .array(z.strictObject({ sheet, columns: z.array(z.string()).min(1) }))
    .default([])
    .describe('Columns whose values, taken together, tell the rows of a sheet apart.'),
  references: z
    .array(z.strictObject({ sheet, column: z.string(), toSheet: z.string(), toColumn: z.string() }))
    .default([])
    .describe('Columns whose values must occur in a column of another sheet.'),
  required: z
    .array(z.strictObject({ sheet, columns: z.array(z.string()).min(1) }))
    .default([])
    .describe('Columns without empty cells.'),
  bounds: z
    .array(
      z.strictObject({
        sheet,
        column: z.string(),
        minimum: Bound.optional(),
        maximum: Bound.optional(),
        oneOf: z.array(Bound).optional(),
      }),
    )
    .default([])
    .describe('Least and largest values, or the only values, of a column; dates as yyyy-mm-dd.'),
});
export type TableRules = z.infer<typeof TableRules>;

const place = (of: Sheet, row: number, column: number) =>
  `${of.name}!${cellAddress(of.headerRow + 1 + row, of.firstColumn + column)}`;

const fits: Record<Column['type'], (value: string | number | boolean) => boolean> = {
  text: (value) => typeof value === 'string',
  integer: (value) => typeof value === 'number' && Number.isInteger(value),
  number: (value) => typeof value === 'number',
  currency: (value) => typeof value === 'number',
  percent: (value) => typeof value === 'number',
  date: (value) => typeof value === 'string' && isRealDate(value),
  boolean: (value) => typeof value === 'boolean',
};

/** A column of mixed values is read as one of texts: in it, only an odd number out is wrong. */
function isMixed(of: Sheet, column: number): boolean {
  const shown = of.rows.map((row) => shownIn(row[column])).filter((value) => value !== null && value !== '');
  return shown.filter((value) => typeof value !== 'string').length > shown.length * 0.25;
}

function wrongTypes(of: Sheet): string[] {
  const mixed = of.columns.map(({ type }, column) => type === 'text' && isMixed(of, column));
  return of.rows.flatMap((row, at) =>
    of.columns.flatMap(({ type, name }, column) => {
      const cell = row[column];
      // A formula without a cached value shows nothing yet.
      const value = shownIn(cell);
      return isEmpty(cell) || value === null || mixed[column] === true || fits[type](value)
        ? []
        : [`${place(of, at, column)} (${name}, ${type}) is ${JSON.stringify(value)}`];
    }),
  );
}

class Rows {
  readonly problems: string[] = [];
  constructor(private readonly workbook: Workbook) {}

  /** The cells of a column; a rule for what is not there is itself a problem. */
  column(
    sheetName: string,
    columnName: string,
  ): { of: Sheet; cells: { at: number; column: number; cell: Cell | undefined }[] } | undefined {
    const of = this.workbook.sheets.find(({ name }) => name === sheetName);
    const column = of?.columns.findIndex(({ name }) => name === columnName) ?? -1;
    if (of === undefined || column < 0) {
      this.problems.push(
        of === undefined ? `there is no sheet ${sheetName}` : `${sheetName} has no column ${columnName}`,
      );
      return undefined;
    }
    return { of, cells: of.rows.map((row, at) => ({ at, column, cell: row[column] })) };
  }
}

const keyOf = (cell: Cell | undefined) => {
  const value = shownIn(cell);
  return typeof value === 'string' ? value.trim() : value;
};

/** All that can be wrong in the tables of a workbook, without knowing what they are about. */
export function tableChecks(workbook: Workbook, rules: TableRules): Check[] {
  const { sheets } = workbook;
  const rows = new Rows(workbook);
  const twice = sheets.filter(
    ({ name }, index) => sheets.findIndex((other) => loose(other.name) === loose(name)) !== index,
  );
  const unfit = sheets.filter(({ name }) => /[[\]:*?/\\]|^'|'$/.test(name));
  const headings = sheets.flatMap((of) =>
    of.columns.flatMap(({ name }, index) => {
      const where = place(of, -1, index);
      if (name.trim() === '') return [`${where} is blank`];
      return of.columns.findIndex((other) => loose(other.name) === loose(name)) === index
        ? []
        : [`${where} is “${name}” again`];
    }),
  );
  const widths = sheets.flatMap((of) =>
    of.rows.flatMap((row, at) =>
      row.length === of.columns.length
        ? []
        : [`row ${of.headerRow + 1 + at} of ${of.name} has ${row.length} cells, not ${of.columns.length}`],
    ),
  );
  const empty = rules.required.flatMap(({ sheet: name, columns }) =>
    columns.flatMap((one) => {
      const found = rows.column(name, one);
      return found === undefined
        ? []
        : found.cells
            .filter(({ cell }) => isEmpty(cell))
            .map(({ at, column }) => `${place(found.of, at, column)} (${one}) is empty`);
    }),
  );
  const keys = rules.keys.flatMap(({ sheet: name, columns }) => {
    const parts = columns.map((one) => rows.column(name, one));
    const seen = new Set<string>();
    const of = parts[0]?.of;
    return (of?.rows ?? []).flatMap((_, at) => {
      const values = parts.map((part) => keyOf(part?.cells[at]?.cell));
      const key = JSON.stringify(values);
      const again = seen.has(key);
      seen.add(key);
      if (values.every((value) => value === null || value === '')) return [];
      return again ? [`${columns.join(' and ')} ${values.join(', ')} is in ${name} more than once`] : [];
    });
  });
  const references = rules.references.flatMap(({ sheet: name, column, toSheet, toColumn }) => {
    const [from, to] = [rows.column(name, column), rows.column(toSheet, toColumn)];
    if (from === undefined || to === undefined) return [];
    const known = new Set(to.cells.map(({ cell }) => keyOf(cell)));
    return from.cells
      .filter(({ cell }) => !isEmpty(cell) && !known.has(keyOf(cell)))
      .map(
        ({ at, column: index, cell }) =>
          `${place(from.of, at, index)}: ${String(keyOf(cell))} is not in ${toColumn} of ${toSheet}`,
      );
  });
  const bounds = rules.bounds.flatMap(({ sheet: name, column, minimum, maximum, oneOf }) => {
    const found = rows.column(name, column);
    if (found === undefined) return [];
    const outside = (value: string | number | boolean | null) => {
      if (typeof value === 'boolean' || value === null) return oneOf !== undefined;
      const below = minimum !== undefined && (typeof value !== typeof minimum || value < minimum);
      const above = maximum !== undefined && (typeof value !== typeof maximum || value > maximum);
      return below || above || (oneOf !== undefined && !oneOf.includes(value));
    };
    return found.cells
      .filter(({ cell }) => !isEmpty(cell) && outside(shownIn(cell)))
      .map(
        ({ at, column: index, cell }) =>
          `${place(found.of, at, index)} (${column}) is ${JSON.stringify(shownIn(cell))}`,
      );
  });
  const cells = sheets.reduce((total, of) => total + of.columns.length * of.rows.length, 0);
  const correct = (problem: string) => `${problem}; correct it.`;
  return [
    check(
      'sheets have names of their own',
      [
        ...twice.map(({ name }) => `${name} is there twice`),
        ...unfit.map(({ name }) => `${name} has a character that no sheet may have`),
      ],
      `${sheets.length} sheets`,
      correct,
    ),
    check('headings have names of their own', headings, 'all have', correct),
    check('rows are as wide as the header', widths, 'all are', correct),
    check('cells have the type of their column', sheets.flatMap(wrongTypes), `${cells} cells looked at`, correct),
    check('required cells are filled', empty, `${rules.required.length} rules`, correct),
    check('keys are unique', keys, `${rules.keys.length} keys`, correct),
    check('references resolve', references, `${rules.references.length} references`, correct),
    check('values are within bounds', bounds, `${rules.bounds.length} rules`, correct),
    check('rules are about what is there', [...new Set(rows.problems)], 'they are', correct),
  ];
}
