import { OpenDocument } from '@cua-forge/checks/reading/document';
import { paragraphAspects } from '@cua-forge/spec/check-look';
import { ForgeError } from '@cua-forge/spec/errors';
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';

const body = 'word/document.xml';

/** A paragraph of the body outside tables: where it stands in the XML, and what people see of it. */
interface Place {
  start: number;
  end: number;
  text: string;
  /** All aspects of its text and its looks as one string. */
  seen: string;
  style: string;
}

interface Opened {
  members: Record<string, Uint8Array>;
  xml: string;
  places: Place[];
  styles: Set<string>;
}

/** Where paragraphs begin and end that lie in no table and in no drawing. */
function bounds(xml: string): { start: number; end: number }[] {
  const found: { start: number; end: number }[] = [];
  let [depth, tables, start] = [0, 0, 0];
  for (const match of xml.matchAll(/<(\/?)w:(p|tbl)(?=[\s>/])[^>]*?(\/?)>/g)) {
    const [tag, closing, name, empty] = match;
    if (name === 'tbl') tables += closing === '' ? 1 : -1;
    else if (closing === '' && empty === '/') {
      if (depth === 0 && tables === 0) found.push({ start: match.index, end: match.index + tag.length });
    } else if (closing === '') {
      if (depth === 0) start = match.index;
      depth += 1;
    } else {
      depth -= 1;
      if (depth === 0 && tables === 0) found.push({ start, end: match.index + tag.length });
    }
  }
  return found;
}

/** Null for what is no text document, or one whose paragraphs do not lie side by side. */
function opened(bytes: Uint8Array): Opened | null {
  try {
    const members = unzipSync(bytes);
    const xml = strFromU8(members[body] ?? new Uint8Array());
    const document = new OpenDocument('the document', bytes);
    const texts = document.look({ look: 'document', path: '/', of: 'paragraphs' });
    const all = bounds(xml);
    if (texts.kind !== 'list' || texts.members.length !== all.length) return null;
    const places = all.map(({ start, end }, index): Place => {
      const aspects = paragraphAspects.map((of) => {
        const seen = document.look({ look: 'paragraph', path: '/', at: index + 1, of });
        return seen.kind === 'value' ? seen.value : null;
      });
      const own = xml.slice(start, end);
      return {
        start,
        end,
        text: String(texts.members[index] ?? ''),
        seen: JSON.stringify(aspects),
        style: /<w:pStyle\b[^>]*\bw:val="([^"]*)"/.exec(own)?.[1] ?? '',
      };
    });
    const styles = strFromU8(members['word/styles.xml'] ?? new Uint8Array());
    return {
      members,
      xml,
      places,
      styles: new Set([...styles.matchAll(/\bw:styleId="([^"]*)"/g)].map(([, id = '']) => id)),
    };
  } catch (thrown) {
    if (thrown instanceof ForgeError && thrown.code !== 'file.unreadable') throw thrown;
    return null;
  }
}

const letters = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '');

/** Shares of letters that two texts begin and end with alike, 0 to 1. */
function likeness(one: string, other: string): number {
  const [a, b] = [letters(one), letters(other)];
  if (a === b) return 1;
  const least = Math.min(a.length, b.length);
  let front = 0;
  while (front < least && a[front] === b[front]) front += 1;
  let back = 0;
  while (back < least - front && a[a.length - 1 - back] === b[b.length - 1 - back]) back += 1;
  return (front + back) / Math.max(a.length, b.length, 1);
}

const alike = 0.6;

/** Pairs of places that are the same paragraph before and after, in the order of both. */
function paired(before: readonly Place[], after: readonly Place[]): [Place, Place][] {
  const pairs: [Place, Place][] = [];
  let from = 0;
  for (const now of after) {
    if (now.text.trim() === '') continue;
    for (let index = from; index < Math.min(before.length, from + 12); index += 1) {
      const old = before[index];
      if (old === undefined || likeness(old.text, now.text) < alike) continue;
      pairs.push([old, now]);
      from = index + 1;
      break;
    }
  }
  return pairs;
}

export interface UndoneParagraph {
  /** The words that it begins with. */
  about: string;
  bytes: Uint8Array;
}

/**
 * The document that the work has left, with one paragraph as it was before, for each that the work has changed in text or looks. Null where the documents
 * cannot be compared paragraph by paragraph.
 */
export function undoneParagraphs(before: Uint8Array, after: Uint8Array): (() => UndoneParagraph)[] | null {
  const [old, now] = [opened(before), opened(after)];
  if (old === null || now === null) return null;
  return paired(old.places, now.places).flatMap(([was, is]) => {
    // A style that the new document does not have would make another paragraph of it than the old one was.
    if (was.seen === is.seen || (was.style !== '' && !now.styles.has(was.style))) return [];
    return [
      () => {
        const xml = now.xml.slice(0, is.start) + old.xml.slice(was.start, was.end) + now.xml.slice(is.end);
        return {
          about: is.text.trim().split(/\s+/).slice(0, 4).join(' '),
          bytes: zipSync({ ...now.members, [body]: strToU8(xml) }, { level: 1 }),
        };
      },
    ];
  });
}
