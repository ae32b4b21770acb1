import type { Change } from './change.ts';
import { bodies, type Draft, paragraphOf, plainText, retext } from './draft.ts';
import { dateProofs, spaceProofs, termProofs } from './proofs-of-text.ts';

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
const wordPattern = (word: string) => new RegExp(`\\b${escaped(word)}\\b`, 'gi');

/** A word in the capitals of the one it takes the place of. */
function likeCase(word: string, model: string): string {
  if (model === model.toUpperCase()) return word.toUpperCase();
  return /^\p{Lu}/u.test(model) ? word.slice(0, 1).toUpperCase() + word.slice(1) : word;
}

/** Words that a policy should use for one thing alone, and words that creep in for them. */
const terms: readonly [string, readonly [string, string]][] = [
  ['employees', ['personnel', 'workers']],
  ['company', ['firm', 'enterprise']],
  ['manager', ['supervisor', 'superior']],
  ['policy', ['directive', 'regulation']],
  ['team', ['crew', 'squad']],
  ['equipment', ['gear', 'apparatus']],
  ['laptop', ['notebook', 'portable']],
  ['meetings', ['gatherings', 'sittings']],
  ['customers', ['clients', 'patrons']],
  ['training', ['schooling', 'coaching']],
  ['approval', ['consent', 'clearance']],
  ['supplier', ['vendor', 'provider']],
  ['expenses', ['outlays', 'spendings']],
  ['migration', ['relocation', 'transfer']],
];

const allText = (draft: Draft) =>
  draft.pieces
    .flatMap((piece) => {
      const block = paragraphOf(piece.solved);
      return block === undefined ? [] : [plainText(block)];
    })
    .join('\n');

const terms2 = (draft: Draft) => {
  const text = allText(draft);
  const running = bodies(draft)
    .map((piece) => paragraphOf(piece.solved))
    .map((block) => (block === undefined ? '' : plainText(block)))
    .join('\n');
  return terms.flatMap(([term, others]) => {
    const unused = others.filter((other) => !wordPattern(other).test(text));
    const uses = running.match(wordPattern(term))?.length ?? 0;
    return unused.length > 0 && uses >= 2 ? [{ term, others: unused }] : [];
  });
};

const oneTerm: Change = {
  id: 'defined term',
  phase: 2,
  conflicts: [],
  plant(draft, random) {
    const [found] = random.shuffle(terms2(draft));
    if (found === undefined) return undefined;
    const { term } = found;
    const others = found.others.slice(0, random.integer(1, found.others.length));
    const uses = bodies(draft).flatMap((piece) => {
      const block = paragraphOf(piece.given);
      return [...(block === undefined ? [] : plainText(block).matchAll(wordPattern(term)))].map((match) => ({
        piece,
        at: match.index,
      }));
    });
    const chosen = random.subset(uses, Math.max(others.length, Math.ceil(uses.length / 2)));
    // From the back, so that earlier places keep their positions.
    [...chosen].reverse().forEach(({ piece, at }, index) => {
      const other = others[index % others.length] ?? term;
      retext(piece, 'given', (text) => {
        const model = text.slice(at, at + term.length);
        return text.slice(0, at) + likeCase(other, model) + text.slice(at + term.length);
      });
    });
    const quoted = others.map((other) => `“${other}”`).join(' or ');
    return {
      label: `${others.length === 1 ? 'one other word' : 'two other words'}`,
      aim: 'one word for one thing',
      requirements: [
        {
          id: 'term',
          text: `Wherever the text says ${quoted}, it says “${term}” instead, with capitals as before`,
          must: true,
        },
      ],
      mentions: [term, ...others],
      note: `${chosen.length} places become “${term}”`,
      proofs: termProofs(term, others),
    };
  },
};

const spaces: Change = {
  id: 'spaces',
  phase: 2,
  conflicts: [],
  plant(draft, random) {
    const all = bodies(draft).filter((piece) => {
      const block = paragraphOf(piece.given);
      return block !== undefined && plainText(block).split(' ').length >= 4;
    });
    if (all.length === 0) return undefined;
    const form = random.pick(['doubled', 'doubled and before marks', 'doubled']);
    const marks = form === 'doubled and before marks';
    const faulty = random.subset(all, Math.max(1, Math.ceil(all.length * 0.6)));
    faulty.forEach((piece, index) => {
      const [from, step] = [random.integer(0, 2), random.integer(3, 6)];
      retext(piece, 'given', (text) => {
        const parts = text.split(' ');
        const joined = parts.reduce(
          (whole, part, at) => whole + (at === 0 ? '' : (at - 1) % step === from ? '  ' : ' ') + part,
          '',
        );
        const several = joined.includes('  ') ? joined : joined.replace(' ', '  ');
        return marks && index % 2 === 0 ? several.replace(/(\p{L})([,.])( |$)/u, '$1 $2$3') : several;
      });
    });
    return {
      label: form,
      aim: 'single spaces',
      requirements: [
        {
          id: 'spaces',
          text: `No two spaces follow one another anywhere in the text${marks ? ', and no space stands before a comma or a full stop' : ''}`,
          must: true,
        },
      ],
      note: `${faulty.length} paragraphs have too many spaces`,
      proofs: spaceProofs(marks),
    };
  },
};

const months = 'January February March April May June July August September October November December'.split(' ');
interface Day {
  year: number;
  month: number;
  day: number;
}
type DateForm = 'day first' | 'month first' | 'iso';
const two = (value: number) => String(value).padStart(2, '0');

export function writtenDate({ year, month, day }: Day, form: DateForm): string {
  const name = months[month - 1] ?? '';
  if (form === 'day first') return `${day} ${name} ${year}`;
  return form === 'month first' ? `${name} ${day}, ${year}` : `${year}-${two(month)}-${two(day)}`;
}

const names = months.join('|');
const datePattern = new RegExp(
  `\\b(?:(${names}) (\\d{1,2}), (\\d{4})|(\\d{1,2}) (${names}) (\\d{4})|(\\d{4})-(\\d{2})-(\\d{2}))\\b`,
  'gi',
);
const monthOf = (name: string) => months.findIndex((month) => month.toLowerCase() === name.toLowerCase()) + 1;

function replaceDates(text: string, write: (day: Day) => string): string {
  return text.replace(datePattern, (_whole, ...groups: (string | undefined)[]) => {
    const [m1, d1, y1, d2, m2, y2, y3, m3, d3] = groups;
    if (m1 !== undefined) return write({ year: Number(y1), month: monthOf(m1), day: Number(d1) });
    if (m2 !== undefined) return write({ year: Number(y2), month: monthOf(m2), day: Number(d2) });
    return write({ year: Number(y3), month: Number(m3), day: Number(d3) });
  });
}

const examples: Record<DateForm, string> = {
  'day first': '5 March 2019',
  'month first': 'March 5, 2019',
  iso: '2019-03-05',
};

const dateSentences = [
  'These rules were agreed on {date}.',
  'The next review is due on {date}.',
  'Earlier versions are void from {date}.',
  'Questions are collected until {date}.',
  'Exceptions granted before {date} stay in force.',
  'The training for this section begins on {date}.',
];

const dates: Change = {
  id: 'dates',
  phase: 2,
  conflicts: [],
  plant(draft, random) {
    const wanted = random.pick<DateForm>(['day first', 'month first', 'iso']);
    const forms: DateForm[] = (['day first', 'month first', 'iso'] as const).filter((form) => form !== wanted);
    const some = random.subset(bodies(draft), Math.min(bodies(draft).length, random.integer(3, 5)));
    const sentences = random.shuffle(dateSentences);
    some.forEach((piece, index) => {
      const day = { year: random.integer(2023, 2026), month: random.integer(1, 12), day: random.integer(1, 28) };
      const sentence = sentences[index % sentences.length] ?? '';
      const add = (form: DateForm) => (text: string) => `${text} ${sentence.replace('{date}', writtenDate(day, form))}`;
      retext(piece, 'solved', add(wanted));
      retext(piece, 'given', add(index === 0 ? wanted : (forms[index % forms.length] ?? wanted)));
    });
    for (const piece of draft.pieces) {
      if (piece.role === 'body' || piece.role === 'subtitle')
        retext(piece, 'solved', (text) => replaceDates(text, (day) => writtenDate(day, wanted)));
    }
    return {
      label: `to ${wanted}`,
      aim: 'all dates in one form',
      requirements: [
        {
          id: 'dates',
          text: `Every full date in the text is written in the form of “${examples[wanted]}”, and still means the same day`,
          must: true,
        },
      ],
      note: `dates are written ${wanted}`,
      proofs: dateProofs(wanted, (date) => replaceDates(date, (day) => writtenDate(day, forms[0] ?? wanted))),
    };
  },
};

export const changesOfText: readonly Change[] = [oneTerm, spaces, dates];
