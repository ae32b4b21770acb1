import type { Cell, MarkdownContent } from '@cua-forge/spec/task';
import type { Nodes } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { gfm } from 'micromark-extension-gfm';
import type { Check } from './check.ts';

function textOf(node: Nodes): string {
  if ('value' in node) return node.value;
  return 'children' in node ? node.children.map(textOf).join('') : '';
}

const shown = (cell: Cell | undefined): string => {
  if (cell === null || cell === undefined) return '';
  return typeof cell === 'object'
    ? shown(cell.result ?? null)
    : String(cell)
        .replace(/\s*[\r\n]+\s*/g, ' ')
        .trim();
};

/** A block as one line that can be compared. */
function expectedBlock(block: MarkdownContent[number]): string {
  switch (block.type) {
    case 'heading':
      return `heading ${block.level}: ${block.text}`;
    case 'paragraph':
    case 'quote':
      return `${block.type}: ${block.text}`;
    case 'code':
      return `code ${block.language}: ${block.text}`;
    case 'rule':
      return 'rule';
    case 'list':
      return `${block.ordered ? 'numbered' : 'plain'} list: ${block.items.join(' | ')}`;
    case 'tasks':
      return `tasks: ${block.items.map(({ text, done }) => `${done ? '[x]' : '[ ]'} ${text}`).join(' | ')}`;
    case 'table': {
      const rows = block.rows.map((row) => block.columns.map((_, index) => shown(row[index])));
      return `table: ${[block.columns.map(({ name }) => name), ...rows].map((row) => row.join(' ; ')).join(' | ')}`;
    }
  }
}

function foundBlock(node: Nodes): string {
  switch (node.type) {
    case 'heading':
      return `heading ${node.depth}: ${textOf(node)}`;
    case 'paragraph':
      return `paragraph: ${textOf(node)}`;
    case 'blockquote':
      return `quote: ${textOf(node)}`;
    case 'code':
      return `code ${node.lang ?? ''}: ${node.value}`;
    case 'thematicBreak':
      return 'rule';
    case 'list': {
      const tasks = node.children.every(({ checked }) => typeof checked === 'boolean');
      const items = node.children.map((item) => `${tasks ? (item.checked ? '[x] ' : '[ ] ') : ''}${textOf(item)}`);
      return `${tasks ? 'tasks' : node.ordered ? 'numbered list' : 'plain list'}: ${items.join(' | ')}`;
    }
    case 'table':
      return `table: ${node.children.map((row) => row.children.map(textOf).join(' ; ')).join(' | ')}`;
    default:
      return `${node.type}: ${textOf(node)}`;
  }
}

/** Compares the bytes of a Markdown file with specified blocks: their kinds, order and texts. */
export function compareMarkdown(bytes: Uint8Array, wanted: MarkdownContent): Check[] {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return [{ check: 'the file is text', ok: false, detail: 'it is not UTF-8' }];
  }
  const tree = fromMarkdown(text, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] });
  const found = tree.children.map(foundBlock);
  const expected = wanted.map(expectedBlock);
  const at = Array.from({ length: Math.max(found.length, expected.length) }, (_, index) => index).find(
    (index) => found[index] !== expected[index],
  );
  return [
    {
      check: 'every block',
      ok: at === undefined,
      detail:
        at === undefined
          ? `${expected.length} blocks are as specified`
          : `block ${at + 1}: expected ${JSON.stringify(expected[at] ?? null)}, found ${JSON.stringify(found[at] ?? null)}`,
    },
  ];
}
