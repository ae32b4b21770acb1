import { type PageSetup, type Paragraph, papers, type StyleLook } from '@cua-forge/spec/text-document';
import type { Random } from '../random.ts';
import { type Draft, numberOf, type Piece, type Scheme, type Side, textPiece } from './draft.ts';
import type { Outline } from './outline.ts';

export const fonts = ['Liberation Serif', 'Liberation Sans', 'DejaVu Sans', 'DejaVu Serif', 'Liberation Mono'] as const;

/** Points to the centimetre. */
export const cm = (value: number): number => Math.round(value * (72 / 2.54) * 20) / 20;

function pageOf(random: Random): { page: PageSetup; label: string } {
  const paper = random.pick(['A4', 'A4', 'Letter']);
  const margin = random.pick([2, 2.5, 2.54, 3]);
  const size = paper === 'A4' ? papers.A4 : papers.Letter;
  const edge = cm(margin);
  return {
    page: { ...size, top: edge, right: edge, bottom: edge, left: edge },
    label: `${paper}, even margins`,
  };
}

function stylesOf(random: Random): { styles: Record<string, StyleLook>; label: string } {
  const body = random.pick(fonts.slice(0, 4) as [string, ...string[]]);
  const head = random.pick(fonts.slice(0, 4) as [string, ...string[]]);
  const color = random.pick(['000000', '1F4E78', '7F3F00', '385723', '44546A']);
  const size = random.pick([10, 10.5, 11, 12]);
  const title = random.pick<'left' | 'center'>(['left', 'center', 'left']);
  return {
    styles: {
      Normal: { font: body, size, after: random.pick([4, 6, 8]) },
      Title: { font: head, size: random.pick([20, 22, 26]), bold: true, color, align: title, after: 12 },
      'Heading 1': { font: head, size: random.pick([14, 15, 16]), bold: true, color, before: 12, after: 6 },
      'Heading 2': { font: head, size: 12.5, bold: true, italic: false, color, before: 10, after: 4 },
    },
    label: `${body === head ? 'one font' : 'two fonts'}, ${color === '000000' ? 'black' : 'coloured'} headings, title ${title}`,
  };
}

const line = (text: string, align: Paragraph['align']): Paragraph => ({
  type: 'paragraph',
  style: 'Normal',
  ...(align === undefined ? {} : { align }),
  runs: [{ text }],
});

function edgesOf(
  random: Random,
  outline: Outline,
  company: string,
): { header: Paragraph[]; footer: Paragraph[]; label: string } {
  const header = random.pick<() => Paragraph[]>([
    () => [],
    () => [line(company, 'right')],
    () => [line(`${company} | ${outline.title}`, 'left')],
  ])();
  const footer = random.pick<() => Paragraph[]>([
    () => [],
    () => [line('Internal', 'left')],
    () => [line(outline.title, 'center')],
  ])();
  return {
    header,
    footer,
    label: `${header.length > 0 ? 'header' : 'no header'}, ${footer.length > 0 ? 'footer' : 'no footer'}`,
  };
}

/** Long paragraphs may be broken up into their sentences, and sections may be left out, so that structures differ. */
function restructured(outline: Outline, random: Random): { sections: Outline['sections']; label: string } {
  const most = outline.sections.length;
  const keep = most > 4 && random.chance(0.5) ? random.integer(Math.max(4, most - 2), most) : most;
  const kept = random.subset(outline.sections, keep);
  const form = random.pick(['as it is', 'sentences', 'one paragraph each']);
  const seen = new Set<string>();
  const isNew = (text: string) => !seen.has(text) && seen.add(text).has(text);
  const sections = kept.map(({ heading, paragraphs }) => {
    if (form === 'one paragraph each') return { heading, paragraphs: [paragraphs.join(' ')] };
    if (form === 'as it is') return { heading, paragraphs };
    const sentences = paragraphs.flatMap((text) => text.split(/(?<=[a-z)][.!?]) (?=\p{Lu})/u));
    return { heading, paragraphs: sentences.filter(isNew) };
  });
  return { sections, label: `${keep === most ? 'all sections' : 'fewer sections'}, paragraphs ${form}` };
}

const schemeLabels: Record<Scheme, string> = {
  plain: 'no numbers',
  dotted: '1.',
  section: 'Section 1:',
  'paragraph-sign': '§ 1',
};

/** Lays the outline out anew, the same on both sides. Wording stays; structure and looks are drawn. */
export function draftOf(
  outline: Outline,
  company: string,
  random: Random,
): { draft: Draft; traits: Record<string, string> } {
  const { sections, label: structure } = restructured(outline, random);
  const scheme = random.pick<Scheme>(['plain', 'dotted', 'dotted', 'section', 'paragraph-sign']);
  const { page, label: pageLabel } = pageOf(random);
  const { styles, label: look } = stylesOf(random);
  const { header, footer, label: edges } = edgesOf(random, outline, company);
  const justified = random.chance(0.3);
  const body: Partial<Paragraph> = justified ? { align: 'justify' } : {};
  const pieces: Piece[] = [
    textPiece('title', -1, outline.title, { style: 'Title' }),
    ...outline.subtitle.map((text) => textPiece('subtitle', -1, text)),
    ...sections.flatMap(({ heading, paragraphs }, section) => [
      textPiece('heading', section, `${numberOf(scheme, section + 1)}${heading}`, { style: 'Heading 1' }),
      ...paragraphs.map((text) => textPiece('body', section, text, body)),
    ]),
  ];
  const side = (): Side => ({ page, styles: { ...styles }, header: [...header], footer: [...footer] });
  return {
    draft: {
      headings: sections.map(({ heading }) => heading),
      scheme,
      pieces,
      given: side(),
      solved: side(),
      order: undefined,
      company,
      title: outline.title,
    },
    traits: {
      structure,
      numbering: schemeLabels[scheme],
      page: pageLabel,
      look,
      edges,
      paragraphs: justified ? 'justified' : 'ragged',
    },
  };
}
