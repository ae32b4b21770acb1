import { z } from 'zod';

const Rgb = z.string().regex(/^[0-9A-F]{6}$/);
const Line = z.string().min(1).max(2_000);

const Heading = z.strictObject({
  type: z.literal('heading'),
  text: Line,
  /** Points. */
  size: z.number().min(6).max(72).default(16),
  align: z.enum(['left', 'center', 'right']).default('left'),
});
const Text = z.strictObject({
  type: z.literal('text'),
  text: Line,
  bold: z.boolean().default(false),
  size: z.number().min(6).max(72).default(10),
  align: z.enum(['left', 'center', 'right', 'justify']).default('left'),
});
/** Blocks of lines beside one another, as sender and recipient of a letter. */
const Columns = z.strictObject({
  type: z.literal('columns'),
  columns: z
    .array(z.strictObject({ lines: z.array(Line), align: z.enum(['left', 'right']).default('left') }))
    .min(2)
    .max(4),
});
/** A table; its headings are repeated on every page that it reaches. */
const PageTable = z.strictObject({
  type: z.literal('table'),
  columns: z
    .array(
      z.strictObject({
        name: Line,
        /** Share of the width. */
        share: z.number().positive(),
        align: z.enum(['left', 'right']).default('left'),
      }),
    )
    .min(1)
    .max(10),
  rows: z.array(z.array(z.string().max(500))),
  look: z.enum(['grid', 'lines', 'banded', 'plain']).default('lines'),
});
const Space = z.strictObject({ type: z.literal('space'), height: z.number().min(1).max(600) });
const Rule = z.strictObject({ type: z.literal('rule') });
const PageBreak = z.strictObject({ type: z.literal('page-break') });

export const PageBlock = z.discriminatedUnion('type', [Heading, Text, Columns, PageTable, Space, Rule, PageBreak]);
export type PageBlock = z.infer<typeof PageBlock>;

/** Laid out pages as data: what the `pdf` preparer writes. Sizes are in points. */
export const PageDocument = z.strictObject({
  title: Line,
  paper: z.enum(['A4', 'Letter']),
  margin: z.number().min(18).max(200),
  font: z.enum(['sans', 'serif', 'mono']),
  /** Colour of headings and of table headings. */
  accent: Rgb,
  blocks: z.array(PageBlock).min(1),
  /** Stands at the foot of every page; `{page}` and `{pages}` are its number and their count. */
  footer: z.string().max(300).optional(),
});
export type PageDocument = z.infer<typeof PageDocument>;
