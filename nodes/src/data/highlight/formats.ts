import type { HighlightFormat } from '@cua-forge/spec/workbook-features';

interface NamedFormat {
  words: string;
  format: HighlightFormat;
  /** Formats of one group cannot be shown together. */
  group: 'fill' | 'font';
}

/** Formats as people ask for them; the colours' codes leave no doubt. */
export const namedFormats: readonly [NamedFormat, ...NamedFormat[]] = [
  {
    words: 'a light red fill (FFC7CE) and dark red text (9C0006)',
    format: { fill: 'FFFFC7CE', color: 'FF9C0006' },
    group: 'fill',
  },
  {
    words: 'a light green fill (C6EFCE) and dark green text (006100)',
    format: { fill: 'FFC6EFCE', color: 'FF006100' },
    group: 'fill',
  },
  { words: 'a yellow fill (FFEB9C)', format: { fill: 'FFFFEB9C' }, group: 'fill' },
  { words: 'a light blue fill (DDEBF7)', format: { fill: 'FFDDEBF7' }, group: 'fill' },
  { words: 'an orange fill (F8CBAD)', format: { fill: 'FFF8CBAD' }, group: 'fill' },
  { words: 'a light purple fill (E4DFEC) and bold text', format: { fill: 'FFE4DFEC', bold: true }, group: 'fill' },
  { words: 'bold red text (C00000)', format: { color: 'FFC00000', bold: true }, group: 'font' },
  { words: 'bold blue text (1F4E78)', format: { color: 'FF1F4E78', bold: true }, group: 'font' },
  { words: 'grey struck-through text (7F7F7F)', format: { color: 'FF7F7F7F', strike: true }, group: 'font' },
  { words: 'italic green text (548235)', format: { color: 'FF548235', italic: true }, group: 'font' },
];

export type { NamedFormat };
