import { describe, expect, it } from 'vitest';
import { findAnswerLeaks } from './answer-leaks.ts';

const leaks = (text: string, value: string | number, label = 'March total', allowed: string[] = []) =>
  findAnswerLeaks(text, [{ label, value }], allowed).length > 0;

describe('findAnswerLeaks', () => {
  it.each([
    ['1,234.50', 1234.5],
    ['1234.5', 1234.5],
    ['1.234,50 €', 1234.5],
    ['$1 234.50', 1234.5],
    ["1'234.50", 1234.5],
    ['1 234,5', 1234.5],
    ['1.2345k', 1234.5],
    ['1.25 million', 1_250_000],
    ['１２３４.５', 1234.5],
    ['one thousand two hundred and thirty-four dollars and fifty cents', 1234.5],
    ['twelve thousand three hundred and forty-five', 12_345],
    ['1,235', 1234.56],
    ['12.35%', 0.1235],
    ['12,345', '12,345.00'],
    ['by line 3 12,345', 12_345],
    ['-4,321', -4321],
    ['(4,321)', -4321],
  ])('finds %s', (written, value) => {
    expect(leaks(`The sheet should say ${written} in the end.`, value)).toBe(true);
    expect(leaks('The sheet should say so in the end.', value)).toBe(false);
  });

  it('does not take a part of another number or word for the answer', () => {
    expect(leaks('Order 91234.5678 and file-12345x are fine.', 1234.5)).toBe(false);
    expect(leaks('The 12,345,678 rows stay.', 12_345)).toBe(false);
    expect(leaks('Marching on', 'March')).toBe(false);
  });

  it('takes small counts and years for a leak only where they are stated', () => {
    expect(leaks('List the top 3 months of 2024.', 3, 'March count')).toBe(false);
    expect(leaks('List all of 2024.', 2024, 'best year')).toBe(false);
    expect(leaks('It comes down to one thing: the March count.', 1, 'March count')).toBe(false);
    expect(leaks('The March count is one.', 1, 'March count')).toBe(true);
    expect(leaks('The March count is 3.', 3, 'March count')).toBe(true);
    expect(leaks('Note that the total for March comes to 120', 120)).toBe(true);
    expect(leaks('Answer: 2024', 2024, 'answer')).toBe(true);
  });

  it('finds words and dates whatever their case, as whole words', () => {
    expect(leaks('The winner is NORTH  REGION.', 'North Region')).toBe(true);
    expect(leaks('Northern Region wins', 'North')).toBe(false);
    expect(leaks('It peaked in March 2024.', '2024-03', 'top month')).toBe(true);
    expect(leaks('It peaked on 5 Mar 2024.', '2024-03-05', 'top day')).toBe(true);
    expect(leaks('The top month is May.', 'May', 'top month')).toBe(true);
    expect(leaks('You may sort the months.', 'May', 'top month')).toBe(false);
  });

  it('lets names of files and sheets pass', () => {
    expect(leaks('Open north-region.xlsx, please.', 'North', 'region', ['north-region.xlsx'])).toBe(false);
    expect(leaks('In “Sales 12345” add a row.', 12_345, 'total', ['Sales 12345'])).toBe(false);
    expect(leaks('In “Sales 12345” add 12345.', 12_345, 'total', ['Sales 12345'])).toBe(true);
  });

  it('sees through invisible characters', () => {
    expect(leaks('It is 12\u200b345.', 12_345)).toBe(true);
  });
});
