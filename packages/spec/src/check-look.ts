import { z } from 'zod';

/** A file of the sandbox by its absolute path, or one of the package's hidden references as `reference:NAME`. */
export const CheckPath = z
  .string()
  .regex(/^(?:\/(?:[^/\0]+\/)*[^/\0]*|reference:[^/\0]+)$/, 'an absolute path, or reference: and a name')
  .refine((path) => !path.split('/').some((part) => part === '..' || part === '.'), 'a path without . and ..');

const path = CheckPath;
/** A sheet by its name, or by its place, counted from 1. */
const sheet = z.union([z.string().min(1), z.number().int().min(1)]);
const place = z.number().int().min(1);
const address = z.string().regex(/^[A-Z]{1,3}[1-9][0-9]{0,6}$/, 'a cell such as B4');
const range = z.string().regex(/^[A-Z]{1,3}[1-9][0-9]{0,6}:[A-Z]{1,3}[1-9][0-9]{0,6}$/, 'a range such as B4:D20');

export const textAspects = [
  'text',
  'style',
  'align',
  'bold',
  'italic',
  'underline',
  'strike',
  'size',
  'color',
  'font',
] as const;
export const paragraphAspects = [
  ...textAspects,
  'highlight',
  'list',
  'before',
  'after',
  'lines',
  'page-break',
] as const;
export const shapeAspects = [
  'text',
  'name',
  'x',
  'y',
  'width',
  'height',
  'fill',
  ...textAspects.filter((one) => one !== 'text' && one !== 'style'),
] as const;
export const cellAspects = [
  'value',
  'formula',
  'format',
  'bold',
  'italic',
  'underline',
  'strike',
  'size',
  'color',
  'font',
  'fill',
  'align',
  'wrap',
  'validation',
  // What is on the screen once conditional formats have had their say.
  'shown-fill',
  'shown-color',
  'shown-bold',
  'shown-italic',
  'shown-strike',
] as const;

/** A rectangle of a picture in its own pixels. */
export const Region = z.strictObject({
  x: z.number().int().min(0),
  y: z.number().int().min(0),
  width: place,
  height: place,
});
export type Region = z.infer<typeof Region>;

/** What a check looks at. Texts of XML formats are as people read them; sizes are in points, rows and the like count from 1. */
export const Look = z.discriminatedUnion('look', [
  z.strictObject({ look: z.literal('file'), path, of: z.enum(['exists', 'size', 'text', 'lines', 'bytes']) }),
  z.strictObject({ look: z.literal('folder'), path, of: z.enum(['names', 'exists']) }),
  z.strictObject({
    look: z.literal('workbook'),
    path,
    of: z.enum(['sheets', 'active-sheet', 'defined-names', 'tables']),
  }),
  z.strictObject({
    look: z.literal('sheet'),
    path,
    sheet,
    of: z.enum([
      'values',
      'conditional-formats',
      'validations',
      'merges',
      'frozen',
      'filter',
      'tables',
      'zoom',
      'hidden-rows',
    ]),
  }),
  z.strictObject({ look: z.literal('cell'), path, sheet, cell: address, of: z.enum(cellAspects) }),
  z.strictObject({ look: z.literal('range'), path, sheet, range, of: z.enum(cellAspects) }),
  z.strictObject({
    look: z.literal('document'),
    path,
    of: z.enum([
      'text',
      'paragraphs',
      'styles',
      'tables',
      'header',
      'footer',
      'header-align',
      'footer-align',
      'images',
      'width',
      'height',
      'top',
      'right',
      'bottom',
      'left',
    ]),
  }),
  z.strictObject({
    look: z.literal('paragraph'),
    path,
    /** The paragraph by its place among all of the body, or the only one that has this text. */
    at: z.union([place, z.string().min(1)]),
    /** One run of it by its place; left out, what all its text has in common. */
    run: place.optional(),
    of: z.enum(paragraphAspects),
  }),
  z.strictObject({
    look: z.literal('paragraphs'),
    path,
    /** All paragraphs of the body whose text fits this pattern, in their order; white space at the ends aside. */
    where: z.string().min(1).max(1_000),
    of: z.enum(paragraphAspects),
  }),
  z.strictObject({
    look: z.literal('table'),
    path,
    table: place,
    /** `header-rows`: how many rows repeat on further pages. `borders`: whether lines are drawn between the cells. */
    of: z.enum(['rows', 'columns', 'header-rows', 'borders', 'texts']),
  }),
  z.strictObject({
    look: z.literal('table-cell'),
    path,
    table: place,
    row: place,
    column: place,
    of: z.enum(textAspects),
  }),
  z.strictObject({
    look: z.literal('presentation'),
    path,
    of: z.enum(['slides', 'titles', 'texts', 'shapes', 'width', 'height']),
  }),
  z.strictObject({
    look: z.literal('slide'),
    path,
    slide: place,
    of: z.enum(['text', 'title', 'notes', 'shapes', 'background', 'transition']),
  }),
  z.strictObject({
    look: z.literal('shape'),
    path,
    slide: place,
    /** By its name, or by its place from back to front. */
    shape: z.union([place, z.string().min(1)]),
    of: z.enum(shapeAspects),
  }),
  z.strictObject({ look: z.literal('pdf'), path, page: place.optional(), of: z.enum(['text', 'pages']) }),
  z.strictObject({
    look: z.literal('json'),
    path,
    format: z.enum(['json', 'yaml']).default('json'),
    at: z.array(z.union([z.string(), z.number().int().min(0)])),
  }),
  z.strictObject({ look: z.literal('csv'), path, of: z.enum(['header', 'rows', 'count']) }),
  z.strictObject({ look: z.literal('csv-cell'), path, row: place, column: z.union([place, z.string().min(1)]) }),
  z.strictObject({ look: z.literal('sqlite'), path, query: z.string().min(1).max(4_000) }),
  z.strictObject({
    look: z.literal('mail'),
    /** An mbox file, or a maildir folder. */
    path,
    of: z.enum(['count', 'subjects', 'senders', 'recipients', 'texts', 'attachments']),
    /** Only messages whose subject has this text, case aside. */
    subject: z.string().min(1).optional(),
  }),
  z.strictObject({
    look: z.literal('browser'),
    /** Folder of the profile, for example `/home/user/.config/chromium/Default`. */
    path,
    of: z.enum(['bookmarks', 'bookmark-urls', 'bookmark-folders', 'history', 'cookies']),
    /** Only what lies in this folder of bookmarks. */
    folder: z.string().min(1).optional(),
  }),
  z.strictObject({
    look: z.literal('setting'),
    path,
    /** `ini`: `section.key` or `key`; `prefs`: user_pref("key", value); `lisp`: (key value). */
    format: z.enum(['ini', 'prefs', 'lisp']),
    key: z.string().min(1),
  }),
  z.strictObject({ look: z.literal('processes') }),
  z.strictObject({ look: z.literal('windows') }),
  z.strictObject({ look: z.literal('command'), command: z.array(z.string()).min(1), of: z.enum(['output', 'code']) }),
  z.strictObject({
    look: z.literal('picture'),
    path,
    region: Region.optional(),
    of: z.enum(['width', 'height', 'pixels']),
  }),
  z.strictObject({ look: z.literal('screenshot'), region: Region.optional(), of: z.enum(['pixels']) }),
]);
export type Look = z.infer<typeof Look>;

/** Names of the looks. */
export type LookName = Look['look'];

/** Where a look goes, in words. */
export function lookText(see: Look): string {
  const { look, ...rest } = see;
  const parts = Object.entries(rest).flatMap(([name, value]) =>
    value === undefined || name === 'of' || name === 'format'
      ? []
      : [
          name === 'path'
            ? String(value)
            : `${name} ${typeof value === 'object' ? JSON.stringify(value) : String(value)}`,
        ],
  );
  return [`${'of' in see ? `${see.of} of ` : ''}${look}`, ...parts].join(', ');
}
