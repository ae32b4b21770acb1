import type { Alignment, Paragraph, Run } from '@cua-forge/spec/text-document';
import type { Change } from './change.ts';
import { bodies, type Draft, numberOf, paragraphOf, plainText, relook, retext } from './draft.ts';
import { fonts } from './layout.ts';
import {
  bodyFontProofs,
  bodyParagraphProofs,
  headingNumberProofs,
  headingStyleProofs,
  strayMarkProofs,
  titleStyleProofs,
} from './proofs-of-style.ts';

const headings = (draft: Draft) => draft.pieces.filter((piece) => piece.role === 'heading');
const asRuns = (block: Paragraph, look: Omit<Run, 'text'>): Run[] => [{ text: plainText(block), ...look }];

/** Headings that only look like headings, or have the style of another level. */
const headingStyles: Change = {
  id: 'heading styles',
  phase: 3,
  conflicts: [],
  plant(draft, random) {
    const level = random.pick([1, 1, 2]);
    const style = `Heading ${level}`;
    const form = random.pick(['bold text', 'wrong level', 'large text', 'some of them']);
    const all = headings(draft);
    const faulty = form === 'some of them' ? random.subset(all, Math.max(2, Math.floor(all.length / 2))) : all;
    for (const piece of all) {
      relook(piece, 'solved', (block) => ({ ...block, style }));
      relook(piece, 'given', (block) => {
        if (!faulty.includes(piece)) return { ...block, style };
        if (form === 'wrong level') return { ...block, style: 'Heading 3' };
        const look = form === 'large text' ? { size: 15 } : { bold: true, size: 13 };
        return { ...block, style: 'Normal', runs: asRuns(block, look) };
      });
    }
    return {
      label: `${form} to level ${level}`,
      aim: 'real heading styles',
      requirements: [
        {
          id: 'heading-styles',
          text: `Every section heading has the paragraph style ${style}, with no bold or size of its own on top of the style`,
          must: true,
        },
      ],
      mentions: [style],
      note: `${all.length} headings get the style ${style}`,
      proofs: headingStyleProofs(style),
    };
  },
};

const titleStyle: Change = {
  id: 'title style',
  phase: 3,
  conflicts: [],
  plant(draft, random) {
    const [title] = draft.pieces.filter((piece) => piece.role === 'title');
    if (title === undefined) return undefined;
    const form = random.pick(['large text', 'a heading']);
    relook(title, 'given', (block) =>
      form === 'a heading'
        ? { ...block, style: 'Heading 2' }
        : { ...block, style: 'Normal', runs: asRuns(block, { bold: true, size: 18 }) },
    );
    return {
      label: form,
      aim: 'a proper title',
      requirements: [
        {
          id: 'title-style',
          text: 'The first line, which names the document, has the paragraph style Title and nothing else on top',
          must: true,
        },
      ],
      mentions: ['Title'],
      note: 'the first line gets the style Title',
      proofs: titleStyleProofs,
    };
  },
};

/** Typed numbers in front of headings that are wrong, missing or of another form. */
const headingNumbers: Change = {
  id: 'heading numbers',
  phase: 2,
  conflicts: ['references', 'section order'],
  plant(draft, random) {
    const all = headings(draft);
    const form = random.pick(['wrong sequence', 'missing', 'other form']);
    const wanted = random.pick(['dotted', 'section', 'paragraph-sign'] as const);
    const example = {
      dotted: 'as in “7. Name”',
      section: 'as in “Section 7: Name”',
      'paragraph-sign': 'as in “§ 7 Name”',
    }[wanted];
    const shift = random.integer(1, all.length - 1);
    all.forEach((piece, index) => {
      const name = draft.headings[index] ?? '';
      retext(piece, 'solved', () => `${numberOf(wanted, index + 1)}${name}`);
      const wrong = index >= shift ? index : index + 1;
      const other = wanted === 'dotted' ? 'section' : 'dotted';
      retext(piece, 'given', () => {
        if (form === 'missing') return name;
        return `${form === 'other form' ? numberOf(other, index + 1) : numberOf(wanted, wrong)}${name}`;
      });
    });
    return {
      label: `${form} to ${wanted}`,
      aim: 'headings that are numbered throughout',
      requirements: [
        {
          id: 'heading-numbers',
          text: `The section headings are numbered one after the other from 1 in the order in which they stand, typed in front of the name ${example}`,
          must: true,
        },
      ],
      note: `headings are numbered from 1 to ${all.length}`,
      proofs: headingNumberProofs,
    };
  },
};

const bodyFont: Change = {
  id: 'body font',
  phase: 3,
  conflicts: [],
  plant(draft, random) {
    const all = bodies(draft);
    const faulty = random.subset(all, Math.max(2, Math.ceil(all.length / 3)));
    const normal = draft.solved.styles.Normal ?? {};
    const others = fonts.filter((font) => font !== normal.font);
    for (const piece of faulty) {
      const [font] = random.shuffle(others);
      const size = random.pick([8, 9, 13, 14]);
      const look = random.chance(0.5) ? { size } : { ...(font === undefined ? {} : { font }), size };
      relook(piece, 'given', (block) => ({ ...block, runs: block.runs.map((run) => ({ ...run, ...look })) }));
    }
    return {
      label: 'direct formatting',
      aim: 'one font for all running text',
      requirements: [
        {
          id: 'body-font',
          text: `All running text below the headings is set in ${normal.font} with ${normal.size} pt, as most of it is`,
          must: true,
        },
      ],
      note: `${faulty.length} paragraphs have another font or size`,
      proofs: bodyFontProofs(normal.font ?? '', normal.size ?? 0),
    };
  },
};

const bodyParagraphs: Change = {
  id: 'body paragraphs',
  phase: 3,
  conflicts: [],
  plant(draft, random) {
    const align = random.pick<Alignment>(['justify', 'justify', 'left']);
    const lines = random.pick([1.15, 1.5, 2]);
    const all = bodies(draft);
    if (all.length < 2) return undefined;
    for (const piece of all) {
      relook(piece, 'solved', (block) => ({ ...block, align, lines }));
      const other = random.pick<Alignment>(['right', 'center', align === 'left' ? 'justify' : 'left']);
      relook(piece, 'given', ({ lines: _, align: __, ...block }) => ({
        ...block,
        align: random.chance(0.7) ? other : align,
      }));
    }
    const how = align === 'justify' ? 'justified' : 'aligned to the left';
    return {
      label: `${align}, lines ${lines}`,
      aim: 'evenly set paragraphs',
      requirements: [
        { id: 'alignment', text: `Every paragraph of running text below the headings is ${how}`, must: true },
        {
          id: 'line-spacing',
          text: `Every paragraph of running text below the headings has a proportional line spacing of ${lines}`,
          must: true,
        },
      ],
      note: `${all.length} paragraphs are ${how}`,
      proofs: bodyParagraphProofs(align, lines),
    };
  },
};

/** Words of the running text that somebody coloured, underlined or made bold. */
const strayMarks: Change = {
  id: 'stray marks',
  phase: 3,
  conflicts: [],
  plant(draft, random) {
    const [form, look] = random.pick<[string, Omit<Run, 'text'>]>([
      ['coloured', { color: random.pick(['C00000', '7030A0', '00B050']) }],
      ['underlined', { underline: true }],
      ['bold', { bold: true }],
      ['italic', { italic: true }],
    ]);
    const all = bodies(draft).filter((piece) => {
      const block = paragraphOf(piece.given);
      return block !== undefined && plainText(block).split(' ').length >= 6;
    });
    if (all.length === 0) return undefined;
    const faulty = random.subset(all, Math.min(all.length, random.integer(2, 4)));
    for (const piece of faulty) {
      relook(piece, 'given', (block) => {
        const [first, ...others] = block.runs;
        if (first === undefined) return block;
        const words = first.text.split(' ');
        const from = random.integer(1, Math.max(1, words.length - 4));
        const cut = (start: number, end?: number) => words.slice(start, end).join(' ');
        const parts: Run[] = [
          { ...first, text: `${cut(0, from)} ` },
          { ...first, text: cut(from, from + 3), ...look },
          { ...first, text: from + 3 < words.length ? ` ${cut(from + 3)}` : '' },
        ];
        return { ...block, runs: [...parts.filter((run) => run.text !== ''), ...others] };
      });
    }
    return {
      label: form,
      aim: 'running text without leftover marks',
      requirements: [
        { id: 'stray-marks', text: `No word of the running text below the headings is ${form} any more`, must: true },
      ],
      note: `in ${faulty.length} paragraphs some words are ${form}`,
      proofs: strayMarkProofs(form, look),
    };
  },
};

export const changesOfStyle: readonly Change[] = [
  headingStyles,
  titleStyle,
  headingNumbers,
  bodyFont,
  bodyParagraphs,
  strayMarks,
];
