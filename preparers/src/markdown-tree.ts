import type { Cell, MarkdownContent, Table } from '@cua-forge/spec/task';
import type { PhrasingContent, Root, RootContent, TableRow } from 'mdast';

const words = (text: string): PhrasingContent[] => (text === '' ? [] : [{ type: 'text', value: text }]);

/** A cell as text; formulas as their results. Line breaks become spaces: a row of a table is one line. */
function shown(cell: Cell | undefined): string {
  if (cell === null || cell === undefined) return '';
  if (typeof cell === 'object') return shown(cell.result ?? null);
  return String(cell)
    .replace(/\s*[\r\n]+\s*/g, ' ')
    .trim();
}

function rowOf(texts: readonly string[]): TableRow {
  return { type: 'tableRow', children: texts.map((text) => ({ type: 'tableCell', children: words(text) })) };
}

const isNumber = (type: Table['columns'][number]['type']) =>
  type === 'integer' || type === 'number' || type === 'currency' || type === 'percent';

function blockOf(block: MarkdownContent[number]): RootContent {
  switch (block.type) {
    case 'heading': {
      const depth = ([1, 2, 3, 4, 5, 6] as const).find((level) => level === block.level) ?? 1;
      return { type: 'heading', depth, children: words(block.text) };
    }
    case 'paragraph':
      return { type: 'paragraph', children: words(block.text) };
    case 'quote':
      return { type: 'blockquote', children: [{ type: 'paragraph', children: words(block.text) }] };
    case 'code':
      return { type: 'code', lang: block.language === '' ? null : block.language, value: block.text };
    case 'rule':
      return { type: 'thematicBreak' };
    case 'list':
      return {
        type: 'list',
        ordered: block.ordered,
        spread: false,
        children: block.items.map((text) => ({
          type: 'listItem',
          spread: false,
          children: [{ type: 'paragraph', children: words(text) }],
        })),
      };
    case 'tasks':
      return {
        type: 'list',
        ordered: false,
        spread: false,
        children: block.items.map(({ text, done }) => ({
          type: 'listItem',
          spread: false,
          checked: done,
          children: [{ type: 'paragraph', children: words(text) }],
        })),
      };
    case 'table':
      return {
        type: 'table',
        align: block.columns.map(({ type }) => (isNumber(type) ? 'right' : null)),
        children: [
          rowOf(block.columns.map(({ name }) => name)),
          ...block.rows.map((row) => rowOf(block.columns.map((_, index) => shown(row[index])))),
        ],
      };
  }
}

/** Syntax tree of a Markdown document. Texts are taken as they are: what would be markup is escaped when it is written. */
export function markdownTree(content: MarkdownContent): Root {
  return { type: 'root', children: content.map(blockOf) };
}
