/** A number found in a text: everything it may mean, since `1.234` is one thing in English and another in German. */
export interface NumberToken {
  text: string;
  start: number;
  end: number;
  /** Possible values with the number of decimals they were written with. */
  readings: { value: number; decimals: number }[];
}

const scales: Record<string, number> = { k: 1e3, thousand: 1e3, m: 1e6, mn: 1e6, million: 1e6, bn: 1e9, billion: 1e9 };
const digits =
  /(?<![\p{L}\p{N}_])[-−+]?\d(?:[\d.,'’\u00a0\u202f ]*\d)?(?:\s?(%|percent|k|thousand|mn?|million|bn|billion))?(?![\p{L}\p{N}_])/giu;

/** Numbers written in digits, in whatever formatting, and numbers written in English words. */
export function numberTokens(text: string): NumberToken[] {
  const written = [...text.matchAll(digits)].flatMap((match) => {
    const scale = (match[1] ?? '').toLowerCase();
    const bare = scale === '' ? match[0] : match[0].slice(0, match[0].length - scale.length);
    const whole = { text: match[0], start: match.index, end: match.index + match[0].length };
    return [{ ...whole, readings: scaled(readings(bare), scale) }, ...spacedParts(bare.trimEnd(), match.index)];
  });
  return [...written, ...wordTokens(text)].filter((token) => token.readings.length > 0);
}

/** `3 12,345` may be one number with spaces between its groups, or two numbers. */
function spacedParts(text: string, start: number): NumberToken[] {
  if (!text.includes(' ')) return [];
  return [...text.matchAll(/[^ ]+/g)].map((part) => {
    const at = start + part.index;
    return { text: part[0], start: at, end: at + part[0].length, readings: readings(part[0]) };
  });
}

function scaled(plain: NumberToken['readings'], scale: string): NumberToken['readings'] {
  if (scale === '') return plain;
  if (scale === '%' || scale === 'percent') {
    return [...plain, ...plain.map(({ value, decimals }) => ({ value: value / 100, decimals: decimals + 2 }))];
  }
  const factor = scales[scale] ?? 1;
  return plain.map(({ value, decimals }) => ({ value: value * factor, decimals: decimals - Math.log10(factor) }));
}

/** `1,234.50`, `1.234,50`, `1 234,50`, `1'234.50`, `1234.5`: every way to read the digits that makes sense. */
function readings(text: string): NumberToken['readings'] {
  const sign = /^[-−]/.test(text) ? -1 : 1;
  const body = text.replace(/^[-−+]/, '').trim();
  const found = new Map<string, { value: number; decimals: number }>();
  for (const decimalMark of ['.', ',', '']) {
    const parts = decimalMark === '' ? [body] : body.split(decimalMark);
    if (parts.length > 2) continue;
    const [whole = '', fraction = ''] = parts;
    const groups = whole.split(/[.,'’\u00a0\u202f ]/);
    const grouped = groups.length > 1;
    if (decimalMark === '' ? false : parts.length === 2 && !/^\d+$/.test(fraction)) continue;
    if (grouped && !(/^\d{1,3}$/.test(groups[0] ?? '') && groups.slice(1).every((group) => /^\d{2,3}$/.test(group))))
      continue;
    const value = sign * Number(`${groups.join('')}${fraction === '' ? '' : `.${fraction}`}`);
    if (Number.isFinite(value)) found.set(`${value}/${fraction.length}`, { value, decimals: fraction.length });
  }
  return [...found.values()];
}

const small = [
  'zero',
  'one',
  'two',
  'three',
  'four',
  'five',
  'six',
  'seven',
  'eight',
  'nine',
  'ten',
  'eleven',
  'twelve',
  'thirteen',
  'fourteen',
  'fifteen',
  'sixteen',
  'seventeen',
  'eighteen',
  'nineteen',
];
const tens = ['twenty', 'thirty', 'forty', 'fifty', 'sixty', 'seventy', 'eighty', 'ninety'];
const units = new Map<string, number>([
  ...small.map((word, index): [string, number] => [word, index]),
  ...tens.map((word, index): [string, number] => [word, (index + 2) * 10]),
]);
const wordRun = new RegExp(
  `\\b(?:${[...units.keys(), 'hundred', 'thousand', 'million'].join('|')})\\b(?:[\\s-]+(?:and\\s+)?(?:${[...units.keys(), 'hundred', 'thousand', 'million'].join('|')})\\b)*`,
  'giu',
);
const cents = /^\s+(?:dollars?|euros?|pounds?)\s+(?:and\s+)?((?:[a-z]+)(?:[\s-][a-z]+)?)\s+(?:cents?|pence)/iu;

function wordTokens(text: string): NumberToken[] {
  return [...text.matchAll(wordRun)].map((match) => {
    const end = match.index + match[0].length;
    const minor = cents.exec(text.slice(end));
    const whole = valueOfWords(match[0]);
    const value = minor?.[1] === undefined ? whole : whole + valueOfWords(minor[1]) / 100;
    return {
      text: match[0] + (minor?.[0] ?? ''),
      start: match.index,
      end: end + (minor?.[0].length ?? 0),
      readings: [{ value, decimals: minor === null ? 0 : 2 }],
    };
  });
}

function valueOfWords(text: string): number {
  let total = 0;
  let group = 0;
  for (const word of text.toLowerCase().split(/[\s-]+/)) {
    if (word === 'hundred') group = Math.max(group, 1) * 100;
    else if (word === 'thousand' || word === 'million') {
      total += Math.max(group, 1) * (word === 'thousand' ? 1e3 : 1e6);
      group = 0;
    } else group += units.get(word) ?? 0;
  }
  return total + group;
}
