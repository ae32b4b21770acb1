import type { Alignment, Run } from '@cua-forge/spec/text-document';
import type { Piece } from './draft.ts';
import type { FinalDraft, RequirementProof } from './proof.ts';

type Proofs = (final: FinalDraft) => RequirementProof[];

const last = (pieces: readonly Piece[]): Piece | undefined => pieces.at(-1);

/** Size that a style gives its text, where the document says it. */
const sizeOf = (final: FinalDraft, style: string) => final.draft.solved.styles[style]?.size;

export const headingStyleProofs =
  (style: string): Proofs =>
  (final) => {
    const all = final.pieces('heading');
    const size = sizeOf(final, style);
    return [
      {
        id: 'heading-styles',
        check: all.flatMap((piece) => {
          const key = final.headingKey(piece.section);
          return [final.each(key, 'style', style), ...(size === undefined ? [] : [final.each(key, 'size', size)])];
        }),
        doc: 'One heading has the style of another level.',
        variant: final.relooked(last(all), { style: 'Heading 3' }),
      },
    ];
  };

export const titleStyleProofs: Proofs = (final) => {
  const [title] = final.pieces('title');
  if (title === undefined) return [];
  const key = `^${final
    .text(title)
    .replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')
    .trim()}$`;
  const size = sizeOf(final, 'Title');
  return [
    {
      id: 'title-style',
      check: [final.each(key, 'style', 'Title'), ...(size === undefined ? [] : [final.each(key, 'size', size)])],
      doc: 'The title has the style of a heading.',
      variant: final.relooked(title, { style: 'Heading 2' }),
    },
  ];
};

export const headingNumberProofs: Proofs = (final) => {
  const all = final.pieces('heading');
  return [
    {
      id: 'heading-numbers',
      check: all.map((piece) => final.each(final.headingKey(piece.section), 'text', final.text(piece))),
      doc: 'The last heading has the number of the next.',
      variant: final.reworded(last(all), (text) => text.replace(/\d+/, (number) => String(Number(number) + 1))),
    },
  ];
};

export const bodyFontProofs =
  (font: string, size: number): Proofs =>
  (final) => {
    const all = final.pieces('body');
    const piece = last(all);
    return [
      {
        id: 'body-font',
        check: all.flatMap((each) => [
          final.each(final.key(each), 'font', font),
          final.each(final.key(each), 'size', size),
        ]),
        doc: 'The last paragraph has another size.',
        variant: final.relooked(piece, {
          runs: (piece === undefined ? [] : final.block(piece).runs).map((run) => ({ ...run, size: size + 3 })),
        }),
      },
    ];
  };

export const bodyParagraphProofs =
  (align: Alignment, lines: number): Proofs =>
  (final) => {
    const all = final.pieces('body');
    // Some paragraphs may be aligned at the start as they have to be; all of them have another spacing.
    const aligned = all.every((piece) => {
      const given = piece.given?.type === 'paragraph' ? piece.given.align : undefined;
      return given === align || (given === undefined && align === 'left');
    });
    const [first] = all;
    return [
      {
        id: 'alignment',
        check: [
          ...(aligned && first !== undefined ? [final.each(final.key(first), 'lines', lines)] : []),
          ...all.map((piece) => final.each(final.key(piece), 'align', align)),
        ],
        doc: 'The last paragraph is aligned in another way.',
        variant: final.relooked(last(all), { align: 'right' }),
      },
      {
        id: 'line-spacing',
        check: all.map((piece) => final.each(final.key(piece), 'lines', lines)),
        doc: 'The last paragraph has another line spacing.',
        variant: final.relooked(last(all), { lines: 3 }),
      },
    ];
  };

const unmarked = {
  coloured: ['color', '000000'],
  underlined: ['underline', false],
  bold: ['bold', false],
  italic: ['italic', false],
} as const;

export const strayMarkProofs =
  (form: string, look: Omit<Run, 'text'>): Proofs =>
  (final) => {
    const all = final.pieces('body');
    const [aspect, plain] = unmarked[form in unmarked ? (form as keyof typeof unmarked) : 'coloured'];
    const piece = all.findLast((each) => final.text(each).includes(' '));
    const [run] = piece === undefined ? [] : final.block(piece).runs;
    const [word = '', ...words] = (run?.text ?? '').split(' ');
    return [
      {
        id: 'stray-marks',
        check: all.map((each) => final.each(final.key(each), aspect, plain)),
        doc: 'The first word of a paragraph still has the mark.',
        variant: final.relooked(piece, {
          runs: [
            { ...run, text: word, ...look },
            { ...run, text: ` ${words.join(' ')}` },
          ],
        }),
      },
    ];
  };
