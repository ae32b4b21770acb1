import { Json } from '@cua-forge/spec/json';
import { z } from 'zod';
import { isIsoDate } from './cell-values.ts';
import { ExpressionText } from './expression.ts';

const Name = z.string().regex(/^[A-Za-z][A-Za-z0-9_-]{0,63}$/, 'letters, digits, _ and -, starting with a letter');
const Day = z.string().refine((text) => text.length === 10 && isIsoDate(text), 'a date such as 2024-12-31');
const from = ExpressionText.optional().describe(
  'Where the options come from: JSONata over the input ports, giving a list.',
);
const Weights = z
  .array(z.number().nonnegative())
  .min(1)
  .optional()
  .describe('One for each option; left out, all are equal.');

/** Draws of one value; also what the columns of a table are made of. */
const single = [
  z.strictObject({ type: z.literal('choice'), options: z.array(Json).min(1).optional(), weights: Weights, from }),
  z.strictObject({ type: z.literal('integer'), min: z.number().int(), max: z.number().int() }),
  z.strictObject({
    type: z.literal('number'),
    min: z.number(),
    max: z.number(),
    decimals: z.number().int().min(0).max(9).default(2),
  }),
  z.strictObject({ type: z.literal('amount'), min: z.number().nonnegative(), max: z.number().positive() }),
  z.strictObject({ type: z.literal('date'), min: Day, max: Day }),
  z.strictObject({ type: z.literal('boolean'), probability: z.number().min(0).max(1).default(0.5) }),
  z.strictObject({ type: z.literal('person') }),
  z.strictObject({ type: z.literal('name') }),
  z.strictObject({ type: z.literal('job') }),
  z.strictObject({ type: z.literal('company') }),
  z.strictObject({ type: z.literal('city') }),
  z.strictObject({ type: z.literal('product') }),
  z.strictObject({ type: z.literal('sentence') }),
  z.strictObject({
    type: z.literal('sequence'),
    prefix: z.string().default(''),
    start: z.number().int().default(1),
    digits: z.number().int().min(1).max(12).default(4),
  }),
] as const;

export const ValueDraw = z.discriminatedUnion('type', single);
export type ValueDraw = z.infer<typeof ValueDraw>;

const named = { name: Name };
const list = { options: z.array(Json).min(1).optional(), from };

/** A named draw of data.sample. */
export const Draw = z.discriminatedUnion('type', [
  single[0].extend(named),
  single[1].extend(named),
  single[2].extend(named),
  single[3].extend(named),
  single[4].extend(named),
  single[5].extend(named),
  single[6].extend(named),
  single[7].extend(named),
  single[8].extend(named),
  single[9].extend(named),
  single[10].extend(named),
  single[11].extend(named),
  single[12].extend(named),
  single[13].extend(named),
  z.strictObject({ type: z.literal('shuffle'), ...named, ...list }),
  z.strictObject({
    type: z.literal('subset'),
    ...named,
    ...list,
    min: z.number().int().min(0).default(1),
    max: z.number().int().min(1).optional(),
  }),
  z.strictObject({
    type: z.literal('table'),
    ...named,
    minRows: z.number().int().min(1).max(10_000),
    maxRows: z.number().int().min(1).max(10_000),
    columns: z
      .array(z.strictObject({ name: z.string().min(1), value: ValueDraw }))
      .min(1)
      .max(100),
  }),
]);
export type Draw = z.infer<typeof Draw>;

/** What is contradictory in a draw, or undefined. */
export function contradictionIn(draw: Draw | ValueDraw): string | undefined {
  if (draw.type === 'choice' || draw.type === 'shuffle' || draw.type === 'subset') {
    if ((draw.options === undefined) === (draw.from === undefined)) return 'give either options or from';
  }
  if (draw.type === 'choice' && draw.weights !== undefined) {
    if (draw.options !== undefined && draw.weights.length !== draw.options.length)
      return 'give one weight for each option';
    if (draw.weights.every((weight) => weight === 0)) return 'one weight must be above zero';
  }
  if ('min' in draw && 'max' in draw && draw.max !== undefined && draw.min > draw.max) return 'min is above max';
  if (draw.type === 'table') {
    if (draw.minRows > draw.maxRows) return 'minRows is above maxRows';
    for (const column of draw.columns) {
      const problem = contradictionIn(column.value);
      if (problem !== undefined) return `column ${column.name}: ${problem}`;
    }
  }
  return undefined;
}
