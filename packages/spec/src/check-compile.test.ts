import { describe, expect, it } from 'vitest';
import { Check } from './check.ts';
import { checkProblems, compileChecks } from './check-compile.ts';

const path = '/home/user/a.xlsx';
const cell = (expect: object, at = 'B2') => ({
  see: { look: 'cell', path, sheet: 'S', cell: at, of: 'value' },
  expect,
});
const seven = cell({ equals: 7 });
const file = (of: string, expect: object, where = '/home/user/a.txt') => ({
  see: { look: 'file', path: where, of },
  expect,
});
const many = (count: number) => Array.from({ length: count }, (_, index) => cell({ equals: index }, `C${index + 1}`));

/** Checks that look like checks and decide nothing. */
const useless: Record<string, unknown> = {
  'nothing at all': { all: [] },
  'any of nothing': { any: [] },
  'an empty part': { all: [seven, { all: [] }] },
  'a value or not it': { any: [seven, { not: seven }] },
  'the same with other parts': { any: [cell({ equals: 1 }, 'A1'), seven, { not: seven }] },
  'not of a contradiction': { not: { all: [seven, { not: seven }] } },
  'not of two values in one cell': { not: { all: [cell({ equals: 'a' }), cell({ equals: 'b' })] } },
  'a contradiction': { all: [seven, { not: seven }] },
  'two values in one cell': { all: [seven, cell({ equals: 8 })] },
  'ranges that do not meet': { all: [cell({ atLeast: 5 }), cell({ atMost: 3 })] },
  'ranges that cover all': { any: [cell({ atLeast: 3 }), cell({ atMost: 5 })] },
  'there or not there': { any: [cell({ present: true }), cell({ absent: true })] },
  'true or false': { any: [cell({ equals: true }), cell({ equals: false })] },
  'one of true and false': cell({ oneOf: [true, false] }),
  'a double negation of always': { not: { not: { any: [seven, { not: seven }] } } },
  'a tautology among many': { any: [...many(20), seven, { not: seven }] },
  'a contradiction among many': { all: [...many(20), seven, cell({ equals: 8 })] },
  'all of tautologies among many': { all: [{ any: [seven, { not: seven }, ...many(15)] }] },
  'a comparison with itself': cell({ same: cell({}).see }),
  'a picture like itself': {
    see: { look: 'picture', path: '/p.png', of: 'pixels' },
    expect: { looksLike: { look: 'picture', path: '/p.png', of: 'pixels' } },
  },
  'a tolerance as large as the value': cell({ equals: 7, tolerance: 7 }),
  'a relative tolerance of all': cell({ equals: 7, relative: 1 }),
  'a tolerance of a century': cell({ day: '2024-01-01', days: 36_500 }),
  'a list with a tolerance of all': {
    see: { look: 'range', path, sheet: 'S', range: 'A1:A2', of: 'value' },
    expect: { list: [1, 2], tolerance: 10 },
  },
  'a range without ends': cell({}),
  'a range upside down': cell({ atLeast: 5, atMost: 1 }),
  'sizes from 0': file('size', { atLeast: 0 }),
  'any number of members': file('lines', { count: {} }),
  'a count upside down': file('lines', { count: { atLeast: 3, atMost: 2 } }),
  'white space in a text': file('text', { contains: ' ' }),
  'a pattern of everything': file('text', { matches: '.*' }),
  'an empty alternative': file('text', { matches: 'total|' }),
  'an optional pattern': file('text', { matches: '(total)?' }),
  'a pattern of whatever is there': file('text', { matches: '[\\s\\S]' }),
  'a pattern that is none': file('text', { matches: '(' }),
  'a pattern that takes for ever': file('text', { matches: '(a+)+$' }),
  'the root exists': file('exists', { equals: true }, '/'),
  'the home folder exists': { see: { look: 'folder', path: '/home/user', of: 'exists' }, expect: { equals: true } },
  'the home folder does not exist': {
    not: { see: { look: 'folder', path: '/home/user', of: 'exists' }, expect: { equals: true } },
  },
  'whether it exists is known': file('exists', { present: true }),
  'a query of a constant': { see: { look: 'sqlite', path: '/a.db', query: 'select 1' }, expect: { equals: 1 } },
  'a query that writes': { see: { look: 'sqlite', path: '/a.db', query: 'delete from a' }, expect: { equals: 1 } },
  'two queries': {
    see: { look: 'sqlite', path: '/a.db', query: 'select a from b; drop table b' },
    expect: { equals: 1 },
  },
  'an echo': { see: { look: 'command', command: ['echo', 'done'], of: 'output' }, expect: { contains: 'done' } },
  'a hidden reference alone': {
    see: { look: 'file', path: 'reference:gold.txt', of: 'text' },
    expect: { contains: 'done' },
  },
  'every pixel may differ': {
    see: { look: 'screenshot', of: 'pixels' },
    expect: { looksLike: { look: 'picture', path: 'reference:a.png', of: 'pixels' }, share: 1 },
  },
  'every channel may differ': {
    see: { look: 'screenshot', of: 'pixels' },
    expect: { looksLike: { look: 'picture', path: 'reference:a.png', of: 'pixels' }, channel: 255 },
  },
};

const useful: Record<string, unknown> = {
  'a value': seven,
  'not a value': { not: seven },
  'one of two': { any: [seven, cell({ equals: 8 })] },
  'a range': cell({ atLeast: 3, atMost: 9 }),
  'two ends of a range': { all: [cell({ atLeast: 3 }), cell({ atMost: 9 })] },
  'many cells': { all: many(400) },
  'many cells and not one': { all: [...many(20), { not: cell({ equals: 'old' }, 'Z1') }] },
  'an empty cell': cell({ absent: true }),
  'a pattern': file('text', { matches: '^Total: \\d+$' }),
  'a new file': file('exists', { equals: true }),
  'another file': cell({ same: { look: 'cell', path: 'reference:gold.xlsx', sheet: 'S', cell: 'B2', of: 'value' } }),
  zero: cell({ equals: 0, tolerance: 0.005 }),
};

describe('checks that decide nothing', () => {
  it.each(Object.entries(useless))('%s is refused', (_name, check) => {
    expect(checkProblems(Check.parse(check))).not.toEqual([]);
  });

  it('are all named at once', () => {
    const checks = [
      { id: 'one', check: Check.parse({ all: [] }) },
      { id: 'two', check: Check.parse(file('text', { matches: '.*' })) },
      { id: 'two', check: Check.parse(seven) },
    ];
    expect(() => compileChecks({ schema: 1, checks })).toThrow(/two checks have the id two.*one: .*two: /s);
  });
});

describe('checks that can fail and hold', () => {
  it.each(Object.entries(useful))('%s is taken', (_name, check) => {
    expect(checkProblems(Check.parse(check))).toEqual([]);
  });
});
