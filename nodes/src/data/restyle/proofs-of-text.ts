import type { Piece } from './draft.ts';
import { escaped, type FinalDraft, type RequirementProof } from './proof.ts';

type Proofs = (final: FinalDraft) => RequirementProof[];

const anyOf = (words: readonly string[]) => `\\b(?:${words.map(escaped).join('|')})\\b`;

export const termProofs =
  (term: string, others: readonly string[]): Proofs =>
  (final) => {
    const pattern = () => new RegExp(anyOf([term]), 'giu');
    // Paragraphs that had another word; what they say instead is looked for in its order and with its capitals.
    const changed = final
      .pieces('body')
      .filter((piece) => new RegExp(anyOf(others), 'iu').test(final.text(piece, 'given')));
    const uses = (piece: Piece) => final.text(piece).match(pattern()) ?? [];
    const spoiled = changed.at(-1);
    const given = spoiled === undefined ? '' : final.text(spoiled, 'given');
    const other = new RegExp(anyOf(others), 'iu').exec(given)?.[0] ?? others[0] ?? '';
    const before = new RegExp(anyOf([term, ...others]), 'giu');
    const at = [...given.matchAll(before)].findIndex(([word]) => word === other);
    return [
      {
        id: 'term',
        check: [
          final.without(anyOf(others), true),
          ...changed.map((piece) =>
            final.paragraphs(final.key(piece), 'text', {
              matches: uses(piece)
                .slice(0, 12)
                .map((use) => `\\b${escaped(use)}\\b`)
                .join('[\\s\\S]*'),
              ignoreCase: false,
            }),
          ),
        ],
        doc: 'The other word is still used in one place.',
        variant: final.reworded(spoiled, (text) => {
          let seen = -1;
          return text.replace(pattern(), (use) => {
            seen += 1;
            return seen === at ? other : use;
          });
        }),
      },
    ];
  };

export const spaceProofs =
  (beforeMarks: boolean): Proofs =>
  (final) => {
    const piece = final.pieces('body').findLast((each) => final.text(each).includes(' '));
    return [
      {
        id: 'spaces',
        check: [final.without(' {2}'), ...(beforeMarks ? [final.without('\\p{L} [,.](?: |$|\\n)')] : [])],
        doc: 'Two spaces follow one another in one place.',
        variant: final.reworded(piece, (text) => text.replace(' ', '  ')),
      },
    ];
  };

const monthNames = '(?:January|February|March|April|May|June|July|August|September|October|November|December)';
const forms: Record<string, string> = {
  'day first': `\\b\\d{1,2} ${monthNames} \\d{4}\\b`,
  'month first': `\\b${monthNames} \\d{1,2}, \\d{4}\\b`,
  iso: '\\b\\d{4}-\\d{2}-\\d{2}\\b',
};

/** `otherwise` writes a date of the wanted form in another one. */
export const dateProofs =
  (wanted: string, otherwise: (date: string) => string): Proofs =>
  (final) => {
    const dates = (piece: Piece) => final.text(piece).match(new RegExp(forms[wanted] ?? '', 'gu')) ?? [];
    const dated = [...final.pieces('body'), ...final.pieces('subtitle')].filter((piece) => dates(piece).length > 0);
    const all = final.allText();
    const strange = Object.entries(forms).filter(
      ([form, pattern]) => form !== wanted && !new RegExp(pattern, 'iu').test(all),
    );
    const spoiled = final.pieces('body').findLast((piece) => dates(piece).length > 0);
    const [date = ''] = spoiled === undefined ? [] : dates(spoiled).slice(-1);
    return [
      {
        id: 'dates',
        check: [
          ...strange.map(([, pattern]) => final.without(pattern, true)),
          ...[...new Set(dated.flatMap(dates))].map((each) =>
            final.document('text', { contains: each, text: 'spaces' }),
          ),
        ],
        doc: 'One date has another form.',
        variant: final.reworded(spoiled, (text) => text.replace(date, otherwise(date))),
      },
    ];
  };
