import type { Check } from '@cua-forge/spec/check';
import type { Expectation } from '@cua-forge/spec/check-expectation';
import type { Look } from '@cua-forge/spec/check-look';
import type { Block, Paragraph, TextDocument } from '@cua-forge/spec/text-document';
import { type Draft, documentOf, type Piece, paragraphOf, plainText, type Side } from './draft.ts';

/** How one requirement is checked, and the corrected document with that requirement alone missed. */
export interface RequirementProof {
  id: string;
  check: Check[];
  /** What is wrong with the variant. */
  doc: string;
  variant: TextDocument;
}

type Aspect = Extract<Look, { look: 'paragraphs' }>['of'];

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
const mostWords = 9;
const longest = 900;

/** Words of a text as people see them: a space in front of a mark is none. */
const wordsOf = (text: string) =>
  text
    .replace(/\s+([,.])/g, '$1')
    .trim()
    .split(/\s+/);

/** A word and the mark behind it, with whatever space between. */
function wordPattern(word: string): string {
  const match = /^(.*?)([,.]+)$/.exec(word);
  return match?.[1] === undefined || match[1] === ''
    ? escaped(word)
    : `${escaped(match[1])}\\s*${escaped(match[2] ?? '')}`;
}

/**
 * A document whose changes are all planned. Paragraphs are found by the words they begin with, whatever their looks, their place and the
 * spaces between the words; where a word differs before and after the work, either will do.
 */
export class FinalDraft {
  constructor(
    readonly draft: Draft,
    readonly path: string,
  ) {}

  pieces(role: Piece['role']): Piece[] {
    return this.draft.pieces.filter((piece) => piece.role === role && paragraphOf(piece.solved) !== undefined);
  }

  text(piece: Piece, side: 'given' | 'solved' = 'solved'): string {
    const block = paragraphOf(piece[side]);
    return block === undefined ? '' : plainText(block);
  }

  block(piece: Piece): Paragraph {
    return paragraphOf(piece.solved) ?? { type: 'paragraph', style: 'Normal', runs: [] };
  }

  /** Text of the whole corrected document, one paragraph a line, tables left out. */
  allText(): string {
    return this.draft.pieces.map((piece) => this.text(piece)).join('\n');
  }

  /** Pattern that finds a paragraph of running text. */
  key(piece: Piece): string {
    const others = this.draft.pieces.filter((other) => other !== piece).map((other) => this.text(other));
    const [given, solved] = [wordsOf(this.text(piece, 'given')), wordsOf(this.text(piece))];
    const typed = given.length > 0 && this.text(piece, 'given') !== '' ? given : solved;
    const parts: string[] = [];
    for (const [index, word] of solved.entries()) {
      const other = typed[index];
      // Dates are of one word or of several, so what follows them does not correspond.
      if (
        other === undefined ||
        /^\d|^(?:January|February|March|April|May|June|July|August|September|October|November|December)$/.test(word)
      )
        break;
      parts.push(word === other ? wordPattern(word) : `(?:${wordPattern(word)}|${wordPattern(other)})`);
      const pattern = `^${parts.join('\\s+')}`;
      const ends = index === solved.length - 1 ? '$' : '';
      if (parts.length >= mostWords || pattern.length > longest) {
        if (!others.some((text) => new RegExp(pattern, 'u').test(text.trim()))) return pattern;
        if (pattern.length > longest) return pattern;
      }
      if (ends === '$') return `${pattern}$`;
    }
    return `^${parts.join('\\s+')}`;
  }

  /** Pattern that finds a heading whatever number is in front of it. */
  headingKey(section: number): string {
    return `^(?:(?:Section\\s+|§\\s*)?\\d+[.:]?\\s+)?${escaped(this.draft.headings[section] ?? '')}$`;
  }

  paragraphs(where: string, of: Aspect, expect: Expectation): Check {
    return { see: { look: 'paragraphs', path: this.path, where, of }, expect };
  }

  /** Every paragraph that the pattern finds, and there is one at least, has this. */
  each(where: string, of: Aspect, value: string | number | boolean): Check {
    const tolerance = typeof value === 'number' ? { tolerance: 0.06 } : {};
    return this.paragraphs(where, of, { equals: value, text: 'exact', ...tolerance });
  }

  document(of: Extract<Look, { look: 'document' }>['of'], expect: Expectation): Check {
    return { see: { look: 'document', path: this.path, of }, expect };
  }

  /** The text of the body has nothing that fits the pattern. */
  without(pattern: string, ignoreCase = false): Check {
    return { not: this.document('text', { matches: pattern, ignoreCase }) };
  }

  /** Place of a table among those of the corrected document, from 1. */
  tableAt(piece: Piece): number {
    return this.draft.pieces.filter((each) => each.solved?.type === 'table').indexOf(piece) + 1;
  }

  /** The corrected document with some pieces replaced, left out or, by more than one block, added to. */
  variant(changes: readonly (readonly [Piece, readonly Block[]])[], side: Partial<Side> = {}): TextDocument {
    return documentOf({ ...this.draft, solved: { ...this.draft.solved, ...side } }, 'solved', new Map(changes));
  }

  /** The variant in which one paragraph looks another way. */
  relooked(piece: Piece | undefined, look: Partial<Paragraph>): TextDocument {
    return this.variant(piece === undefined ? [] : [[piece, [{ ...this.block(piece), ...look }]]]);
  }

  /** The variant in which one paragraph says something else; its looks stay. */
  reworded(piece: Piece | undefined, change: (text: string) => string): TextDocument {
    if (piece === undefined) return this.variant([]);
    const block = this.block(piece);
    const [first] = block.runs;
    return this.variant([[piece, [{ ...block, runs: [{ ...first, text: change(plainText(block)) }] }]]]);
  }
}

export { escaped };
