import { type NumberToken, numberTokens } from './number-tokens.ts';
import type { HiddenAnswers } from './task.ts';

type Answer = HiddenAnswers['answers'][number];

/** A place where a text gives a hidden answer away. */
export interface AnswerLeak {
  label: string;
  /** The words of the text that give it away. */
  found: string;
}

/**
 * Hidden answers that a text gives away: numbers in any formatting or in words, other answers as whole words whatever their
 * case. Answers too short to be told from ordinary words and counts are a leak only where the text states them, as in
 * “the March total is 12”. `allowed` are names that the text may hold anyway (files, sheets, columns).
 */
export function findAnswerLeaks(
  text: string,
  answers: readonly Answer[],
  allowed: readonly string[] = [],
): AnswerLeak[] {
  const plain = withoutNames(plainText(text), allowed.map(plainText));
  const tokens = numberTokens(plain);
  return answers.flatMap((answer) => {
    const found = leakOf(answer, plain, tokens);
    return found === undefined ? [] : [{ label: answer.label, found }];
  });
}

function leakOf(answer: Answer, text: string, tokens: readonly NumberToken[]): string | undefined {
  const number = typeof answer.value === 'number' ? answer.value : numberOfText(answer.value);
  if (number !== undefined) {
    const hits = tokens.filter((token) => token.readings.some((reading) => sameNumber(reading, number)));
    const telling = isDistinctive(number)
      ? hits[0]
      : hits.find((token) => !countsNoun(text, token) && isStated(text, token, answer.label));
    return telling?.text;
  }
  for (const form of formsOf(String(answer.value))) {
    for (const at of wholeWords(text, form)) {
      if (form.length >= 4 || isStated(text, { start: at, end: at + form.length }, answer.label)) return form;
    }
  }
  return undefined;
}

/** Compares as precisely as the text is written, so that a rounded answer is one too. */
function sameNumber({ value, decimals }: { value: number; decimals: number }, answer: number): boolean {
  const seen = Math.abs(value);
  const wanted = Math.abs(answer);
  const half = 0.5 * 10 ** -decimals;
  if (Math.abs(seen - wanted) <= Math.max(wanted * 1e-9, 1e-9)) return true;
  // Rounded away to fewer than three digits it could be anything.
  return Math.abs(seen - wanted) <= half * 1.000001 && seen / 10 ** -decimals >= 100;
}

/** Whether a number says something by itself: four digits or more, and neither round nor a year. */
function isDistinctive(value: number): boolean {
  const figures = String(Math.abs(value)).replace(/e.*$/, '').replace('.', '').replace(/^0+/, '').replace(/0+$/, '');
  const year = Number.isInteger(value) && value >= 1900 && value <= 2100;
  return figures.length >= 3 && !year && !(Number.isInteger(value) && Math.abs(value) < 1000);
}

/** “It comes down to one thing”: a small number in words before a noun states nothing. */
const countsNoun = (text: string, { text: found, end }: NumberToken) =>
  /^\p{L}/u.test(found) && /^\s+\p{L}/u.test(text.slice(end));

const stating =
  /(?:\b(?:is|are|was|were|be|equals?|reads?|shows?|says?|gives?|totall?ing|of|to|at|about|exactly|roughly|answer|result|value)|[:=(→])\s*[“"'$€£(]*$/u;

/** Whether the text states what stands at a place as the answer called `label`. */
function isStated(text: string, { start, end }: { start: number; end: number }, label: string): boolean {
  const from = Math.max(...['. ', '! ', '? ', '\n'].map((stop) => text.lastIndexOf(stop, start) + 1));
  const stops = ['. ', '! ', '? ', '\n'].map((stop) => text.indexOf(stop, end)).filter((at) => at >= 0);
  const sentence = text.slice(from, Math.min(text.length, ...stops));
  const words = plainText(label).match(/[\p{L}\p{N}]{3,}/gu) ?? [];
  const named = words.length === 0 || words.some((word) => wholeWords(sentence, word).length > 0);
  return named && stating.test(text.slice(Math.max(0, start - 40), start));
}

const zeroWidth = /[\u200b-\u200d\u2060\ufeff\u00ad]/g;

function plainText(text: string): string {
  return text
    .normalize('NFKC')
    .replace(zeroWidth, '')
    .replace(/[ \t]+/g, ' ')
    .toLowerCase();
}

function withoutNames(text: string, names: readonly string[]): string {
  let result = text;
  for (const name of [...names].filter((one) => one.trim() !== '').sort((a, b) => b.length - a.length)) {
    for (const at of wholeWords(result, name)) {
      result = `${result.slice(0, at)}${' '.repeat(name.length)}${result.slice(at + name.length)}`;
    }
  }
  return result;
}

/** Positions where a word or phrase stands by itself. */
function wholeWords(text: string, phrase: string): number[] {
  if (phrase === '') return [];
  const found: number[] = [];
  const inner = /[\p{L}\p{N}_]/u;
  for (let at = text.indexOf(phrase); at >= 0; at = text.indexOf(phrase, at + 1)) {
    const before = text.slice(Math.max(0, at - 1), at);
    const after = text.slice(at + phrase.length, at + phrase.length + 1);
    const opens = !inner.test(phrase.slice(0, 1)) || !inner.test(before);
    const closes = !inner.test(phrase.slice(-1)) || !inner.test(after);
    if (opens && closes) found.push(at);
  }
  return found;
}

function numberOfText(text: string): number | undefined {
  const trimmed = text.trim().replace(/^(?:[$€£]|usd|eur|gbp)\s*|\s*(?:[$€£]|usd|eur|gbp)$/gi, '');
  const [token, ...others] = numberTokens(trimmed);
  if (token === undefined || others.length > 0 || token.text.trim() !== trimmed) return undefined;
  return token.readings[0]?.value;
}

const months = [
  'january',
  'february',
  'march',
  'april',
  'may',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december',
];

/** Ways to write an answer that is no number; ISO months and dates are also looked for in words. */
function formsOf(value: string): string[] {
  const plain = plainText(value).trim();
  const date = /^(\d{4})-(\d{2})(?:-(\d{2}))?$/.exec(plain);
  const month = months[Number(date?.[2] ?? 0) - 1];
  if (date === null || month === undefined) return [plain];
  const [, year, , day] = date;
  const names = [month, month.slice(0, 3)];
  if (day === undefined) return [plain, ...names.map((name) => `${name} ${year}`)];
  const short = String(Number(day));
  return [plain, ...names.flatMap((name) => [`${short} ${name} ${year}`, `${name} ${short}, ${year}`])];
}
