import { ForgeError } from '@cua-forge/spec/errors';
import type {
  Alignment,
  Block,
  Paragraph,
  Run,
  StyleLook,
  TextDocument,
  TextTable,
} from '@cua-forge/spec/text-document';
import {
  AlignmentType,
  BorderStyle,
  Document,
  Paragraph as DocxParagraph,
  Footer,
  Header,
  HeadingLevel,
  type ILevelsOptions,
  ImageRun,
  type IParagraphStyleOptions,
  LevelFormat,
  Packer,
  PageNumber,
  Tab,
  Table,
  TableCell,
  TableLayoutType,
  TableRow,
  TextRun,
  WidthType,
} from 'docx';
import { unzipSync, zipSync } from 'fflate';
import { fixZipTimes } from './zip-times.ts';

const created = '2024-01-01T00:00:00Z';
const twips = (points: number) => Math.round(points * 20);
const halfPoints = (points: number) => Math.round(points * 2);

const alignments = {
  left: AlignmentType.LEFT,
  center: AlignmentType.CENTER,
  right: AlignmentType.RIGHT,
  justify: AlignmentType.JUSTIFIED,
} as const satisfies Record<Alignment, string>;

/** Styles that every text application knows, by their names; others get an id made from theirs. */
const known: Record<string, string> = {
  Title: HeadingLevel.TITLE,
  'Heading 1': HeadingLevel.HEADING_1,
  'Heading 2': HeadingLevel.HEADING_2,
  'Heading 3': HeadingLevel.HEADING_3,
  'Heading 4': HeadingLevel.HEADING_4,
  'Heading 5': HeadingLevel.HEADING_5,
  'Heading 6': HeadingLevel.HEADING_6,
};
const styleId = (name: string) => known[name] ?? name.replace(/[^\p{L}\p{N}]+/gu, '');

const defaultLooks: Record<string, StyleLook> = {
  Normal: { font: 'Liberation Serif', size: 11, after: 6 },
  Title: { font: 'Liberation Sans', size: 22, bold: true, after: 12 },
  'Heading 1': { font: 'Liberation Sans', size: 16, bold: true, before: 14, after: 6 },
  'Heading 2': { font: 'Liberation Sans', size: 13, bold: true, before: 10, after: 4 },
  'Heading 3': { font: 'Liberation Sans', size: 11.5, bold: true, before: 8, after: 4 },
  Quote: { italic: true },
};

function styleOf(name: string, look: StyleLook): IParagraphStyleOptions {
  const spacing = {
    ...(look.before === undefined ? {} : { before: twips(look.before) }),
    ...(look.after === undefined ? {} : { after: twips(look.after) }),
  };
  const level = /^Heading ([1-6])$/.exec(name)?.[1];
  return {
    id: styleId(name),
    name: level === undefined ? name : `heading ${level}`,
    ...(name === 'Normal' ? {} : { basedOn: 'Normal', next: 'Normal' }),
    quickFormat: true,
    run: {
      ...(look.font === undefined ? {} : { font: look.font }),
      ...(look.size === undefined ? {} : { size: halfPoints(look.size) }),
      ...(look.bold === undefined ? {} : { bold: look.bold }),
      ...(look.italic === undefined ? {} : { italics: look.italic }),
      ...(look.color === undefined ? {} : { color: look.color }),
    },
    paragraph: {
      ...(Object.keys(spacing).length === 0 ? {} : { spacing }),
      ...(look.align === undefined ? {} : { alignment: alignments[look.align] }),
      ...(level === undefined ? {} : { keepNext: true, outlineLevel: Number(level) - 1 }),
    },
  };
}

/** Line ends and tabs within a run are members of their own in the file. */
function textRuns(run: Run): TextRun[] {
  const look = {
    ...(run.bold === undefined ? {} : { bold: run.bold }),
    ...(run.italic === undefined ? {} : { italics: run.italic }),
    ...(run.underline === true ? { underline: {} } : {}),
    ...(run.size === undefined ? {} : { size: halfPoints(run.size) }),
    ...(run.color === undefined ? {} : { color: run.color }),
    ...(run.font === undefined ? {} : { font: run.font }),
  };
  if (run.field !== undefined) {
    return [new TextRun({ ...look, children: [run.field === 'page' ? PageNumber.CURRENT : PageNumber.TOTAL_PAGES] })];
  }
  const [first = '', ...others] = run.text.split('\n');
  return [
    new TextRun({ ...look, children: withTabs(first) }),
    ...others.map((line) => new TextRun({ ...look, break: 1, children: withTabs(line) })),
  ];
}

const withTabs = (line: string) =>
  line.split('\t').flatMap((part, index) => (index === 0 ? [part] : [new Tab(), part]));

function paragraph(block: Paragraph): DocxParagraph {
  const spacing = {
    ...(block.before === undefined ? {} : { before: twips(block.before) }),
    ...(block.after === undefined ? {} : { after: twips(block.after) }),
    ...(block.lines === undefined ? {} : { line: Math.round(block.lines * 240) }),
  };
  return new DocxParagraph({
    // Without a style the library gives members of lists one of its own.
    ...(block.style === 'Normal' && block.list === undefined ? {} : { style: styleId(block.style) }),
    ...(block.align === undefined ? {} : { alignment: alignments[block.align] }),
    ...(block.list === undefined
      ? {}
      : { numbering: { reference: `${block.list.kind}-${block.list.id}`, level: block.list.level } }),
    ...(Object.keys(spacing).length === 0 ? {} : { spacing }),
    ...(block.pageBreakBefore === true ? { pageBreakBefore: true } : {}),
    children: block.runs.flatMap(textRuns),
  });
}

const noBorder = { style: BorderStyle.NONE, size: 0, color: 'auto' };
const thin = { style: BorderStyle.SINGLE, size: 4, color: '808080' };

function table(block: TextTable, width: number): Table {
  const columns = Math.max(...block.rows.map((row) => row.length));
  const border = block.borders ? thin : noBorder;
  const each = Math.floor(twips(width) / columns);
  return new Table({
    width: { size: each * columns, type: WidthType.DXA },
    columnWidths: Array.from({ length: columns }, () => each),
    layout: TableLayoutType.FIXED,
    borders: {
      top: border,
      bottom: border,
      left: border,
      right: border,
      insideHorizontal: border,
      insideVertical: border,
    },
    rows: block.rows.map(
      (row, index) =>
        new TableRow({
          tableHeader: block.headerRow && index === 0,
          children: row.map(
            (cell) =>
              new TableCell({
                width: { size: each, type: WidthType.DXA },
                ...(cell.fill === undefined ? {} : { shading: { fill: cell.fill } }),
                children: [
                  new DocxParagraph({
                    ...(cell.align === undefined ? {} : { alignment: alignments[cell.align] }),
                    spacing: { after: 0 },
                    children: cell.runs.flatMap(textRuns),
                  }),
                ],
              }),
          ),
        }),
    ),
  });
}

function written(block: Block, width: number): DocxParagraph | Table {
  if (block.type === 'paragraph') return paragraph(block);
  if (block.type === 'table') return table(block, width);
  return new DocxParagraph({
    children: [
      new ImageRun({
        type: 'png',
        data: Buffer.from(block.png, 'base64'),
        // The library counts in pixels of which 96 make an inch.
        transformation: { width: (block.width * 96) / 72, height: (block.height * 96) / 72 },
        altText: { name: block.name, description: block.name, title: block.name },
      }),
    ],
  });
}

function levels(kind: 'number' | 'bullet'): ILevelsOptions[] {
  return Array.from({ length: 9 }, (_, level) => ({
    level,
    format: kind === 'bullet' ? LevelFormat.BULLET : LevelFormat.DECIMAL,
    text: kind === 'bullet' ? '•' : `${Array.from({ length: level + 1 }, (__, at) => `%${at + 1}`).join('.')}.`,
    alignment: AlignmentType.LEFT,
    style: { paragraph: { indent: { left: 720 + level * 360, hanging: 360 } } },
  }));
}

const allParagraphs = ({ blocks, header, footer }: TextDocument): Paragraph[] =>
  [...header, ...blocks, ...footer].filter((block) => block.type === 'paragraph');

function numberings(document: TextDocument) {
  const wanted = new Map<string, 'number' | 'bullet'>();
  for (const { list } of allParagraphs(document)) {
    if (list !== undefined) wanted.set(`${list.kind}-${list.id}`, list.kind);
  }
  return [...wanted].map(([reference, kind]) => ({ reference, levels: levels(kind) }));
}

function stylesOf(document: TextDocument): IParagraphStyleOptions[] {
  const used = [...allParagraphs(document).map((each) => each.style), ...Object.keys(document.styles)];
  const names = [...new Set(['Normal', 'Title', 'Heading 1', 'Heading 2', 'Heading 3', ...used])];
  const ids = names.map((name) => styleId(name).toLowerCase());
  const wrong = names.find((_, index) => ids[index] === '' || ids.indexOf(ids[index] ?? '') !== index);
  if (wrong !== undefined) {
    throw new ForgeError('input.invalid', `"${wrong}" cannot be the name of a style: another one is written alike.`, {
      fix: 'Give every style a name that differs in its letters or digits.',
    });
  }
  return names.map((name) => styleOf(name, { ...defaultLooks[name], ...document.styles[name] }));
}

/** The library writes the time of day and the names it drew; equal documents have to give equal bytes. */
function steady(bytes: Uint8Array): Uint8Array {
  const members = unzipSync(bytes);
  const core = members['docProps/core.xml'];
  if (core !== undefined) {
    const text = new TextDecoder().decode(core).replace(/(<dcterms:(?:created|modified)[^>]*>)[^<]*/g, `$1${created}`);
    members['docProps/core.xml'] = new TextEncoder().encode(text);
  }
  const packed = zipSync(members, { level: 6, mtime: '2024-01-01T00:00:00' });
  fixZipTimes(packed);
  return packed;
}

/**
 * Writes a text document as .docx. Equal documents give equal bytes.
 * @throws ForgeError `input.invalid` for names of styles that cannot be told apart
 */
export async function writeDocx(document: TextDocument): Promise<Uint8Array> {
  const { page, header, footer } = document;
  const width = page.width - page.left - page.right;
  const normal = { ...defaultLooks.Normal, ...document.styles.Normal };
  const file = new Document({
    creator: 'CUA Forge',
    lastModifiedBy: 'CUA Forge',
    styles: {
      default: {
        document: {
          run: {
            ...(normal.font === undefined ? {} : { font: normal.font }),
            ...(normal.size === undefined ? {} : { size: halfPoints(normal.size) }),
          },
        },
      },
      paragraphStyles: stylesOf(document),
    },
    numbering: { config: numberings(document) },
    sections: [
      {
        properties: {
          page: {
            size: { width: twips(page.width), height: twips(page.height) },
            margin: {
              top: twips(page.top),
              right: twips(page.right),
              bottom: twips(page.bottom),
              left: twips(page.left),
            },
          },
        },
        ...(header.length === 0 ? {} : { headers: { default: new Header({ children: header.map(paragraph) }) } }),
        ...(footer.length === 0 ? {} : { footers: { default: new Footer({ children: footer.map(paragraph) }) } }),
        children: document.blocks.map((block) => written(block, width)),
      },
    ],
  });
  return steady(new Uint8Array(await Packer.toBuffer(file)));
}
