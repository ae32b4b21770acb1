const SHINGLE = 3;

/** The text with file names, numbers and names masked and everything else in lower case, sentence by sentence. */
export function maskedSentences(text: string): string[][] {
  return text
    .normalize('NFKC')
    .replace(/[\p{L}\p{N}_-]+\.(?:\p{L}{2,4}x?)\b/gu, ' ƒ ')
    .replace(/["“”‘]([^"“”’\n]{1,60})["”’]/gu, ' ν ')
    .split(/(?<=[.!?])\s+|\n+/u)
    .map((sentence) => {
      const words = sentence.match(/[\p{L}\p{N}'’&-]+/gu) ?? [];
      const masked = words.map((word, index) => {
        if (/\p{N}/u.test(word)) return '#';
        if (word === 'ƒ' || word === 'ν') return word;
        const upper =
          text !== text.toUpperCase() &&
          /^\p{Lu}/u.test(word) &&
          word !== 'I' &&
          !word.startsWith('I’') &&
          !word.startsWith("I'");
        return upper && index > 0 ? 'ν' : word.toLowerCase();
      });
      return masked.filter((word, index) => word !== 'ν' || masked[index - 1] !== 'ν');
    })
    .filter((words) => words.length > 0);
}

function jaccard(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const common = [...a].filter((one) => b.has(one)).length;
  const all = a.size + b.size - common;
  return all === 0 ? 1 : common / all;
}

function shingles(words: readonly string[]): Set<string> {
  const count = Math.max(1, words.length - SHINGLE + 1);
  return new Set(Array.from({ length: count }, (_, at) => words.slice(at, at + SHINGLE).join(' ')));
}

export interface Likeness {
  /** Equal but for case, spaces and punctuation. */
  same: boolean;
  /** Share of word triples that both have, names and numbers masked: 0..1. */
  shared: number;
  /** Share of sentences that both have, in whatever order: 0..1. */
  sentences: number;
  /** Whether the sentences that both have come in another order. */
  reordered: boolean;
}

const bare = (text: string) =>
  (
    text
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  ).join(' ');

/** How alike two texts are. */
export function likeness(a: string, b: string): Likeness {
  const [left, right] = [maskedSentences(a), maskedSentences(b)];
  const [inLeft, inRight] = [left.map((words) => words.join(' ')), right.map((words) => words.join(' '))];
  const [setLeft, setRight] = [new Set(inLeft), new Set(inRight)];
  const common = [...setLeft].filter((sentence) => setRight.has(sentence));
  const order = common.map((sentence) => inRight.indexOf(sentence));
  return {
    same: bare(a) === bare(b),
    shared: jaccard(shingles(left.flat()), shingles(right.flat())),
    sentences: jaccard(setLeft, setRight),
    reordered: order.some((at, index) => index > 0 && at < (order[index - 1] ?? 0)),
  };
}
