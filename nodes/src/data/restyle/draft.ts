import type {
  Block,
  PageSetup,
  Paragraph,
  Run,
  StyleLook,
  TextDocument,
  TextTable,
} from '@cua-forge/spec/text-document';

/** A part of the document before and after the work; undefined where it is not there then. */
export interface Piece {
  role: 'title' | 'subtitle' | 'heading' | 'body' | 'item' | 'table' | 'blank';
  /** Index of the section, -1 above the first heading. */
  section: number;
  given: Block | undefined;
  solved: Block | undefined;
}

/** How headings are numbered: the text in front of the heading for the number from 1. */
export type Scheme = 'plain' | 'dotted' | 'section' | 'paragraph-sign';

export interface Side {
  page: PageSetup;
  styles: Record<string, StyleLook>;
  header: Paragraph[];
  footer: Paragraph[];
}

/** A task in the making. Changes put their faults into what is given, or what they add into both sides. */
export interface Draft {
  /** Headings without numbers, by section. */
  headings: string[];
  scheme: Scheme;
  pieces: Piece[];
  given: Side;
  solved: Side;
  /** Order of the sections at the start, when it is not that of the solution. */
  order: number[] | undefined;
  company: string;
  title: string;
}

export const numberOf = (scheme: Scheme, number: number): string => {
  switch (scheme) {
    case 'plain':
      return '';
    case 'dotted':
      return `${number}. `;
    case 'section':
      return `Section ${number}: `;
    case 'paragraph-sign':
      return `§ ${number} `;
  }
};

export const textPiece = (role: Piece['role'], section: number, text: string, look: Partial<Paragraph> = {}): Piece => {
  const block: Paragraph = { type: 'paragraph', style: 'Normal', runs: [{ text }], ...look };
  return { role, section, given: block, solved: block };
};

export const tablePiece = (section: number, given: TextTable, solved: TextTable): Piece => ({
  role: 'table',
  section,
  given,
  solved,
});

/** A paragraph of one side that changes can work on. */
export const paragraphOf = (block: Block | undefined): Paragraph | undefined =>
  block?.type === 'paragraph' ? block : undefined;

export const plainText = (block: Paragraph): string => block.runs.map((run) => run.text).join('');

/** Pieces with running text on both sides. */
export const bodies = (draft: Draft): Piece[] =>
  draft.pieces.filter((piece) => piece.role === 'body' && piece.given !== undefined && piece.solved !== undefined);

/** Replaces the text of one side; only while a paragraph is a single run. */
export function retext(piece: Piece, side: 'given' | 'solved', change: (text: string) => string): void {
  const block = paragraphOf(piece[side]);
  if (block === undefined) return;
  piece[side] = { ...block, runs: block.runs.map((run): Run => ({ ...run, text: change(run.text) })) };
}

export function relook(piece: Piece, side: 'given' | 'solved', change: (block: Paragraph) => Paragraph): void {
  const block = paragraphOf(piece[side]);
  if (block !== undefined) piece[side] = change(block);
}

/** Numbers the headings on both sides where they have none: some changes speak of numbers. */
export function ensureNumbers(draft: Draft): void {
  if (draft.scheme !== 'plain') return;
  draft.scheme = 'dotted';
  for (const piece of draft.pieces) {
    if (piece.role !== 'heading') continue;
    for (const side of ['given', 'solved'] as const)
      retext(piece, side, (text) => `${numberOf('dotted', piece.section + 1)}${text}`);
  }
}

/** Puts pieces behind the last one of a section. */
export function append(draft: Draft, section: number, pieces: readonly Piece[]): void {
  const last = draft.pieces.findLastIndex((piece) => piece.section <= section);
  draft.pieces.splice(last + 1, 0, ...pieces);
}

/** One side of the draft as a document; `instead` has the blocks that stand in place of a piece's own. */
export function documentOf(
  draft: Draft,
  side: 'given' | 'solved',
  instead: ReadonlyMap<Piece, readonly Block[]> = new Map(),
): TextDocument {
  const { page, styles, header, footer } = draft[side];
  const sections = side === 'given' ? draft.order : undefined;
  const pieces =
    sections === undefined
      ? draft.pieces
      : [-1, ...sections].flatMap((section) => draft.pieces.filter((piece) => piece.section === section));
  return { page, styles, header, footer, blocks: pieces.flatMap((piece) => instead.get(piece) ?? piece[side] ?? []) };
}
