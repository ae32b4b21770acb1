import { type Paragraph, papers, type TextTable } from '@cua-forge/spec/text-document';
import type { Change } from './change.ts';
import { append, type Draft, ensureNumbers, type Piece, paragraphOf, relook, tablePiece, textPiece } from './draft.ts';
import { cm } from './layout.ts';
import {
  blankProofs,
  edgeProofs,
  pageProofs,
  repeatedProofs,
  sectionOrderProofs,
  tableProofs,
} from './proofs-of-layout.ts';

const margins4 = ['top', 'right', 'bottom', 'left'] as const;

const page: Change = {
  id: 'page',
  phase: 3,
  conflicts: [],
  plant(draft, random) {
    const form = random.pick(['margins', 'paper', 'margins', 'orientation']);
    const paper = random.pick(['A4', 'Letter'] as const);
    const { width, height } = papers[paper];
    const [side, edge] = [random.pick([2, 2.5, 3]), random.pick([1.5, 2, 2.5, 3.5])];
    const margins = { top: cm(edge), bottom: cm(edge), left: cm(side), right: cm(side) };
    const faulty = {
      top: cm(4.2),
      bottom: cm(1.1),
      left: cm(random.pick([1.2, 4.6])),
      right: cm(random.pick([1.4, 5])),
    };
    const { given, solved } = draft;
    if (form === 'margins') {
      solved.page = { ...solved.page, ...margins };
      given.page = { ...solved.page, ...faulty };
      return {
        label: form,
        aim: 'even margins',
        requirements: [
          {
            id: 'margins',
            text: `The margins are ${side} cm on the left and right and ${edge} cm above and below`,
            must: true,
          },
        ],
        note: 'margins are set anew',
        proofs: pageProofs('margins', margins4, (set) => ({ ...set, bottom: set.bottom + cm(1.3) })),
      };
    }
    if (form === 'paper') {
      const other = paper === 'A4' ? papers.Letter : papers.A4;
      solved.page = { ...solved.page, width, height };
      given.page = { ...solved.page, ...other };
      return {
        label: `paper ${paper}`,
        aim: `pages in ${paper} format`,
        requirements: [{ id: 'paper', text: `The pages have the format ${paper}, upright`, must: true }],
        mentions: [paper],
        note: `the paper becomes ${paper}`,
        proofs: pageProofs('paper', ['width', 'height'], (set) => ({ ...set, ...other })),
      };
    }
    const upright = { width: solved.page.width, height: solved.page.height };
    given.page = { ...solved.page, width: upright.height, height: upright.width };
    return {
      label: form,
      aim: 'upright pages',
      requirements: [
        { id: 'orientation', text: 'The pages are upright, on the same paper and with the same margins', must: true },
      ],
      note: 'the pages are turned upright',
      proofs: pageProofs('orientation', ['width', 'height', ...margins4], (set) => ({
        ...set,
        width: set.height,
        height: set.width,
      })),
    };
  },
};

const edgeLine = (text: string, align: Paragraph['align']): Paragraph => ({
  type: 'paragraph',
  style: 'Normal',
  ...(align === undefined ? {} : { align }),
  runs: [{ text }],
});

const header: Change = {
  id: 'header',
  phase: 3,
  conflicts: [],
  plant(draft, random) {
    const year = random.integer(2021, 2025);
    const form = random.pick(['missing', 'outdated', 'draft mark']);
    const text = random.pick([draft.company, `${draft.company} – ${draft.title}`, `${draft.title}, edition ${year}`]);
    const align = random.pick<'left' | 'center' | 'right'>(['left', 'center', 'right']);
    draft.solved.header = [edgeLine(text, align)];
    draft.given.header =
      form === 'missing'
        ? []
        : [
            edgeLine(
              form === 'outdated'
                ? `${draft.title}, edition ${year - 3}`
                : `DRAFT ${random.integer(2, 9)} – not for use`,
              'left',
            ),
          ];
    const where = { left: 'on the left', center: 'in the middle', right: 'on the right' }[align];
    return {
      label: `${form}, ${align}`,
      aim: 'the right header',
      requirements: [
        { id: 'header', text: `The header of every page reads “${text}”, ${where}, and nothing else`, must: true },
      ],
      mentions: [text],
      note: `the header becomes “${text}”`,
      proofs: edgeProofs('header', 'header', [edgeLine(`${text}, draft`, align)]),
    };
  },
};

const pageNumbers: Change = {
  id: 'page numbers',
  phase: 3,
  conflicts: [],
  plant(draft, random) {
    const form = random.pick(['missing', 'typed']);
    const withTotal = random.chance(0.5);
    const align = random.pick<'left' | 'center' | 'right'>(['center', 'right', 'left']);
    draft.solved.footer = [
      {
        type: 'paragraph',
        style: 'Normal',
        align,
        runs: [
          { text: 'Page ' },
          { text: '', field: 'page' },
          ...(withTotal ? [{ text: ' of ' }, { text: '', field: 'pages' as const }] : []),
        ],
      },
    ];
    draft.given.footer = form === 'missing' ? [] : [edgeLine('Page 1', 'left')];
    const where = { left: 'on the left', center: 'in the middle', right: 'on the right' }[align];
    const what = withTotal ? '“Page”, its number, “of” and the number of all pages' : '“Page” and its number';
    return {
      label: `${form}, ${withTotal ? 'with total' : 'number alone'}, ${align}`,
      aim: 'page numbers that count by themselves',
      requirements: [
        {
          id: 'page-numbers',
          text: `The footer of every page says ${what}, ${where}, with fields that count by themselves, and nothing else`,
          must: true,
        },
      ],
      note: 'the footer gets page numbers',
      proofs: edgeProofs('page-numbers', 'footer', [edgeLine('Page 1', align)]),
    };
  },
};

const tables: readonly {
  heads: readonly string[];
  rows: readonly (readonly string[])[];
  numeric: readonly number[];
}[] = [
  {
    heads: ['Role', 'Limit', 'Signs with'],
    rows: [
      ['Clerk', '150', 'Team lead'],
      ['Buyer', '1,200', 'Head of purchasing'],
      ['Team lead', '2,500', 'Controller'],
      ['Controller', '8,000', 'Director'],
      ['Director', '25,000', 'Board'],
    ],
    numeric: [1],
  },
  {
    heads: ['Subject', 'Contact', 'Extension'],
    rows: [
      ['Payroll', 'Ines Halloran', '4410'],
      ['Access cards', 'Tom Akande', '4421'],
      ['Travel', 'Greta Lund', '4436'],
      ['Repairs', 'Jonas Weber', '4458'],
      ['Data protection', 'Mei Castellan', '4463'],
    ],
    numeric: [2],
  },
  {
    heads: ['Item', 'Years in use', 'Cost'],
    rows: [
      ['Monitor', '6', '260'],
      ['Keyboard', '4', '45'],
      ['Headset', '3', '80'],
      ['Desk lamp', '9', '38'],
      ['Chair', '10', '310'],
    ],
    numeric: [1, 2],
  },
];

const cellTexts = (
  rows: readonly (readonly string[])[],
  numeric: readonly number[],
  look: { bold: boolean; fill?: string; right: boolean },
) =>
  rows.map((row, down) =>
    row.map((text, across) => ({
      runs: [{ text, ...(down === 0 && look.bold ? { bold: true } : {}) }],
      ...(down === 0 && look.fill !== undefined ? { fill: look.fill } : {}),
      ...(look.right && numeric.includes(across) ? { align: 'right' as const } : {}),
    })),
  );

const tableForm: Change = {
  id: 'table',
  phase: 1,
  conflicts: ['section order'],
  plant(draft, random) {
    const section = random.integer(0, draft.headings.length - 1);
    const source = random.pick([...tables] as [(typeof tables)[number], ...(typeof tables)[number][]]);
    const { heads, numeric } = source;
    const rows = random.shuffle(random.subset(source.rows, random.integer(3, source.rows.length)));
    const form = random.pick(['heading row', 'numbers to the right', 'lines to table', 'sorted rows'] as const);
    const intro = `The table below lists ${heads[0]?.toLowerCase() ?? ''}, ${heads[1]?.toLowerCase() ?? ''} and ${heads[2]?.toLowerCase() ?? ''}:`;
    const make = (
      body: readonly (readonly string[])[],
      look: { bold: boolean; right: boolean; head: boolean },
    ): TextTable => ({
      type: 'table',
      borders: true,
      headerRow: look.head,
      rows: cellTexts([heads, ...body], numeric, look),
    });
    const full = { bold: true, right: true, head: true };
    const solvedRows = form === 'sorted rows' ? [...rows].sort((a, b) => ((a[0] ?? '') < (b[0] ?? '') ? -1 : 1)) : rows;
    if (form === 'sorted rows' && solvedRows.every((row, index) => row === rows[index])) rows.reverse();
    const solved = make(solvedRows, form === 'lines to table' ? { ...full, right: false } : full);
    const pieces = ((): Piece[] => {
      if (form === 'lines to table') {
        const lines: Piece[] = [heads, ...rows].map((row) => ({
          role: 'item',
          section,
          given: { type: 'paragraph', style: 'Normal', runs: [{ text: row.join('\t') }] },
          solved: undefined,
        }));
        return [...lines, { role: 'table', section, given: undefined, solved }];
      }
      const look = {
        'heading row': { bold: false, right: true, head: false },
        'numbers to the right': { bold: true, right: false, head: true },
        'sorted rows': full,
      }[form === 'heading row' || form === 'numbers to the right' ? form : 'sorted rows'];
      return [tablePiece(section, make(rows, look), solved)];
    })();
    append(draft, section, [textPiece('item', section, intro), ...pieces]);
    const names = numeric.map((at) => `“${heads[at]}”`).join(' and ');
    const texts = {
      'heading row': `The first row of the table of ${heads[0]?.toLowerCase()}s is bold and marked as a heading row that repeats on further pages`,
      'numbers to the right': `In the table with the heading “${heads[0]}”, all cells of ${names} are aligned to the right`,
      'lines to table': `The lines below “${intro}” whose parts are separated by tabs form a table with borders, one row for each line, the first one bold and repeated on further pages as heading row`,
      'sorted rows': `The rows of the table with the heading “${heads[0]}” are sorted by its first column from A to Z, each row kept together, the heading row on top`,
    };
    return {
      label: form,
      aim: {
        'heading row': 'a table with a heading row',
        'numbers to the right': 'a table that is easy to read',
        'lines to table': 'a real table',
        'sorted rows': 'a sorted table',
      }[form],
      requirements: [{ id: 'table', text: texts[form], must: true }],
      mentions: form === 'lines to table' ? [intro] : form === 'heading row' ? [] : [heads[0] ?? ''],
      note: `the table is changed: ${form}`,
      proofs: (final) => pieces.flatMap((piece) => tableProofs(piece, form, numeric)(final)),
    };
  },
};

const blanks: Change = {
  id: 'blank paragraphs',
  phase: 4,
  conflicts: [],
  plant(draft, random) {
    const space = random.pick([6, 9, 12]);
    const usual = draft.pieces.filter((piece) => piece.role === 'body');
    for (const piece of usual) relook(piece, 'solved', (block) => ({ ...block, after: space }));
    const places = random.subset(usual, Math.max(2, Math.ceil(usual.length / 2)));
    for (const piece of places) {
      const blank: Piece = {
        role: 'blank',
        section: piece.section,
        given: { type: 'paragraph', style: 'Normal', runs: [] },
        solved: undefined,
      };
      const count = random.integer(1, 2);
      draft.pieces.splice(draft.pieces.indexOf(piece) + 1, 0, ...Array.from({ length: count }, () => ({ ...blank })));
    }
    return {
      label: `space of ${space}`,
      aim: 'space between paragraphs that needs no empty lines',
      requirements: [
        { id: 'blanks', text: 'There are no empty paragraphs any more', must: true },
        {
          id: 'space-below',
          text: `Every paragraph of running text below the headings has ${space} pt of space below it`,
          must: true,
        },
      ],
      note: `empty paragraphs go, ${space} pt of space come`,
      proofs: blankProofs(space),
    };
  },
};

const repeated: Change = {
  id: 'repeated paragraph',
  phase: 4,
  conflicts: ['section order'],
  plant(draft, random) {
    const usual = draft.pieces.filter((piece) => piece.role === 'body');
    const sections = new Set(usual.map((piece) => piece.section));
    if (sections.size < 2) return undefined;
    const last = Math.max(...sections);
    const early = usual.filter((piece) => piece.section < last && paragraphOf(piece.given) !== undefined);
    const chosen = random.subset(early, Math.min(early.length, random.integer(1, 2)));
    for (const piece of chosen) {
      const later = [...sections].filter((section) => section > piece.section);
      const [section = last] = random.shuffle(later);
      append(draft, section, [{ role: 'blank', section, given: piece.given, solved: undefined }]);
    }
    return {
      label: `${chosen.length} repeated`,
      aim: 'nothing that stands in it twice',
      requirements: [
        {
          id: 'repeated',
          text: 'No paragraph stands in the document twice word for word; of those that did, the first one stays',
          must: true,
        },
      ],
      note: `${chosen.length} repeated paragraphs go`,
      proofs: repeatedProofs(chosen),
    };
  },
};

const sectionOrder: Change = {
  id: 'section order',
  phase: 4,
  conflicts: ['heading numbers', 'references', 'figures', 'list', 'table', 'repeated paragraph'],
  plant(draft: Draft, random) {
    if (draft.headings.length < 3) return undefined;
    ensureNumbers(draft);
    const order = draft.headings.map((_, index) => index);
    const from = random.integer(0, order.length - 1);
    const to = random.shuffle(order.filter((at) => Math.abs(at - from) > 1))[0] ?? (from === 0 ? 2 : 0);
    const [moved = 0] = order.splice(from, 1);
    order.splice(to, 0, moved);
    draft.order = order;
    return {
      label: to > from ? 'moved down' : 'moved up',
      aim: 'sections in the right order',
      requirements: [
        {
          id: 'section-order',
          text: 'The sections stand in the order of the numbers in their headings, each with all its text, and no number changes',
          must: true,
        },
      ],
      note: `section ${moved + 1} goes back to its place`,
      proofs: sectionOrderProofs,
    };
  },
};

export const changesOfLayout: readonly Change[] = [
  page,
  header,
  pageNumbers,
  tableForm,
  blanks,
  repeated,
  sectionOrder,
];
