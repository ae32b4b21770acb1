import { ForgeError } from '@cua-forge/spec/errors';
import type { Json, JsonObject } from '@cua-forge/spec/json';
import { meant } from '@cua-forge/spec/nearest';
import { Cell, type Column, type ColumnType, Table } from '@cua-forge/spec/task';
import { z } from 'zod';
import { isIsoDate, shown } from '../cell-values.ts';
import { columnTypeOf } from '../column-types.ts';

export type Scalar = string | number | boolean | null;

/** A table while steps work on it. Column names are unique; each row has a value for each column. */
export interface Frame {
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly Scalar[])[];
}

/** More rows than any task needs: a join that multiplies stops here. */
export const MAX_ROWS = 200_000;

const Heading = z.union([z.string(), z.looseObject({ name: z.string() })]);
const Tabular = z.looseObject({ columns: z.array(Heading).min(1), rows: z.array(z.array(Cell)) });
const Objects = z.array(z.record(z.string(), z.unknown()));

/** What is wrong, with the step it went wrong in. */
export const wrong = (where: string, message: string, fix: string): ForgeError =>
  new ForgeError('params.invalid', `${where}: ${message}`, { fix });

const wrongInput = (where: string, message: string): ForgeError =>
  new ForgeError('input.invalid', `${where}: ${message}`, {
    fix: 'Give a table ({columns, rows}) or a list of objects whose members are texts, numbers, true, false or null.',
  });

/**
 * Reads a table, or a list of objects whose members become columns in the order they first appear.
 * @throws ForgeError `input.invalid`; `where` names what is read
 */
export function frameFrom(value: Json, where: string): Frame {
  const table = Tabular.safeParse(value);
  if (table.success) return fromTable(table.data, where);
  const objects = Objects.safeParse(value);
  if (objects.success) return fromObjects(objects.data, where);
  throw wrongInput(where, 'this is neither a table nor a list of objects.');
}

function fromTable({ columns, rows }: z.infer<typeof Tabular>, where: string): Frame {
  const names = columns.map((column) => (typeof column === 'string' ? column : column.name));
  const long = rows.findIndex((row) => row.length > names.length);
  if (long >= 0) throw wrongInput(where, `row ${long + 1} has more cells than there are columns.`);
  const cells = rows.map((row) => names.map((_, index) => shown(row[index])));
  const known = Table.shape.columns.safeParse(columns);
  return checked({ columns: known.data ?? inferred(names, cells), rows: cells }, where);
}

function fromObjects(objects: z.infer<typeof Objects>, where: string): Frame {
  const names = [...new Set(objects.flatMap((object) => Object.keys(object)))];
  if (names.length === 0) throw wrongInput(where, 'the list is empty, or its objects have no members.');
  const rows = objects.map((object, index) =>
    names.map((name): Scalar => {
      const cell = Cell.safeParse(Object.hasOwn(object, name) ? object[name] : null);
      if (cell.success) return shown(cell.data);
      throw wrongInput(where, `"${name}" of object ${index + 1} is a list or an object.`);
    }),
  );
  return checked({ columns: inferred(names, rows), rows }, where);
}

const inferred = (names: readonly string[], rows: Frame['rows']): Column[] =>
  names.map((name, index) => ({ name, type: inferredType(rows.map((row) => row[index] ?? null)) }));

export const inferredType = (values: readonly Scalar[]): ColumnType => columnTypeOf(values, undefined, 'iso');

/** The frame, when its columns have different names and its rows are not too many. */
export function checked(frame: Frame, where: string): Frame {
  const seen = new Set<string>();
  for (const { name } of frame.columns) {
    if (seen.has(name)) throw wrong(where, `two columns have the name "${name}".`, 'Rename or leave out one of them.');
    seen.add(name);
  }
  if (frame.rows.length > MAX_ROWS)
    throw wrong(
      where,
      `the table would have ${frame.rows.length} rows.`,
      `Filter first; at most ${MAX_ROWS} are allowed.`,
    );
  return frame;
}

/** Place of a column. @throws ForgeError `params.invalid` that names the column, and what may have been meant */
export function placeOf(frame: Frame, name: string, where: string): number {
  const index = frame.columns.findIndex((column) => column.name === name);
  if (index >= 0) return index;
  const names = frame.columns.map((column) => column.name);
  throw wrong(where, `there is no column "${name}".`, meant(name, names));
}

/** A row as expressions see it. */
export const asObject = ({ columns }: Frame, row: readonly Scalar[]): JsonObject =>
  Object.fromEntries(columns.map(({ name }, index) => [name, row[index] ?? null]));

/** A scalar that an expression gave. */
export function scalarOf(value: Json, where: string, column: string, row: number): Scalar {
  if (value === null || typeof value !== 'object') return value;
  throw wrong(
    where,
    `"${column}" of row ${row + 1} would be ${Array.isArray(value) ? 'a list' : 'an object'}.`,
    'Let the expression give a text, a number, true or false.',
  );
}

/** The value as one of the type. @throws ForgeError `params.invalid` that names column, row and value */
export function cast(value: Scalar, type: ColumnType, where: string, column: string, row: number): Scalar {
  if (value === null || (value === '' && type !== 'text')) return null;
  const made = castOrUndefined(value, type);
  if (made !== undefined) return made;
  const shownValue = JSON.stringify(value).slice(0, 80);
  throw wrong(
    where,
    `${shownValue} in row ${row + 1} of "${column}" is no ${type}.`,
    'Correct the value, filter the row, or use another type.',
  );
}

function castOrUndefined(value: string | number | boolean, type: ColumnType): Scalar | undefined {
  switch (type) {
    case 'text':
      return String(value);
    case 'boolean':
      if (typeof value === 'boolean') return value;
      return value === 'true' ? true : value === 'false' ? false : undefined;
    case 'date':
      return isIsoDate(value) ? value : undefined;
    case 'integer': {
      const number = numberFrom(value);
      return number !== undefined && Number.isInteger(number) ? number : undefined;
    }
    default:
      return numberFrom(value);
  }
}

function numberFrom(value: string | number | boolean): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  return typeof value === 'string' && /^\s*[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?\s*$/i.test(value)
    ? Number(value)
    : undefined;
}

/** Text that is equal for equal values of equal type. */
export const keyOf = (values: readonly Scalar[]): string => JSON.stringify(values);
