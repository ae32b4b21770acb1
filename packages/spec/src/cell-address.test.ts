import { describe, expect, it } from 'vitest';
import { cellAddress, columnLetters, columnNumber, parseAddress } from './cell-address.ts';

describe('cell addresses', () => {
  it('turns every column of a spreadsheet into letters and back', () => {
    expect([1, 26, 27, 52, 702, 703, 16384].map(columnLetters)).toEqual(['A', 'Z', 'AA', 'AZ', 'ZZ', 'AAA', 'XFD']);
    for (let column = 1; column <= 16384; column += 1) expect(columnNumber(columnLetters(column))).toBe(column);
  });

  it('parses addresses and refuses other text', () => {
    expect(parseAddress(cellAddress(12, 28))).toEqual({ row: 12, column: 28 });
    expect(['A0', 'a1', '1A', 'ABCD1', '$A$1', ''].map(parseAddress)).toEqual(Array(6).fill(undefined));
  });
});
