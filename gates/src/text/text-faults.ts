const quoteOf = (text: string) => `“${text.trim().replace(/\s+/g, ' ').slice(0, 60)}”`;

/** What a model says around a text that it was asked for. */
const around: readonly [RegExp, string][] = [
  [
    /^\s*(?:sure|certainly|of course|absolutely|okay|here(?:'|’)?s|here is)\b[^.\n]{0,80}(?:[:!]|\n)/iu,
    'an introduction',
  ],
  [
    /^\s*(?:\*\*)?(?:user |final |task )?(?:instruction|request|message|prompt|task|output|answer)s?(?:\*\*)?\s*:/iu,
    'a label',
  ],
  [/^\s*#{1,6}\s/u, 'a heading'],
  [/\bas an? (?:ai|language model|assistant)\b/iu, 'words of an assistant'],
  [/^\s*[{[]\s*"/u, 'a JSON value'],
  [/```/u, 'a code fence'],
  [
    /\b(?:let me know if you(?:'d| would)? like|would you like me to|i hope this (?:instruction|message|helps))\b/iu,
    'a question of an assistant',
  ],
  [/(?:^|\n)\s*\(?(?:note|explanation|rationale)\s*:/iu, 'a note on the message'],
  [/\bthis (?:instruction|prompt|message) (?:does not|doesn't|avoids|contains|reveals)\b/iu, 'a note on the message'],
];

/** Whatever in a message is not the message, in words for its author. */
export const talkAround = (text: string): string[] => [
  ...new Set(
    around.flatMap(([pattern, what]) => {
      const found = pattern.exec(text)?.[0];
      return found === undefined ? [] : [`${what} (${quoteOf(found)})`];
    }),
  ),
];

const plain = (text: string) =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

/** Sentences said again, and words in a loop. */
export function repetitions(text: string): string[] {
  const counts = new Map<string, number>();
  for (const sentence of text.split(/(?<=[.!?])\s+|\n+/)) {
    const key = plain(sentence);
    if (key.split(' ').length >= 4) counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  const said = [...counts].filter(([key, count]) => count > (key.split(' ').length >= 8 ? 1 : 2));
  const loop = /(?<![\p{L}\p{N}])([\p{L}\p{N}'’]+(?:\s+[\p{L}\p{N}'’]+){0,4})(?:\s+\1(?![\p{L}\p{N}])){3,}/iu.exec(
    text,
  );
  return [
    ...said.map(([key, count]) => `${quoteOf(key)} is said ${count} times`),
    ...(loop === null ? [] : [`${quoteOf(loop[1] ?? '')} goes round and round`]),
  ];
}

const unfinished = new Set(
  'a an the and or but of to with for in on at by from as that which who whose because so if when where than then into onto is are was be this these its their your my our also not no each every between'.split(
    ' ',
  ),
);

/** How a text breaks off in the middle of a sentence; undefined when it ends. */
export function breaksOff(text: string): string | undefined {
  const end = text.trimEnd().slice(-60);
  if (/[,;(–]$|\s-$/u.test(end)) return `it ends with ${quoteOf(end.slice(-20))}`;
  const last = /([\p{L}']+)$/u.exec(end)?.[1];
  return last !== undefined && unfinished.has(last.toLowerCase()) ? `its last word is ${quoteOf(last)}` : undefined;
}

/** Characters that no one typed: UTF-8 read as Latin-1, replacements, control characters. */
export function badCharacters(text: string): string[] {
  const misread = /.{0,8}(?:[ÃÂ][\u0080-\u00bf]|â€.|ï»¿).{0,8}/u.exec(text)?.[0];
  const control = [...text].some((character) => /\p{Cc}/u.test(character) && !'\t\n\r'.includes(character));
  return [
    ...(misread === undefined ? [] : [`${quoteOf(misread)} was read in the wrong encoding`]),
    ...(text.includes('\uFFFD') ? ['a character was lost and replaced'] : []),
    ...(control ? ['it holds a control character'] : []),
  ];
}
