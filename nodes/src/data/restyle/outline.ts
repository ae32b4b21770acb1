import { ForgeError } from '@cua-forge/spec/errors';
import { blockText, type Paragraph, type TextDocument } from '@cua-forge/spec/text-document';
import { z } from 'zod';

/** What a policy or guide says, without its looks: headings are without numbers, blanks are single, nothing stands twice. */
export const Outline = z.strictObject({
  title: z.string().min(1),
  /** Short lines below the title. */
  subtitle: z.array(z.string().min(1)),
  sections: z.array(z.strictObject({ heading: z.string().min(1), paragraphs: z.array(z.string().min(1)) })).min(2),
  /** The document in a sentence, for whoever writes about it. */
  chosen: z.string(),
});
export type Outline = z.infer<typeof Outline>;

const limits = { sections: 12, paragraphs: 8, length: 1_200 };
const numbered = /^(?:(?:section|article|part)\s+)?(?:\d{1,2}|[IVX]{1,4})(?:\.\d{1,2})*[.):]?\s+(?=\S)/i;

const plain = (text: string) =>
  text
    .replace(/\s+/g, ' ')
    .replace(/ ([,.])(?= |$)/g, '$1')
    .trim();
const withoutNumber = (text: string) => text.replace(numbered, '').trim();

function isHeading(block: Paragraph, text: string): boolean {
  if (text.length > 70 || /[.;,]$/.test(text)) return false;
  return /^Heading \d$/.test(block.style) || /^\d{1,2}[.)]\s+\p{Lu}/u.test(text);
}

/** A text that is too long for one paragraph is cut after a sentence. */
function shortened(text: string): string {
  if (text.length <= limits.length) return text;
  const cut = text.slice(0, limits.length);
  return cut.slice(0, Math.max(cut.lastIndexOf('. ') + 1, 200)).trim();
}

/**
 * Finds title, headings and paragraphs.
 * @throws ForgeError `input.invalid` when there are fewer than two headings with text below them
 */
export function outlineOf(document: TextDocument): Outline {
  const seen = new Set<string>();
  const lines: { text: string; block: Paragraph }[] = [];
  for (const block of document.blocks) {
    if (block.type !== 'paragraph') continue;
    const text = plain(blockText(block));
    if (text === '' || seen.has(text.toLowerCase())) continue;
    seen.add(text.toLowerCase());
    lines.push({ text, block });
  }
  const titleAt = Math.max(
    0,
    lines.findIndex(({ block, text }) => block.style === 'Title' && text.length <= 90),
  );
  const title = lines[titleAt]?.text ?? '';
  const subtitle: string[] = [];
  const sections: Outline['sections'] = [];
  for (const [index, { text, block }] of lines.entries()) {
    if (index === titleAt) continue;
    const last = sections.at(-1);
    if (isHeading(block, text)) sections.push({ heading: withoutNumber(text), paragraphs: [] });
    else if (last !== undefined) last.paragraphs.push(shortened(text));
    else if (text.length <= 120) subtitle.push(text);
    else sections.push({ heading: 'Preamble', paragraphs: [shortened(text)] });
  }
  const names = new Set<string>();
  const usable = sections
    .filter(({ heading, paragraphs }) => {
      const isNew = heading !== '' && !names.has(heading.toLowerCase());
      names.add(heading.toLowerCase());
      return isNew && paragraphs.length > 0;
    })
    .slice(0, limits.sections)
    .map(({ heading, paragraphs }) => ({ heading, paragraphs: paragraphs.slice(0, limits.paragraphs) }));
  if (title === '' || usable.length < 2) {
    throw new ForgeError('input.invalid', 'The document has fewer than two headings with text below them.', {
      fix: 'Give a document with headings: in the style Heading 1, or numbered as in “2. Scope”.',
      place: { port: 'document' },
    });
  }
  const headings = usable.map(({ heading }) => heading).join(', ');
  return {
    title: title.slice(0, 90),
    subtitle: subtitle.slice(0, 3),
    sections: usable,
    chosen: `“${title.slice(0, 90)}”, a document with the sections ${headings}.`,
  };
}
