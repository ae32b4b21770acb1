import type { TextTable } from '@cua-forge/spec/text-document';
import type { Change } from './change.ts';
import { append, bodies, ensureNumbers, numberOf, type Piece, retext, tablePiece, textPiece } from './draft.ts';
import { listProofs, type Stated, statedProofs } from './proofs-of-facts.ts';

interface Figure {
  text: string;
  /** What a sentence looks like with it; `{v}` is the figure. */
  sentence: string;
  subject: string;
  make(value: number): string;
  values: [number, ...number[]];
}

const figures: readonly Omit<Figure, 'text'>[] = [
  {
    subject: 'Time to answer a request',
    sentence: 'Requests are answered within {v}.',
    make: (n) => `${n} working days`,
    values: [3, 4, 6, 7, 8],
  },
  {
    subject: 'Storage of records',
    sentence: 'Records are kept for {v}.',
    make: (n) => `${n} months`,
    values: [18, 24, 30, 36, 48],
  },
  {
    subject: 'Spending without approval',
    sentence: 'Spending of up to {v} needs no further signature.',
    make: (n) => `$${n}`,
    values: [165, 235, 345, 415, 485, 655],
  },
  {
    subject: 'Share that is paid back',
    sentence: 'Of the cost, {v} is paid back.',
    make: (n) => `${n}%`,
    values: [35, 45, 55, 65, 85],
  },
  {
    subject: 'Notice of changes',
    sentence: 'Changes are announced {v} ahead.',
    make: (n) => `${n} weeks`,
    values: [3, 4, 5, 6, 8],
  },
  {
    subject: 'Length of a check-in',
    sentence: 'Each check-in takes {v}.',
    make: (n) => `${n} minutes`,
    values: [20, 25, 35, 40, 50],
  },
  {
    subject: 'People who have to sign',
    sentence: 'Each exception carries {v}.',
    make: (n) => `${n} signatures`,
    values: [3, 4, 5, 6, 7],
  },
  {
    subject: 'Limit of a single claim',
    sentence: 'A single claim goes up to {v}.',
    make: (n) => `€${n}`,
    values: [155, 275, 385, 495, 725],
  },
];

const factsHeadings = ['Agreed figures', 'Key figures', 'Figures in force', 'Annex: figures'] as const;

function factsTable(rows: readonly [string, string][], fill: string | undefined): TextTable {
  const cell = (text: string, head: boolean) => ({
    runs: [{ text, ...(head ? { bold: true } : {}) }],
    ...(head && fill !== undefined ? { fill } : {}),
  });
  return {
    type: 'table',
    headerRow: true,
    borders: true,
    rows: [
      [cell('Subject', true), cell('Figure', true)],
      ...rows.map(([subject, value]) => [cell(subject, false), cell(value, false)]),
    ],
  };
}

/** Figures in the text that differ from those of a table at the end. */
const facts: Change = {
  id: 'figures',
  phase: 1,
  conflicts: ['section order'],
  plant(draft, random) {
    const places = random.shuffle(bodies(draft)).slice(0, random.integer(3, 5));
    const chosen = random.shuffle(figures).slice(0, places.length);
    const wrong = Math.max(2, chosen.length - random.integer(0, 2));
    const rows: [string, string][] = [];
    const answers: { label: string; value: string }[] = [];
    const stated: Stated[] = [];
    chosen.forEach((figure, index) => {
      const piece = places[index];
      if (piece === undefined) return;
      const [right = 0, other = 0] = random.shuffle(figure.values);
      const add = (value: number) => (text: string) => `${text} ${figure.sentence.replace('{v}', figure.make(value))}`;
      retext(piece, 'solved', add(right));
      retext(piece, 'given', add(index < wrong ? other : right));
      rows.push([figure.subject, figure.make(right)]);
      stated.push({ piece, right: figure.make(right), other: figure.make(other) });
      if (index < wrong) answers.push({ label: figure.subject, value: figure.make(right) });
    });
    const heading = random.pick([...factsHeadings]);
    const section = draft.headings.length;
    draft.headings.push(heading);
    const table = factsTable(random.shuffle(rows), random.pick([undefined, 'D9E2F3', 'E7E6E6']));
    draft.pieces.push(
      textPiece('heading', section, `${numberOf(draft.scheme, section + 1)}${heading}`, { style: 'Heading 1' }),
      tablePiece(section, table, table),
    );
    return {
      label: `${wrong} of ${chosen.length} wrong`,
      aim: 'figures that agree with its table',
      requirements: [
        {
          id: 'figures',
          text: `Every figure in the text that the table under “${heading}” also gives is the one of that table, which is right and stays as it is`,
          must: true,
        },
      ],
      mentions: [heading],
      answers,
      note: `${wrong} figures are corrected after the table`,
      proofs: statedProofs('figures', 'One figure is not that of the table.', stated),
    };
  },
};

const referenceSentences = [
  'See section {n}, {name}, as well.',
  'The rules of section {n}, {name}, apply too.',
  'Section {n}, {name}, has the details.',
  'What section {n}, {name}, says comes first.',
] as const;

/** References to sections by a number that does not belong to the name beside it. */
const references: Change = {
  id: 'references',
  phase: 1,
  conflicts: ['heading numbers', 'section order'],
  plant(draft, random) {
    ensureNumbers(draft);
    const count = draft.headings.length;
    const places = random.shuffle(bodies(draft)).slice(0, random.integer(2, 4));
    const wrong = Math.max(1, places.length - random.integer(0, 1));
    const stated: Stated[] = [];
    places.forEach((piece, index) => {
      const targets = draft.headings.map((_, at) => at).filter((at) => at !== piece.section);
      const [target = 0] = random.shuffle(targets);
      const [other = 0] = random.shuffle(
        Array.from({ length: count + 1 }, (_, at) => at).filter((at) => at !== target),
      );
      const sentence = random.pick([...referenceSentences]).replace('{name}', draft.headings[target] ?? '');
      const add = (at: number) => (text: string) => `${text} ${sentence.replace('{n}', String(at + 1))}`;
      retext(piece, 'solved', add(target));
      retext(piece, 'given', add(index < wrong ? other : target));
      stated.push({ piece, right: `ection ${target + 1},`, other: `ection ${other + 1},` });
    });
    return {
      label: `${wrong} of ${places.length} wrong`,
      aim: 'references that lead to the right sections',
      requirements: [
        {
          id: 'references',
          text: 'Where the text refers to a section by number and name, the number is that of the heading with this name',
          must: true,
        },
      ],
      note: `${wrong} references get another number`,
      proofs: statedProofs('references', 'One reference has another number.', stated),
    };
  },
};

const stepLists: readonly { intro: string; steps: readonly string[] }[] = [
  {
    intro: 'A request goes this way:',
    steps: [
      'Fill in the form',
      'Have it signed',
      'Hand it in at the front office',
      'Wait for the written answer',
      'File the answer',
    ],
  },
  {
    intro: 'Before the first day, have these things ready:',
    steps: ['Badge and key', 'Signed agreement', 'List of contacts', 'Access to the shared folder'],
  },
  {
    intro: 'These points are part of every review:',
    steps: ['Open questions of the last review', 'New rules', 'Costs', 'Complaints', 'Next date'],
  },
  {
    intro: 'When something is lost or stolen:',
    steps: [
      'Tell the help desk at once',
      'Have the access locked',
      'Write down what happened',
      'Ask for a replacement',
    ],
  },
];

/** Points that are typed with a mark or a number in front. */
const lists: Change = {
  id: 'list',
  phase: 1,
  conflicts: ['section order'],
  plant(draft, random) {
    const section = random.integer(0, draft.headings.length - 1);
    const kind = random.pick(['number', 'bullet'] as const);
    const mark = kind === 'number' ? random.pick(['1) ', '1. ', 'a) ', '(1) ']) : random.pick(['- ', '* ', '– ']);
    const { intro, steps } = random.pick([...stepLists] as [
      (typeof stepLists)[number],
      ...(typeof stepLists)[number][],
    ]);
    const written = random.subset(steps, random.integer(3, steps.length));
    const typed = (index: number) => mark.replace('1', String(index + 1)).replace('a', 'abcdefgh'.charAt(index));
    const pieces: Piece[] = written.map((text, index) => ({
      role: 'item',
      section,
      given: { type: 'paragraph', style: 'Normal', runs: [{ text: `${typed(index)}${text}` }] },
      solved: { type: 'paragraph', style: 'Normal', list: { kind, id: 'points', level: 0 }, runs: [{ text }] },
    }));
    append(draft, section, [textPiece('item', section, intro), ...pieces]);
    const what = kind === 'number' ? 'an automatic numbered list' : 'an automatic bullet list';
    return {
      label: `${mark.trim()} to ${kind}`,
      aim: kind === 'number' ? 'a real numbered list' : 'a real bullet list',
      requirements: [
        {
          id: 'list',
          text: `The points below “${intro}” form ${what}, without the marks that are typed in front of them`,
          must: true,
        },
      ],
      mentions: [intro],
      note: `${written.length} points become ${what}`,
      proofs: listProofs(pieces, kind, typed(0)),
    };
  },
};

export const changesOfFacts: readonly Change[] = [facts, references, lists];
