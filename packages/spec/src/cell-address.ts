/** Letters of a column counted from 1: 1 → A, 27 → AA. */
export function columnLetters(column: number): string {
  let rest = column;
  let letters = '';
  while (rest > 0) {
    const digit = (rest - 1) % 26;
    letters = String.fromCharCode(65 + digit) + letters;
    rest = (rest - 1 - digit) / 26;
  }
  return letters;
}

/** Column counted from 1 of its letters: A → 1, AA → 27. */
export function columnNumber(letters: string): number {
  let column = 0;
  for (const letter of letters) column = column * 26 + (letter.charCodeAt(0) - 64);
  return column;
}

/** Address of a cell; row and column count from 1. */
export const cellAddress = (row: number, column: number): string => `${columnLetters(column)}${row}`;

/** Row and column of an address such as `B12`; undefined for anything else. */
export function parseAddress(address: string): { row: number; column: number } | undefined {
  const match = /^([A-Z]{1,3})([1-9][0-9]{0,6})$/.exec(address);
  if (match?.[1] === undefined || match[2] === undefined) return undefined;
  return { row: Number(match[2]), column: columnNumber(match[1]) };
}
