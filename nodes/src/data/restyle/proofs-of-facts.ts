import type { Piece } from './draft.ts';
import { escaped, type FinalDraft, type RequirementProof } from './proof.ts';

type Proofs = (final: FinalDraft) => RequirementProof[];

/** A text that belongs to a paragraph, and another one that it must not have. */
export interface Stated {
  piece: Piece;
  right: string;
  other: string;
}

export const statedProofs =
  (id: string, doc: string, stated: readonly Stated[]): Proofs =>
  (final) => {
    const spoiled = stated.at(-1);
    return [
      {
        id,
        check: stated.flatMap(({ piece, right, other }) => [
          final.paragraphs(final.key(piece), 'text', { contains: right, text: 'spaces' }),
          ...(final.text(piece).includes(other)
            ? []
            : [{ not: final.paragraphs(final.key(piece), 'text', { contains: other, text: 'spaces' as const }) }]),
        ]),
        doc,
        variant: final.reworded(spoiled?.piece, (text) =>
          spoiled === undefined ? text : text.replace(spoiled.right, () => spoiled.other),
        ),
      },
    ];
  };

export const listProofs =
  (items: readonly Piece[], kind: 'number' | 'bullet', typed: string): Proofs =>
  (final) => {
    const key = (piece: Piece) => `${escaped(final.text(piece))}$`;
    const spoiled = items.at(-1);
    return [
      {
        id: 'list',
        check: items.flatMap((piece) => [
          final.each(key(piece), 'list', kind),
          final.each(key(piece), 'text', final.text(piece)),
        ]),
        doc: 'The last point is typed.',
        variant:
          spoiled === undefined
            ? final.variant([])
            : final.variant([
                [spoiled, [{ type: 'paragraph', style: 'Normal', runs: [{ text: `${typed}${final.text(spoiled)}` }] }]],
              ]),
      },
    ];
  };
