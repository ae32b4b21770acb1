/** Numbers in a signature: two signatures tell how alike texts are to about four in a hundred. */
const LENGTH = 128;

/** Lower case, without accents of compatibility, punctuation or repeated white space: how a text reads. */
export const asRead = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

/**
 * MinHash of the three-letter pieces of a text: the share of equal numbers in two signatures is about the share of pieces that the texts
 * have in common of all that they have.
 */
export function signatureOf(text: string): number[] {
  const padded = ` ${text} `;
  const pieces = new Set<number>();
  for (let at = 0; at + 3 <= padded.length; at += 1) pieces.add(hash(padded.slice(at, at + 3)));
  return Array.from({ length: LENGTH }, (_, index) => {
    const salt = mixed((index + 1) * 0x9e3779b9);
    let least = 0xffffffff;
    for (const piece of pieces) least = Math.min(least, mixed(piece ^ salt));
    return least;
  });
}

/** FNV-1a over UTF-16 units. */
function hash(text: string): number {
  let state = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) state = Math.imul(state ^ text.charCodeAt(at), 0x01000193);
  return state >>> 0;
}

/** Every bit of the number changes about half of the bits of the result. */
function mixed(number: number): number {
  let state = number >>> 0;
  state = Math.imul(state ^ (state >>> 16), 0x85ebca6b);
  state = Math.imul(state ^ (state >>> 13), 0xc2b2ae35);
  return (state ^ (state >>> 16)) >>> 0;
}
