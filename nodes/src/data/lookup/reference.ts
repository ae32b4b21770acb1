import { cellAddress, columnLetters } from '@cua-forge/spec/cell-address';
import type { Cell, Column, Sheet } from '@cua-forge/spec/task';
import { quotedSheet } from '../columns/column-facts.ts';
import type { Random } from '../random.ts';

/** What a reference sheet says about each key: found in the data, or made up. */
export interface Attribute {
  name: string;
  type: Column['type'];
  format?: string;
  values: Map<string, string | number>;
  /** Whether it was a column of the data. */
  fromData: boolean;
}

const people = [
  'Ines Halloran',
  'Tom Akande',
  'Priya Nair',
  'Jonas Weber',
  'Mei Castellan',
  'Rafael Ortiz',
  'Greta Lund',
  'Sam Okoro',
  'Lea Fontaine',
  'Viktor Hale',
];

type Invent = (random: Random, index: number) => string | number;
interface Invention {
  names: readonly [string, ...string[]];
  type: Column['type'];
  format?: string;
  make: Invent;
}

const inventions: readonly Invention[] = [
  {
    names: ['Code', 'Short Code', 'Key Code'],
    type: 'text',
    make: (random, index) =>
      `${'ABCDEFGHKLMNPRSTUVWXYZ'[random.integer(0, 21)]}${'BCDFGHKLMNPRST'[random.integer(0, 13)]}-${100 + index * 7 + random.integer(0, 6)}`,
  },
  {
    names: ['Contact', 'Account Manager', 'Responsible'],
    type: 'text',
    make: (random) => people[random.integer(0, people.length - 1)] ?? 'Sam Okoro',
  },
  {
    names: ['Cost Centre', 'Ledger Account'],
    type: 'integer',
    make: (random, index) => 4_000 + index * 10 + random.integer(1, 9),
  },
  {
    names: ['Rate', 'Commission Rate', 'Levy Rate'],
    type: 'percent',
    format: '0.0%',
    make: (random) => random.integer(10, 180) / 1_000,
  },
  { names: ['Factor', 'Weighting'], type: 'number', format: '0.00', make: (random) => random.integer(80, 160) / 100 },
  {
    names: ['Fixed Fee', 'Handling Fee'],
    type: 'number',
    format: '#,##0.00',
    make: (random) => random.integer(150, 4_900) / 100,
  },
];

/** Attributes that suit any key; names that the data has already are left out. */
export function inventAttributes(keys: readonly string[], taken: readonly string[], random: Random): Attribute[] {
  return random.shuffle(inventions).flatMap((invention): Attribute[] => {
    const name = random.shuffle(invention.names).find((each) => !taken.includes(each));
    if (name === undefined) return [];
    const values = new Map(keys.map((key, index) => [key, invention.make(random, index)]));
    return [
      {
        name,
        type: invention.type,
        ...(invention.format === undefined ? {} : { format: invention.format }),
        values,
        fromData: false,
      },
    ];
  });
}

/** A reference sheet and where its parts stand, for formulas. */
export interface Reference {
  sheet: Sheet;
  keys: string[];
  /** Absolute range of a column's data, with the sheet's name. */
  rangeOf(column: string): string;
  /** Absolute range over several columns, from the first named to the last. */
  blockOf(from: string, to: string): string;
  /** Position of a column counted from another, from 1. */
  offset(from: string, to: string): number;
  layout: Record<string, string>;
}

interface ReferenceWish {
  name: string;
  keyName: string;
  attributes: readonly Attribute[];
  /** Where the key stands among the columns. */
  keyLast: boolean;
  style: Sheet['style'];
}

/** Range with `$` at every part. */
export function absoluteRange(
  sheet: string,
  from: { row: number; column: number },
  to: { row: number; column: number },
): string {
  const address = ({ row, column }: { row: number; column: number }) => `$${columnLetters(column)}$${row}`;
  return `${quotedSheet(sheet)}!${address(from)}:${address(to)}`;
}

/** How formulas reach the columns of a table. */
export function reach(sheet: Sheet): Pick<Reference, 'rangeOf' | 'blockOf' | 'offset'> {
  const at = (name: string) => sheet.firstColumn + sheet.columns.findIndex((column) => column.name === name);
  const [first, last] = [sheet.headerRow + 1, sheet.headerRow + sheet.rows.length];
  const block = (from: string, to: string) =>
    absoluteRange(sheet.name, { row: first, column: at(from) }, { row: last, column: at(to) });
  return { rangeOf: (name) => block(name, name), blockOf: block, offset: (from, to) => at(to) - at(from) + 1 };
}

/** Lays out a reference sheet: key and attributes, one row for each key, somewhere on the sheet. */
export function referenceSheet(keys: readonly string[], wish: ReferenceWish, random: Random): Reference {
  const order = random.pick(['sorted', 'mixed', 'sorted']);
  const place = random.pick(['at the corner', 'at the corner', 'below a title', 'indented']);
  const ordered = order === 'mixed' ? random.shuffle(keys) : [...keys].sort((a, b) => (a < b ? -1 : 1));
  const keyColumn: Column = { name: wish.keyName, type: 'text', width: 24 };
  const others = wish.attributes.map(
    ({ name, type, format }): Column => ({ name, type, width: 16, ...(format === undefined ? {} : { format }) }),
  );
  const columns = wish.keyLast ? [...others, keyColumn] : [keyColumn, ...others];
  const rows = ordered.map((key): Cell[] => {
    const values = wish.attributes.map(({ values: of }) => of.get(key) ?? null);
    return wish.keyLast ? [...values, key] : [key, ...values];
  });
  const headerRow = { 'at the corner': 1, 'below a title': 3, indented: 4 }[place] ?? 1;
  const firstColumn = place === 'indented' ? 3 : 1;
  const { banded: _, autoFilter: __, freezeHeader: ___, ...style } = wish.style;
  const sheet: Sheet = {
    name: wish.name,
    notes:
      place === 'below a title'
        ? { [cellAddress(1, 1)]: random.pick(['Reference data', 'Kept by the office', 'Valid from January']) }
        : {},
    headerRow,
    firstColumn,
    columns,
    rows,
    style,
  };
  return {
    sheet,
    keys: ordered,
    ...reach(sheet),
    layout: { 'reference order': order, 'reference place': place, 'key column': wish.keyLast ? 'last' : 'first' },
  };
}
