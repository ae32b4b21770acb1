import { z } from 'zod';

const argb = z.string().regex(/^[0-9A-F]{8}$/, 'ARGB without #, for example FF1F4E78');

/** A cell or a range such as `B4` or `B4:D20`, on its own sheet. */
export const CellRange = z
  .string()
  .regex(/^[A-Z]{1,3}[1-9][0-9]{0,6}(:[A-Z]{1,3}[1-9][0-9]{0,6})?$/, 'a range such as B4:D20');
export type CellRange = z.infer<typeof CellRange>;

const Edge = z.strictObject({
  line: z.enum(['thin', 'medium', 'thick', 'double', 'dotted', 'dashed']),
  color: argb.optional(),
});

/** How cells look. What is left out stays as it was. */
export const CellStyle = z.strictObject({
  numberFormat: z.string().min(1).optional(),
  font: z
    .strictObject({
      name: z.string().min(1).optional(),
      size: z.number().positive().max(400).optional(),
      bold: z.boolean().optional(),
      italic: z.boolean().optional(),
      underline: z.boolean().optional(),
      strike: z.boolean().optional(),
      color: argb.optional(),
    })
    .optional(),
  fill: argb.optional(),
  border: z
    .strictObject({ top: Edge.optional(), right: Edge.optional(), bottom: Edge.optional(), left: Edge.optional() })
    .optional(),
  align: z
    .strictObject({
      horizontal: z.enum(['left', 'center', 'right']).optional(),
      vertical: z.enum(['top', 'middle', 'bottom']).optional(),
      wrap: z.boolean().optional(),
      indent: z.number().int().min(0).max(15).optional(),
    })
    .optional(),
});
export type CellStyle = z.infer<typeof CellStyle>;

/** What a conditional format does to the cells it applies to. */
export const HighlightFormat = z.strictObject({
  fill: argb.optional(),
  color: argb.optional(),
  bold: z.boolean().optional(),
  italic: z.boolean().optional(),
  strike: z.boolean().optional(),
});
export type HighlightFormat = z.infer<typeof HighlightFormat>;

const format = HighlightFormat;
/** A number, a text in quotation marks, or a formula; formulas are written for the range's first cell. */
const operand = z.union([z.number(), z.string().min(1)]);
const ScalePoint = z.strictObject({
  at: z.enum(['min', 'max', 'percentile', 'number']),
  value: z.number().optional(),
  color: argb,
});

/** When cells of a range are highlighted, and how. */
export const ConditionalRule = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('cell'),
    operator: z.enum([
      'greaterThan',
      'greaterThanOrEqual',
      'lessThan',
      'lessThanOrEqual',
      'equal',
      'notEqual',
      'between',
      'notBetween',
    ]),
    values: z.array(operand).min(1).max(2),
    format,
  }),
  z.strictObject({
    type: z.literal('top'),
    /** A number of cells, or a percentage of them. */
    count: z.number().int().min(1).max(1000),
    percent: z.boolean().default(false),
    bottom: z.boolean().default(false),
    format,
  }),
  z.strictObject({ type: z.literal('average'), above: z.boolean(), format }),
  z.strictObject({ type: z.literal('duplicates'), unique: z.boolean().default(false), format }),
  z.strictObject({
    type: z.literal('text'),
    operator: z.enum(['contains', 'notContains', 'beginsWith', 'endsWith']),
    text: z.string().min(1),
    format,
  }),
  z.strictObject({ type: z.literal('blanks'), format }),
  z.strictObject({ type: z.literal('formula'), formula: z.string().min(1), format }),
  z.strictObject({ type: z.literal('data-bar'), color: argb }),
  z.strictObject({ type: z.literal('color-scale'), points: z.array(ScalePoint).min(2).max(3) }),
  z.strictObject({
    type: z.literal('icons'),
    set: z.enum(['3Arrows', '3TrafficLights1', '3Symbols', '3Flags', '4Arrows', '5Arrows', '5Rating']),
  }),
]);
export type ConditionalRule = z.infer<typeof ConditionalRule>;

/** Rules of one range, the first one first in priority; earlier entries of a sheet come before later ones. */
export const ConditionalFormat = z.strictObject({ range: CellRange, rules: z.array(ConditionalRule).min(1) });
export type ConditionalFormat = z.infer<typeof ConditionalFormat>;

/** What may be entered into cells. */
export const Validation = z.strictObject({
  range: CellRange,
  rule: z.discriminatedUnion('type', [
    /** Either the entries themselves or a range such as `Lists!$A$2:$A$9`. */
    z.strictObject({
      type: z.literal('list'),
      entries: z.array(z.string().min(1)).min(1).optional(),
      from: z.string().min(1).optional(),
    }),
    z.strictObject({
      type: z.enum(['whole', 'decimal', 'date', 'text-length']),
      operator: z.enum([
        'between',
        'notBetween',
        'greaterThanOrEqual',
        'lessThanOrEqual',
        'greaterThan',
        'lessThan',
        'equal',
      ]),
      /** Dates are ISO days. */
      values: z
        .array(z.union([z.number(), z.string().min(1)]))
        .min(1)
        .max(2),
    }),
    z.strictObject({ type: z.literal('custom'), formula: z.string().min(1) }),
  ]),
  allowBlank: z.boolean().default(true),
  /** Shown beside the cell. */
  prompt: z.string().optional(),
  /** Shown when an entry is refused. */
  error: z.string().optional(),
});
export type Validation = z.infer<typeof Validation>;

/** Makes the sheet's table an Excel table object of this name, with a filter button in each heading. */
export const TableObject = z.strictObject({
  name: z.string().regex(/^[A-Za-z_][A-Za-z0-9_.]{0,254}$/, 'letters, digits, _ and .'),
  theme: z
    .string()
    .regex(/^TableStyle(Light|Medium|Dark)[0-9]{1,2}$/)
    .default('TableStyleMedium2'),
  banded: z.boolean().default(true),
});
export type TableObject = z.infer<typeof TableObject>;

/** A name for a range of the workbook, for example `Rates` for `Lists!$A$2:$B$9`. */
export const DefinedName = z.strictObject({
  name: z.string().regex(/^[A-Za-z_][A-Za-z0-9_.]{0,254}$/, 'letters, digits, _ and .'),
  refersTo: z
    .string()
    .regex(/^('[^']+'|[^'!]+)!\$[A-Z]{1,3}\$[1-9][0-9]*(:\$[A-Z]{1,3}\$[1-9][0-9]*)?$/, 'Sheet!$A$1:$B$9'),
});
export type DefinedName = z.infer<typeof DefinedName>;
