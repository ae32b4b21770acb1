import { type PdfPage, readPdf } from '@cua-forge/nodes/data/read-pdf';
import type { PageBlock, PageDocument } from '@cua-forge/spec/page-document';
import type { Check } from './compare-workbook.ts';

const MOST_DIFFERENCES = 5;
const sizes = { A4: [595.28, 841.89], Letter: [612, 792] } as const;

/** Letters without any space: where a line or a cell breaks says nothing about its text. */
const letters = (text: string) => text.normalize('NFKC').replace(/\s+/g, '');

type Table = Extract<PageBlock, { type: 'table' }>;

function textsOf(block: PageBlock): string[] {
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
}

function counts(text: string): Map<string, number> {
  const found = new Map<string, number>();
  for (const letter of letters(text)) found.set(letter, (found.get(letter) ?? 0) + 1);
  return found;
}

/** Pieces of a line that do not stand on any page, whether or not they are broken over lines. */
function missingIn(pages: readonly PdfPage[], texts: readonly string[]): string[] {
  const all = pages.map((page) => letters(page.text)).join('\n');
  // A cell that is broken lies between parts of its neighbours, so its words are looked for one by one.
  return texts.filter(
    (text) => !all.includes(letters(text)) && !text.split(/\s+/).every((word) => all.includes(letters(word))),
  );
}

/** Letters of the pages must be those of the specification; only headings of tables may be repeated, once for each page. */
function strangers(pages: readonly PdfPage[], document: PageDocument): string[] {
  const foot = pages.map((_, index) =>
    (document.footer ?? '').replaceAll('{pages}', String(pages.length)).replaceAll('{page}', String(index + 1)),
  );
  const wanted = counts([...document.blocks.flatMap(textsOf), ...foot].join(' '));
  const found = counts(pages.map((page) => page.text).join(' '));
  const tables = document.blocks.filter((block): block is Table => block.type === 'table');
  const heads = counts(tables.flatMap((table) => table.columns.map((column) => column.name)).join(' '));
  const differences: string[] = [];
  for (const letter of new Set([...wanted.keys(), ...found.keys()])) {
    const [least, seen] = [wanted.get(letter) ?? 0, found.get(letter) ?? 0];
    const most = least + (heads.get(letter) ?? 0) * (pages.length - 1);
    if (seen < least || seen > most) differences.push(`“${letter}” ${seen} times instead of ${least}`);
  }
  return differences;
}

const conclude = (check: string, differences: readonly string[], fine: string): Check => ({
  check,
  ok: differences.length === 0,
  detail: differences.length === 0 ? fine : differences.slice(0, MOST_DIFFERENCES).join('; '),
});

/** Compares the bytes of a PDF with specified pages: paper, every text, and that there is no other. */
export async function comparePdf(bytes: Uint8Array, document: PageDocument, signal: AbortSignal): Promise<Check[]> {
  let pages: PdfPage[];
  try {
    pages = await readPdf('the file', bytes, signal);
  } catch (thrown) {
    if (signal.aborted) throw thrown;
    return [
      { check: 'the file is a PDF', ok: false, detail: thrown instanceof Error ? thrown.message : String(thrown) },
    ];
  }
  const [width, height] = sizes[document.paper];
  const paper = pages.flatMap((page, index) =>
    Math.abs(page.width - width) > 1 || Math.abs(page.height - height) > 1
      ? [`page ${index + 1} is ${page.width} × ${page.height} pt`]
      : [],
  );
  const least = document.blocks.filter((block) => block.type === 'page-break').length + 1;
  const texts = document.blocks.flatMap(textsOf).filter((text) => text.trim() !== '');
  return [
    conclude('paper', paper, `${pages.length} pages are ${document.paper}`),
    {
      check: 'pages',
      ok: pages.length >= least,
      detail: `expected at least ${least}; found ${pages.length}`,
    },
    conclude(
      'every text',
      missingIn(pages, texts).map((text) => `not found: ${JSON.stringify(text.slice(0, 80))}`),
      `${texts.length} texts are there`,
    ),
    conclude('no other text', strangers(pages, document), 'the letters are those of the specification'),
  ];
}
