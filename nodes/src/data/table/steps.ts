import { Column, ColumnType } from '@cua-forge/spec/task';
import { z } from 'zod';
import { ExpressionText } from '../expression.ts';

const Name = z.string().min(1).max(200).describe('Name of a column.');
const Names = z.array(Name).min(1).max(200);
const Other = z.string().min(1).describe('Name of a further input of the node that holds the other table.');

/** Ways to make one value of many. Empty cells do not count; `count` without a column counts rows. */
export const Total = z.enum(['count', 'distinct', 'sum', 'mean', 'median', 'min', 'max', 'first', 'last', 'join']);
export type Total = z.infer<typeof Total>;

const Selected = z.union([Name, z.strictObject({ column: Name, as: Name })]);

/** One step of data.table: it takes a table and gives one. Expressions see one row as an object, column name → value. */
export const Step = z.discriminatedUnion('op', [
  z.strictObject({
    op: z.literal('rows').describe('Begins anew with the rows given here.'),
    columns: z.array(Column).min(1).max(200),
    rows: z.array(z.array(z.union([z.string(), z.number(), z.boolean(), z.null()]))).max(10_000),
  }),
  z.strictObject({
    op: z
      .literal('from')
      .describe('Begins anew with a list of objects, or a table, that an expression finds in the inputs.'),
    expression: ExpressionText,
  }),
  z.strictObject({
    op: z.literal('select').describe('Keeps these columns, in this order; {column, as} renames one.'),
    columns: z.array(Selected).min(1).max(200),
  }),
  z.strictObject({ op: z.literal('drop').describe('Leaves these columns out.'), columns: Names }),
  z.strictObject({
    op: z.literal('rename').describe('Gives columns other names.'),
    columns: z.record(z.string(), Name).describe('Old name → new name.'),
  }),
  z.strictObject({
    op: z.literal('type').describe('Reads columns as another type; a value that is none of it is an error.'),
    columns: z.record(z.string(), ColumnType).describe('Column → type.'),
  }),
  z.strictObject({
    op: z.literal('compute').describe('Adds or replaces a column, computed from each row.'),
    column: Name,
    type: ColumnType.optional().describe('Left out, what the values look like.'),
    value: ExpressionText,
  }),
  z.strictObject({
    op: z.literal('fill').describe('Puts a value where these columns are empty.'),
    columns: Names,
    value: z.union([z.string(), z.number(), z.boolean()]),
  }),
  z.strictObject({
    op: z.literal('filter').describe('Keeps the rows for which the expression is true.'),
    where: ExpressionText,
  }),
  z.strictObject({
    op: z.literal('sort').describe('Sorts by columns; equal rows keep their order, empty cells come last.'),
    by: z
      .array(z.union([Name, z.strictObject({ column: Name, descending: z.boolean().default(false) })]))
      .min(1)
      .max(20),
  }),
  z.strictObject({
    op: z.literal('limit').describe('Keeps some rows from the beginning.'),
    count: z.number().int().min(0),
    skip: z.number().int().min(0).default(0),
  }),
  z.strictObject({
    op: z.literal('unique').describe('Keeps the first of rows that are equal in these columns.'),
    columns: Names.optional().describe('Left out, all.'),
  }),
  z.strictObject({
    op: z
      .literal('group')
      .describe('One row for each combination of values, in the order they first appear, with totals.'),
    by: z.array(Name).max(20).default([]).describe('None: one row for the whole table.'),
    totals: z
      .array(z.strictObject({ as: Name, total: Total, column: Name.optional().describe('Not needed for count.') }))
      .max(50)
      .default([]),
  }),
  z.strictObject({
    op: z.literal('join').describe('Puts the columns of another table beside the rows that have the same keys.'),
    with: Other,
    on: z
      .array(z.union([Name, z.strictObject({ left: Name, right: Name })]))
      .min(1)
      .max(10),
    keep: z
      .enum(['matching', 'left', 'unmatched'])
      .default('matching')
      .describe('matching: rows with a partner; left: all rows of this table; unmatched: those without one.'),
    columns: Names.optional().describe('Columns of the other table to take; left out, all but the keys.'),
    prefix: z.string().max(50).default('').describe('Put before the names of the columns that are taken.'),
  }),
  z.strictObject({
    op: z.literal('append').describe('Adds the rows of another table; columns that one of them lacks are empty.'),
    with: Other,
  }),
  z.strictObject({
    op: z.literal('pivot').describe('Makes a column of each value of one column, with a total in each cell.'),
    rows: Names.describe('Columns whose combinations are the rows.'),
    columns: Name.describe('Column whose values become columns, in their order.'),
    value: Name.optional().describe('Column that is totalled; not needed for count.'),
    total: Total.default('sum'),
    fill: z.union([z.string(), z.number(), z.null()]).default(null).describe('Cell of a combination that has no rows.'),
  }),
  z.strictObject({
    op: z.literal('unpivot').describe('Makes rows of columns: one for each, with its name and its value.'),
    columns: Names,
    name: Name.default('Name'),
    value: Name.default('Value'),
  }),
]);
export type Step = z.infer<typeof Step>;
