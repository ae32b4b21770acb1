import { createRequire } from 'node:module';
import type { PageBlock, PageDocument } from '@cua-forge/spec/page-document';
import PDFDocument from 'pdfkit';

const created = new Date(Date.UTC(2024, 0, 1));
const paperSizes = { A4: [595.28, 841.89], Letter: [612, 792] } as const;

/** Fonts that every PDF viewer has; they know the letters of western Europe. */
const standard = {
  sans: ['Helvetica', 'Helvetica-Bold'],
  serif: ['Times-Roman', 'Times-Bold'],
  mono: ['Courier', 'Courier-Bold'],
} as const;
/** Embedded where a text has other letters. */
const embedded = {
  sans: ['DejaVuSans', 'DejaVuSans-Bold'],
  serif: ['DejaVuSerif', 'DejaVuSerif-Bold'],
  mono: ['DejaVuSansMono', 'DejaVuSansMono-Bold'],
} as const;
const western = /^[\x20-\x7e\xa0-\xff€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]*$/;

type Doc = InstanceType<typeof PDFDocument>;
type TableBlock = Extract<PageBlock, { type: 'table' }>;

/** Where the writing stands and what it needs; `y` of the library's document is the next free line. */
interface Pen {
  doc: Doc;
  regular: string;
  bold: string;
  accent: string;
  left: number;
  width: number;
  /** Lowest line that content may reach. */
  bottom: number;
}

function textsOf(document: PageDocument): string[] {
  return [
    document.title,
    document.footer ?? '',
    ...document.blocks.flatMap((block) => {
      switch (block.type) {
        case 'heading':
        case 'text':
          return [block.text];
        case 'columns':
          return block.columns.flatMap((column) => column.lines);
        case 'table':
          return [...block.columns.map((column) => column.name), ...block.rows.flat()];
        default:
          return [];
      }
    }),
  ];
}

function fontsOf(document: PageDocument): [string, string] {
  if (textsOf(document).every((text) => western.test(text))) return [...standard[document.font]];
  const { resolve } = createRequire(import.meta.url);
  const [regular, bold] = embedded[document.font];
  return [resolve(`dejavu-fonts-ttf/ttf/${regular}.ttf`), resolve(`dejavu-fonts-ttf/ttf/${bold}.ttf`)];
}

/** Kept free above the lower margin, for the foot of the page. */
const footHeight = 12;

/** Begins a page when `height` does not fit on this one. */
function ensure(pen: Pen, height: number): boolean {
  if (pen.doc.y + height <= pen.bottom) return false;
  pen.doc.addPage();
  return true;
}

function writeText(
  pen: Pen,
  text: string,
  options: { font: string; size: number; align: 'left' | 'center' | 'right' | 'justify'; color?: string },
): void {
  const { doc } = pen;
  doc.font(options.font).fontSize(options.size);
  const layout = { width: pen.width, align: options.align, lineGap: 2 } as const;
  ensure(pen, Math.min(doc.heightOfString(text, layout), pen.bottom - doc.page.margins.top));
  doc.fillColor(options.color ?? '#000000').text(text, pen.left, doc.y, layout);
  doc.moveDown(0.3);
}

function writeColumns(pen: Pen, block: Extract<PageBlock, { type: 'columns' }>): void {
  const { doc } = pen;
  const gap = 16;
  const each = (pen.width - gap * (block.columns.length - 1)) / block.columns.length;
  doc.font(pen.regular).fontSize(10).fillColor('#000000');
  const heights = block.columns.map((column) =>
    doc.heightOfString(column.lines.join('\n'), { width: each, lineGap: 2 }),
  );
  ensure(pen, Math.max(...heights));
  const top = doc.y;
  block.columns.forEach((column, index) => {
    let y = top;
    for (const line of column.lines) {
      const layout = { width: each, align: column.align, lineGap: 2 } as const;
      doc.text(line, pen.left + index * (each + gap), y, layout);
      y += doc.heightOfString(line, layout);
    }
  });
  doc.y = top + Math.max(...heights) + 6;
}

const cellPadding = 4;

function writeTableRow(pen: Pen, block: TableBlock, cells: readonly string[], kind: 'head' | 'odd' | 'even'): void {
  const { doc } = pen;
  const shares = block.columns.reduce((sum, column) => sum + column.share, 0);
  const widths = block.columns.map((column) => (column.share / shares) * pen.width);
  doc.font(kind === 'head' ? pen.bold : pen.regular).fontSize(9);
  const inner = (index: number) => (widths[index] ?? 0) - 2 * cellPadding;
  const height =
    Math.max(...cells.map((cell, index) => doc.heightOfString(cell === '' ? ' ' : cell, { width: inner(index) }))) +
    2 * cellPadding;
  if (ensure(pen, height) && kind !== 'head') writeHead(pen, block);
  const top = doc.y;
  const shaded = block.look === 'banded' && kind === 'even';
  const filled = kind === 'head' && (block.look === 'grid' || block.look === 'banded');
  if (filled || shaded) doc.rect(pen.left, top, pen.width, height).fill(filled ? pen.accent : '#F2F2F2');
  doc
    .font(kind === 'head' ? pen.bold : pen.regular)
    .fontSize(9)
    .fillColor(filled ? '#FFFFFF' : '#000000');
  let x = pen.left;
  block.columns.forEach((column, index) => {
    const cell = cells[index] ?? '';
    if (cell !== '') doc.text(cell, x + cellPadding, top + cellPadding, { width: inner(index), align: column.align });
    if (block.look === 'grid')
      doc
        .rect(x, top, widths[index] ?? 0, height)
        .lineWidth(0.5)
        .stroke('#808080');
    x += widths[index] ?? 0;
  });
  if (block.look === 'lines' || (block.look === 'plain' && kind === 'head')) {
    doc
      .moveTo(pen.left, top + height)
      .lineTo(pen.left + pen.width, top + height)
      .lineWidth(kind === 'head' ? 1 : 0.4)
      .stroke(kind === 'head' ? pen.accent : '#B0B0B0');
  }
  doc.y = top + height;
}

const writeHead = (pen: Pen, block: TableBlock): void =>
  writeTableRow(
    pen,
    block,
    block.columns.map((column) => column.name),
    'head',
  );

function writeBlock(pen: Pen, block: PageBlock): void {
  const { doc } = pen;
  switch (block.type) {
    case 'heading':
      writeText(pen, block.text, { font: pen.bold, size: block.size, align: block.align, color: pen.accent });
      return;
    case 'text':
      writeText(pen, block.text, {
        font: block.bold ? pen.bold : pen.regular,
        size: block.size,
        align: block.align,
      });
      return;
    case 'columns':
      writeColumns(pen, block);
      return;
    case 'table': {
      ensure(pen, 48);
      writeHead(pen, block);
      block.rows.forEach((row, index) => {
        writeTableRow(pen, block, row, index % 2 === 0 ? 'odd' : 'even');
      });
      doc.y += 6;
      return;
    }
    case 'space':
      doc.y += block.height;
      return;
    case 'rule':
      ensure(pen, 10);
      doc
        .moveTo(pen.left, doc.y + 4)
        .lineTo(pen.left + pen.width, doc.y + 4)
        .lineWidth(0.8)
        .stroke(pen.accent);
      doc.y += 10;
      return;
    case 'page-break':
      doc.addPage();
  }
}

/** Writes the foot of every page once their count is known. */
function writeFooters(pen: Pen, footer: string): void {
  const { start, count } = pen.doc.bufferedPageRange();
  for (let index = start; index < start + count; index += 1) {
    pen.doc.switchToPage(index);
    const text = footer.replaceAll('{pages}', String(count)).replaceAll('{page}', String(index - start + 1));
    // Below the margin the library would begin another page.
    pen.doc.page.margins.bottom = 0;
    pen.doc
      .font(pen.regular)
      .fontSize(8)
      .fillColor('#606060')
      .text(text, pen.left, pen.bottom + 8, { width: pen.width, align: 'center', lineBreak: false });
  }
}

/** Writes laid out pages as a PDF. Equal documents give equal bytes. */
export async function writePdf(document: PageDocument): Promise<Uint8Array> {
  const [regular, bold] = fontsOf(document);
  const doc = new PDFDocument({
    size: [...paperSizes[document.paper]],
    margins: {
      top: document.margin,
      left: document.margin,
      right: document.margin,
      bottom: document.margin + footHeight,
    },
    bufferPages: true,
    font: regular,
    info: { Title: document.title, Creator: 'CUA Forge', Producer: 'CUA Forge', CreationDate: created },
  });
  const chunks: Uint8Array[] = [];
  const done = new Promise<void>((resolve, reject) => {
    doc.on('data', (chunk: Uint8Array) => chunks.push(chunk));
    doc.on('end', resolve);
    doc.on('error', reject);
  });
  const pen: Pen = {
    doc,
    regular,
    bold,
    accent: `#${document.accent}`,
    left: document.margin,
    width: doc.page.width - 2 * document.margin,
    bottom: doc.page.height - document.margin - footHeight,
  };
  for (const block of document.blocks) writeBlock(pen, block);
  if (document.footer !== undefined) writeFooters(pen, document.footer);
  doc.end();
  await done;
  return new Uint8Array(Buffer.concat(chunks));
}
