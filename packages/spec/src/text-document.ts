import { z } from 'zod';

/** RGB without '#', for example 1F4E78. */
const Rgb = z.string().regex(/^[0-9A-F]{6}$/);
/** Points: 72 to the inch. */
const Points = z.number().min(0).max(2_000);

/** Text of one look. Left out means: as the paragraph's style has it. */
export const Run = z.strictObject({
  text: z.string(),
  bold: z.boolean().optional(),
  italic: z.boolean().optional(),
  underline: z.boolean().optional(),
  size: z.number().positive().max(400).optional(),
  color: Rgb.optional(),
  font: z.string().min(1).optional(),
  /** The number of the page or of all pages, in place of the text. */
  field: z.enum(['page', 'pages']).optional(),
});
export type Run = z.infer<typeof Run>;

export const Alignment = z.enum(['left', 'center', 'right', 'justify']);
export type Alignment = z.infer<typeof Alignment>;

export const Paragraph = z.strictObject({
  type: z.literal('paragraph'),
  /** Name as people see it: Normal, Title, Heading 1, … */
  style: z.string().min(1),
  runs: z.array(Run),
  align: Alignment.optional(),
  /** Member of an automatic list. Paragraphs with the same `id` are counted together; `level` is from 0. */
  list: z
    .strictObject({ kind: z.enum(['number', 'bullet']), id: z.string().min(1), level: z.number().int().min(0).max(8) })
    .optional(),
  /** Space above and below in points, distance of lines as a multiple. */
  before: Points.optional(),
  after: Points.optional(),
  lines: z.number().positive().max(10).optional(),
  pageBreakBefore: z.boolean().optional(),
});
export type Paragraph = z.infer<typeof Paragraph>;

export const TextTable = z.strictObject({
  type: z.literal('table'),
  rows: z
    .array(
      z
        .array(
          z.strictObject({
            runs: z.array(Run),
            align: Alignment.optional(),
            fill: Rgb.optional(),
          }),
        )
        .min(1),
    )
    .min(1),
  /** The first row is marked as a heading that repeats on every page. */
  headerRow: z.boolean(),
  borders: z.boolean(),
});
export type TextTable = z.infer<typeof TextTable>;

export const Picture = z.strictObject({
  type: z.literal('image'),
  /** Alternative text. */
  name: z.string().min(1),
  width: Points,
  height: Points,
  /** PNG as base64. */
  png: z.base64(),
});
export type Picture = z.infer<typeof Picture>;

export const Block = z.discriminatedUnion('type', [Paragraph, TextTable, Picture]);
export type Block = z.infer<typeof Block>;

/** Look of a named style, where it is not that of the application. */
export const StyleLook = z.strictObject({
  font: z.string().min(1).optional(),
  size: z.number().positive().max(400).optional(),
  bold: z.boolean().optional(),
  italic: z.boolean().optional(),
  color: Rgb.optional(),
  align: Alignment.optional(),
  before: Points.optional(),
  after: Points.optional(),
});
export type StyleLook = z.infer<typeof StyleLook>;

/** Sizes in points. */
export const PageSetup = z.strictObject({
  width: Points,
  height: Points,
  top: Points,
  right: Points,
  bottom: Points,
  left: Points,
});
export type PageSetup = z.infer<typeof PageSetup>;

/** A text document as data: what `data.file` reads from .docx and the `docx` preparer writes. */
export const TextDocument = z.strictObject({
  page: PageSetup,
  styles: z.record(z.string().min(1), StyleLook),
  header: z.array(Paragraph),
  footer: z.array(Paragraph),
  blocks: z.array(Block).min(1),
});
export type TextDocument = z.infer<typeof TextDocument>;

/** Paper in points, upright. */
export const papers = { A4: { width: 595.3, height: 841.9 }, Letter: { width: 612, height: 792 } } as const;

export const runsText = (runs: readonly Run[]): string =>
  runs.map((run) => (run.field === undefined ? run.text : `{${run.field}}`)).join('');

/** Text of a block, cells parted by tabs and rows by line ends. */
export function blockText(block: Block): string {
  if (block.type === 'image') return '';
  if (block.type === 'paragraph') return runsText(block.runs);
  return block.rows.map((row) => row.map((cell) => runsText(cell.runs)).join('\t')).join('\n');
}
