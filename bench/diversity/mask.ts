/**
 * A text without names and numbers, as words: quoted texts, file names, addresses of cells, capitalised words and numbers
 * become marks. What is left is how it is said.
 */
export function maskedWords(text: string): string[] {
  return text
    .normalize('NFKC')
    .replace(/[“"][^”"\n]{1,120}[”"]/g, ' §q ')
    .replace(/[\p{L}\p{N}_()-]+\.(?:xlsx|csv|docx|pdf|md|json|txt)\b/giu, ' §f ')
    .replace(/\b\d{4}-\d{2}(?:-\d{2})?\b/g, ' §d ')
    .replace(/\b[A-Z]{1,3}\d{1,7}(?::[A-Z]{1,3}\d{1,7})?\b/g, ' §a ')
    .replace(/[$€£]?\d[\d.,]*\s?%?/g, ' §n ')
    .replace(/(?:\b\p{Lu}[\p{L}\p{N}'’.&-]*\s*)+/gu, ' §w ')
    .toLowerCase()
    .split(/[^\p{L}§]+/u)
    .filter((word) => word !== '');
}

/** A label without its numbers. */
export const maskedLabel = (text: string): string => text.replace(/\d+/g, '#');

/** Runs of `size` neighbouring words. */
export function shingles(words: readonly string[], size = 3): Set<string> {
  if (words.length < size) return new Set([words.join(' ')]);
  return new Set(words.slice(0, words.length - size + 1).map((_, index) => words.slice(index, index + size).join(' ')));
}

/** Share of what two sets have in common: 1 for equal sets. */
export function jaccard(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let common = 0;
  for (const member of a) if (b.has(member)) common += 1;
  const all = a.size + b.size - common;
  return all === 0 ? 1 : common / all;
}
