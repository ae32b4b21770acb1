import { readDocx } from '@cua-forge/nodes/data/read-docx';
import { type Block, blockText, type Paragraph, type Run, type TextDocument } from '@cua-forge/spec/text-document';
import type { Check } from './compare-workbook.ts';

const MOST_DIFFERENCES = 5;

function conclude(check: string, differences: readonly string[], fine: string): Check {
  if (differences.length === 0) return { check, ok: true, detail: fine };
  const more = differences.length > MOST_DIFFERENCES ? `; and ${differences.length - MOST_DIFFERENCES} more` : '';
  return { check, ok: false, detail: differences.slice(0, MOST_DIFFERENCES).join('; ') + more };
}

const shown = (text: string) => JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text);

/** Looks of the letters of a text, one entry for each stretch that looks alike; whether a switch is off or left out is the same. */
function looks(runs: readonly Run[]): string {
  const parts: { text: string; look: string }[] = [];
  for (const run of runs) {
    const { text, field, bold, italic, underline, size, color, font } = run;
    const written = field === undefined ? text : `{${field}}`;
    if (written === '') continue;
    const marks = [bold === true && 'bold', italic === true && 'italic', underline === true && 'underlined'];
    const look = [...marks, size, color, font].filter(Boolean).join(' ');
    const last = parts.at(-1);
    if (last !== undefined && last.look === look) last.text += written;
    else parts.push({ text: written, look });
  }
  return parts.map(({ text, look }) => `${look}<${text}>`).join('');
}

/** Ids of lists by order of their first use, since applications number them anew. */
function listNames(blocks: readonly Block[]): Map<string, string> {
  const names = new Map<string, string>();
  for (const block of blocks) {
    if (block.type !== 'paragraph' || block.list === undefined) continue;
    const key = `${block.list.kind} ${block.list.id}`;
    if (!names.has(key)) names.set(key, `list ${names.size + 1}`);
  }
  return names;
}

function layoutOf(block: Paragraph, lists: Map<string, string>): string {
  const { list, align, before, after, lines, pageBreakBefore } = block;
  const place = list === undefined ? '' : `${lists.get(`${list.kind} ${list.id}`)} (${list.kind}) level ${list.level}`;
  const spacing = [before ?? '', after ?? '', lines === undefined ? '' : Math.round(lines * 100) / 100].join('/');
  return `${align ?? ''}|${place}|${spacing}|${pageBreakBefore === true}`;
}

function kindOf(block: Block | undefined): string {
  return block === undefined
    ? 'nothing'
    : block.type === 'paragraph'
      ? `a paragraph ${shown(blockText(block))}`
      : `a ${block.type}`;
}

function compareBlocks(wanted: readonly Block[], found: readonly Block[], where: string): Check[] {
  const [text, style, look, layout]: [string[], string[], string[], string[]] = [[], [], [], []];
  const [wantedLists, foundLists] = [listNames(wanted), listNames(found)];
  for (let index = 0; index < Math.max(wanted.length, found.length); index += 1) {
    const [a, b] = [wanted[index], found[index]];
    const place = `${where} ${index + 1}`;
    if (a === undefined || b === undefined || a.type !== b.type || blockText(a) !== blockText(b)) {
      text.push(`${place}: expected ${kindOf(a)}, found ${kindOf(b)}`);
    } else if (a.type === 'paragraph' && b.type === 'paragraph') {
      if (a.style !== b.style) style.push(`${place}: expected ${a.style}, found ${b.style}`);
      if (looks(a.runs) !== looks(b.runs))
        look.push(`${place}: expected ${shown(looks(a.runs))}, found ${shown(looks(b.runs))}`);
      const [x, y] = [layoutOf(a, wantedLists), layoutOf(b, foundLists)];
      if (x !== y) layout.push(`${place}: expected ${x}, found ${y}`);
    } else if (a.type === 'table' && b.type === 'table') {
      const cells = (rows: typeof a.rows) =>
        rows
          .map((row) => row.map((cell) => `${cell.align ?? ''} ${cell.fill ?? ''} ${looks(cell.runs)}`).join('\t'))
          .join('\n');
      if (cells(a.rows) !== cells(b.rows)) look.push(`${place}: cells look different`);
      if (a.headerRow !== b.headerRow || a.borders !== b.borders)
        layout.push(`${place}: heading row or borders differ`);
    } else if (a.type === 'image' && b.type === 'image') {
      if (a.png !== b.png || a.name !== b.name) text.push(`${place}: the picture is another one`);
      // The file counts in whole pixels.
      if (Math.abs(a.width - b.width) > 1 || Math.abs(a.height - b.height) > 1)
        layout.push(`${place}: the picture has another size`);
    }
  }
  return [
    conclude(`${where}: text`, text, `${wanted.length} blocks are as specified and there are no others`),
    conclude(`${where}: styles`, style, 'every paragraph has its style'),
    conclude(`${where}: looks`, look, 'letters and cells look as specified'),
    conclude(`${where}: layout`, layout, 'alignment, lists, spacing and table layout are as specified'),
  ];
}

function compareStyles(wanted: TextDocument, found: TextDocument): Check {
  const differences: string[] = [];
  for (const [name, look] of Object.entries(wanted.styles)) {
    const seen: Record<string, unknown> = found.styles[name] ?? {};
    if (found.styles[name] === undefined && name !== 'Normal' && !isUsed(wanted, name)) continue;
    for (const [key, value] of Object.entries(look)) {
      if (seen[key] !== value)
        differences.push(`${name}: expected ${key} ${value}, found ${String(seen[key] ?? 'none')}`);
    }
  }
  return conclude('looks of styles', differences, 'as specified');
}

const isUsed = (document: TextDocument, style: string) =>
  [...document.blocks, ...document.header, ...document.footer].some(
    (block) => block.type === 'paragraph' && block.style === style,
  );

/** Compares the bytes of a .docx file with a specified document: text, styles, looks, lists, tables, pictures, edges, page. */
export function compareDocx(bytes: Uint8Array, wanted: TextDocument): Check[] {
  let found: TextDocument;
  try {
    found = readDocx('the file', bytes).document;
  } catch (thrown) {
    const detail = thrown instanceof Error ? thrown.message : String(thrown);
    return [{ check: 'the file is a text document', ok: false, detail }];
  }
  const sizes = ['width', 'height', 'top', 'right', 'bottom', 'left'] as const;
  const page = sizes
    .filter((each) => Math.abs(wanted.page[each] - found.page[each]) > 0.06)
    .map((each) => `${each}: expected ${wanted.page[each]} pt, found ${found.page[each]} pt`);
  return [
    ...compareBlocks(wanted.blocks, found.blocks, 'body'),
    ...(wanted.header.length + found.header.length > 0 ? compareBlocks(wanted.header, found.header, 'header') : []),
    ...(wanted.footer.length + found.footer.length > 0 ? compareBlocks(wanted.footer, found.footer, 'footer') : []),
    compareStyles(wanted, found),
    conclude('page', page, 'size and margins are as specified'),
  ];
}
