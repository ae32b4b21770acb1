import type { Check } from '@cua-forge/spec/check';
import type { Look } from '@cua-forge/spec/check-look';
import { type PageSetup, type Paragraph, runsText, type TextTable } from '@cua-forge/spec/text-document';
import type { Piece } from './draft.ts';
import type { FinalDraft, RequirementProof } from './proof.ts';

type Proofs = (final: FinalDraft) => RequirementProof[];

/** Points that a length may differ by, since applications count in units of their own. */
const tolerance = 1.5;

export const pageProofs =
  (id: string, aspects: readonly (keyof PageSetup)[], other: (page: PageSetup) => PageSetup): Proofs =>
  (final) => {
    const { page } = final.draft.solved;
    return [
      {
        id,
        check: aspects.map((aspect) => final.document(aspect, { equals: page[aspect], text: 'exact', tolerance })),
        doc: 'The pages are set in another way.',
        variant: final.variant([], { page: other(page) }),
      },
    ];
  };

export const edgeProofs =
  (id: string, which: 'header' | 'footer', other: Paragraph[]): Proofs =>
  (final) => {
    const [line] = final.draft.solved[which];
    return [
      {
        id,
        check: [
          final.document(which, { equals: runsText(line?.runs ?? []), text: 'spaces' }),
          final.document(`${which}-align`, { equals: line?.align ?? 'left', text: 'exact' }),
        ],
        doc: 'It says something else.',
        variant: final.variant([], { [which]: other }),
      },
    ];
  };

type CellAspect = Extract<Look, { look: 'table-cell' }>['of'];

export type TableForm = 'heading row' | 'numbers to the right' | 'lines to table' | 'sorted rows';

export const tableProofs =
  (piece: Piece, form: TableForm, numeric: readonly number[]): Proofs =>
  (final) => {
    const solved = piece.solved;
    if (solved?.type !== 'table') return [];
    const table = final.tableAt(piece);
    const { path } = final;
    const cell = (row: number, column: number, of: CellAspect, equals: string | boolean): Check => ({
      see: { look: 'table-cell', path, table, row: row + 1, column: column + 1, of },
      expect: { equals, text: 'spaces' },
    });
    const texts: Check = {
      see: { look: 'table', path, table, of: 'texts' },
      expect: {
        list: solved.rows.flatMap((row) => row.map(({ runs }) => runsText(runs))),
        ordered: true,
        text: 'spaces',
      },
    };
    const heading: Check[] = [
      ...(solved.rows[0] ?? []).map((_, column) => cell(0, column, 'bold', true)),
      {
        see: { look: 'table', path, table, of: 'header-rows' },
        expect: { equals: 1, text: 'exact' },
      },
    ];
    const spoiled = (change: Partial<TextTable>, doc: string) => ({
      doc,
      variant: final.variant([[piece, [{ ...solved, ...change }]]]),
    });
    const [top = [], ...body] = solved.rows;
    switch (form) {
      case 'heading row':
        return [{ id: 'table', check: heading, ...spoiled({ headerRow: false }, 'The first row does not repeat.') }];
      case 'lines to table':
        return [
          {
            id: 'table',
            check: [
              texts,
              { see: { look: 'table', path, table, of: 'borders' }, expect: { equals: true, text: 'exact' } },
              ...heading,
            ],
            ...spoiled({ headerRow: false }, 'The first row does not repeat.'),
          },
        ];
      case 'sorted rows':
        return [
          {
            id: 'table',
            check: [texts],
            ...spoiled({ rows: [top, ...[...body].reverse()] }, 'The rows stand in the opposite order.'),
          },
        ];
      case 'numbers to the right':
        return [
          {
            id: 'table',
            check: solved.rows.flatMap((_, row) => numeric.map((column) => cell(row, column, 'align', 'right'))),
            ...spoiled(
              {
                rows: solved.rows.map((row, at) =>
                  at === solved.rows.length - 1
                    ? row.map((each, column) => (numeric.includes(column) ? { runs: each.runs, align: 'left' } : each))
                    : row,
                ),
              },
              'The last row is aligned to the left.',
            ),
          },
        ];
    }
  };

export const blankProofs =
  (space: number): Proofs =>
  (final) => {
    const all = final.pieces('body');
    const piece = all.at(0);
    return [
      {
        id: 'blanks',
        check: [final.without('(?:^|\\n) *\\n *\\S')],
        doc: 'One empty paragraph is still there.',
        variant:
          piece === undefined
            ? final.variant([])
            : final.variant([[piece, [{ type: 'paragraph', style: 'Normal', runs: [] }, final.block(piece)]]]),
      },
      {
        id: 'space-below',
        check: all.map((each) => final.each(final.key(each), 'after', space)),
        doc: 'The last paragraph has no space below.',
        variant: final.relooked(all.at(-1), { after: 0 }),
      },
    ];
  };

export const repeatedProofs =
  (pieces: readonly Piece[]): Proofs =>
  (final) => {
    const [spoiled] = pieces;
    const end = final.pieces('body').at(-1);
    return [
      {
        id: 'repeated',
        check: pieces.map((piece) => final.paragraphs(final.key(piece), 'text', { count: { atLeast: 1, atMost: 1 } })),
        doc: 'One paragraph is still there twice.',
        variant:
          spoiled === undefined || end === undefined
            ? final.variant([])
            : final.variant([[end, [final.block(end), final.block(spoiled)]]]),
      },
    ];
  };

export const sectionOrderProofs: Proofs = (final) => {
  const { draft } = final;
  const all = final.pieces('heading');
  const follows = (first: string, second: string) =>
    final.document('text', {
      matches: `(?:^|\\n)${first.replace(/^\^/, '').replace(/\$$/, '')}[^\\n]*\\n[\\s\\S]*?${second.replace(/^\^/, '').replace(/\$$/, '')}`,
      ignoreCase: false,
    });
  return [
    {
      id: 'section-order',
      check: [
        ...all.map((piece) => final.each(final.headingKey(piece.section), 'text', final.text(piece))),
        ...all.slice(1).map((piece, index) => follows(final.headingKey(index), final.headingKey(piece.section))),
        ...all.flatMap((piece) => {
          const last = final.pieces('body').findLast(({ section }) => section === piece.section);
          const next = all.find(({ section }) => section === piece.section + 1);
          return last === undefined || next === undefined
            ? []
            : [follows(final.key(last), final.headingKey(next.section))];
        }),
      ],
      doc: 'The last section stands first.',
      variant: final.variant(movedToFront(final, all.length - 1)),
    },
  ];

  /** Blocks of the last section go in front of the first. */
  function movedToFront(of: FinalDraft, section: number): [Piece, readonly NonNullable<Piece['solved']>[]][] {
    const own = draft.pieces.filter((piece) => piece.section === section);
    const [first] = of.pieces('heading');
    return first === undefined
      ? []
      : [
          [first, [...own.flatMap((piece) => piece.solved ?? []), of.block(first)]],
          ...own.map((piece): [Piece, []] => [piece, []]),
        ];
  }
};
