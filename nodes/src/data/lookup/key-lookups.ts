import type { Cell, Column } from '@cua-forge/spec/task';
import type { TextColumn } from '../columns/column-facts.ts';
import { distinct, keyColumn, type LookupBuilder, type LookupContext, lettersOf, roundHalfUp } from './lookup-draft.ts';
import { type Attribute, inventAttributes, type Reference, referenceSheet } from './reference.ts';

interface KeyTable {
  key: TextColumn;
  attribute: Attribute;
  reference: Reference;
  names: string[];
}

/** Columns that each value of the key determines: what a reference table would hold. */
function determined(context: LookupContext, key: TextColumn): Attribute[] {
  const { columns, sheet } = context;
  return [...columns.texts, ...columns.numbers].flatMap((column): Attribute[] => {
    if (column.name === key.name || new Set<string | number>(column.values).size < 2) return [];
    const values = new Map<string, string | number>();
    for (const [row, name] of key.values.entries()) {
      const value = column.values[row];
      if (value === undefined) return [];
      if (values.has(name) && values.get(name) !== value) return [];
      values.set(name, value);
    }
    // Each key once tells nothing: then any column would be determined.
    if (values.size > key.values.length * 0.6) return [];
    const { type = 'text', format } = sheet.columns[column.index] ?? {};
    return [{ name: column.name, type, ...(format === undefined ? {} : { format }), values, fromData: true }];
  });
}

/** A reference table about a column of the data; `numeric` asks for an attribute to compute with. */
function keyTable(
  context: LookupContext,
  wish: { keyLast?: boolean; numeric?: boolean; keys?: (all: string[]) => string[] },
): KeyTable | undefined {
  const { random, sheet, sheetNames } = context;
  const key = keyColumn(context);
  const [name] = sheetNames;
  if (key === undefined || name === undefined) return undefined;
  const all = distinct(key.values);
  const keys = wish.keys?.(all) ?? all;
  const taken = sheet.columns.map((column) => column.name);
  const invented = inventAttributes(all, taken, random);
  const hasFormulas = sheet.rows.some((row) => row.some((cell) => typeof cell === 'object' && cell !== null));
  // Taking a column out moves the others, and formulas would look beside what they mean.
  const found = hasFormulas || sheet.columns.length < 4 ? [] : determined(context, key);
  const own = found.filter(({ type }) => wish.numeric !== true || type !== 'text');
  const usable = invented.filter(({ type }) => wish.numeric !== true || type === 'percent' || type === 'number');
  const [attribute] = own.length > 0 && random.chance(0.5) ? random.shuffle(own) : usable;
  if (attribute === undefined) return undefined;
  const extra = invented.filter((each) => each.name !== attribute.name).slice(0, random.integer(0, 2));
  const attributes = random.shuffle([attribute, ...extra]);
  const keyLast = wish.keyLast ?? false;
  const reference = referenceSheet(keys, { name, keyName: key.name, attributes, keyLast, style: sheet.style }, random);
  return { key, attribute, reference, names: attributes.map((each) => each.name) };
}

/** The data without a column that the reference table holds now. */
function mainWithout({ sheet }: LookupContext, attribute: Attribute) {
  if (!attribute.fromData) return sheet;
  const at = sheet.columns.findIndex((column) => column.name === attribute.name);
  return {
    ...sheet,
    columns: sheet.columns.filter((_, index) => index !== at),
    rows: sheet.rows.map((row) => row.filter((_, index) => index !== at)),
  };
}

/** Formula that finds an attribute of the key in a row. */
function lookupFormula(table: KeyTable, cell: string, keyLast: boolean): string {
  const { reference, attribute, key } = table;
  if (keyLast) return `INDEX(${reference.rangeOf(attribute.name)},MATCH(${cell},${reference.rangeOf(key.name)},0))`;
  const offset = reference.offset(key.name, attribute.name);
  return `VLOOKUP(${cell},${reference.blockOf(key.name, attribute.name)},${offset},FALSE)`;
}

const columnFor = ({ name, type, format }: Attribute, heading = name): Column => ({
  name: heading,
  type,
  width: 16,
  ...(format === undefined ? {} : { format }),
});

const origin = (attribute: Attribute) => (attribute.fromData ? 'taken out of the data' : 'made for the task');

const plainLookup =
  (keyLast: boolean): LookupBuilder =>
  (context) => {
    const table = keyTable(context, { keyLast });
    if (table === undefined) return undefined;
    const { key, attribute, reference } = table;
    const main = mainWithout(context, attribute);
    const letters = lettersOf(main, key.name);
    return {
      kind: keyLast ? 'attribute to the left of its key' : 'attribute by key',
      main,
      reference: reference.sheet,
      target: 'main',
      filled: {
        column: columnFor(attribute),
        cells: key.values.map((value, row) => ({
          formula: lookupFormula(table, `${letters}${context.firstRow + row}`, keyLast),
          result: attribute.values.get(value) ?? '',
        })),
      },
      text: `Each row shows the ${attribute.name} that the sheet ${reference.sheet.name} gives for its ${key.name}.`,
      summary: `each row of the sheet ${main.name} has the ${attribute.name} of its ${key.name}, looked up on the sheet ${reference.sheet.name}`,
      mentions: [key.name, attribute.name],
      stated: [],
      traits: { ...reference.layout, 'reference data': origin(attribute) },
    };
  };

const missingKeys: LookupBuilder = (context) => {
  const { random } = context;
  const keyLast = random.chance(0.4);
  const table = keyTable(context, {
    keyLast,
    keys: (all) =>
      random.subset(all, Math.max(1, all.length - random.integer(1, Math.max(1, Math.floor(all.length / 3))))),
  });
  if (table === undefined) return undefined;
  const { key, attribute, reference } = table;
  const main = mainWithout(context, attribute);
  const letters = lettersOf(main, key.name);
  const text = random.pick(['not listed', 'missing', 'unknown', 'check']);
  return {
    kind: 'attribute by key, missing keys flagged',
    main,
    reference: reference.sheet,
    target: 'main',
    filled: {
      column: columnFor(attribute),
      cells: key.values.map((value, row) => ({
        formula: `IFERROR(${lookupFormula(table, `${letters}${context.firstRow + row}`, keyLast)},"${text}")`,
        result: reference.keys.includes(value) ? (attribute.values.get(value) ?? '') : text,
      })),
    },
    text: `Each row shows the ${attribute.name} that the sheet ${reference.sheet.name} gives for its ${key.name}; where that sheet does not have the ${key.name}, the cell says “${text}”.`,
    summary: `each row of the sheet ${main.name} has the ${attribute.name} of its ${key.name} from the sheet ${reference.sheet.name}, and entries that are missing there are marked`,
    mentions: [key.name, attribute.name, text],
    stated: [text],
    traits: { ...reference.layout, 'reference data': origin(attribute) },
  };
};

const computed: LookupBuilder = (context) => {
  const { columns, random, firstRow } = context;
  const [measure] = random.shuffle(columns.numbers.filter(({ values }) => new Set(values).size >= 3));
  const keyLast = random.chance(0.35);
  const table = keyTable(context, { keyLast, numeric: true });
  if (table === undefined || measure === undefined || measure.name === table.attribute.name) return undefined;
  const { key, attribute, reference } = table;
  const main = mainWithout(context, attribute);
  const [keyLetters, measureLetters] = [lettersOf(main, key.name), lettersOf(main, measure.name)];
  const plus = attribute.name.endsWith('Fee');
  const heading = `${measure.name} ${plus ? 'with' : 'by'} ${attribute.name}`.slice(0, 40);
  return {
    kind: plus ? 'amount plus looked-up fee' : 'amount times looked-up rate',
    main,
    reference: reference.sheet,
    target: 'main',
    filled: {
      column: { name: heading, type: 'number', format: '#,##0.00', width: 18 },
      cells: key.values.map((value, row) => {
        const found = lookupFormula(table, `${keyLetters}${firstRow + row}`, keyLast);
        const rate = Number(attribute.values.get(value) ?? 0);
        const amount = measure.values[row] ?? 0;
        const exact = plus ? amount + rate : amount * rate;
        return {
          formula: `ROUND(${measureLetters}${firstRow + row}${plus ? '+' : '*'}${found},2)`,
          result: roundHalfUp(exact),
        };
      }),
    },
    text: `Each row shows its ${measure.name} ${plus ? 'plus' : 'times'} the ${attribute.name} that the sheet ${reference.sheet.name} gives for its ${key.name}, rounded to two decimals.`,
    summary: `each row of the sheet ${main.name} has its ${measure.name} ${plus ? 'raised' : 'multiplied'} by the ${attribute.name} of its ${key.name} from the sheet ${reference.sheet.name}`,
    mentions: [key.name, attribute.name, measure.name, heading],
    stated: [],
    traits: { ...reference.layout, 'reference data': origin(attribute) },
  };
};

/** A column of lookups that are wrong in a way that happens: what they show is worked out as an application would. */
const repair: LookupBuilder = (context) => {
  const { random, firstRow } = context;
  const table = keyTable(context, { keyLast: false });
  if (table === undefined) return undefined;
  const { key, attribute, reference, names } = table;
  const main = mainWithout(context, attribute);
  const letters = lettersOf(main, key.name);
  const right = (row: number) => lookupFormula(table, `${letters}${firstRow + row}`, false);
  const value = (row: number) => attribute.values.get(key.values[row] ?? '') ?? '';
  const [first, last] = [reference.sheet.headerRow + 1, reference.sheet.headerRow + reference.keys.length];
  const other = names.find((name) => name !== attribute.name && reference.offset(key.name, name) > 0);
  const block = reference.blockOf(key.name, attribute.name);
  const offset = reference.offset(key.name, attribute.name);
  const position = (name: string | undefined) => reference.keys.indexOf(name ?? '');
  const fault = random.pick([
    'range too short',
    'range without anchors',
    'typed values',
    other === undefined ? 'typed values' : 'wrong column',
  ]);
  const cells = key.values.map((name, row): Cell => {
    const cell = `${letters}${firstRow + row}`;
    switch (fault) {
      case 'range too short': {
        const kept = Math.max(1, Math.floor(reference.keys.length / 2));
        const result = position(name) < kept ? value(row) : '#N/A';
        const short = block.replace(new RegExp(`\\$${last}$`), `$${first + kept - 1}`);
        return { formula: `VLOOKUP(${cell},${short},${offset},FALSE)`, result };
      }
      case 'range without anchors': {
        const moved = block.replace(
          /\$([A-Z]+)\$(\d+)/g,
          (_, column: string, at: string) => `${column}${Number(at) + row}`,
        );
        return {
          formula: `VLOOKUP(${cell},${moved},${offset},FALSE)`,
          result: position(name) >= row ? value(row) : '#N/A',
        };
      }
      case 'wrong column': {
        const values = reference.sheet.rows[position(name)] ?? [];
        const at = reference.offset(key.name, other ?? '');
        const wide = reference.blockOf(key.name, at > offset ? (other ?? '') : attribute.name);
        const seen = values[at - 1];
        return {
          formula: `VLOOKUP(${cell},${wide},${at},FALSE)`,
          result: typeof seen === 'object' ? null : (seen ?? null),
        };
      }
      default:
        // Every third cell was typed over, with what the neighbouring key has.
        return row % 3 === 1
          ? (attribute.values.get(key.values[row - 1] ?? '') ?? null)
          : { formula: right(row), result: value(row) };
    }
  });
  const wrong = cells.filter(
    (cell, row) => (typeof cell === 'object' && cell !== null ? cell.result : cell) !== value(row),
  );
  if (wrong.length === 0) return undefined;
  return {
    kind: `repair: ${fault}`,
    main,
    reference: reference.sheet,
    target: 'main',
    filled: {
      column: columnFor(attribute),
      cells: key.values.map((_, row) => ({ formula: right(row), result: value(row) })),
    },
    faulty: {
      cells,
      text: `The column ${attribute.name} is there already, but a part of it is wrong or shows errors; in the end every row is right.`,
    },
    text: `Each row shows the ${attribute.name} that the sheet ${reference.sheet.name} gives for its ${key.name}.`,
    summary: `the lookups in the column ${attribute.name} of the sheet ${main.name} are repaired, so that each row has the ${attribute.name} of its ${key.name} from the sheet ${reference.sheet.name}`,
    mentions: [key.name, attribute.name],
    stated: [],
    traits: { ...reference.layout, 'reference data': origin(attribute), fault },
  };
};

export const keyLookups: Record<string, LookupBuilder> = {
  attribute: plainLookup(false),
  'attribute-left': plainLookup(true),
  'missing-keys': missingKeys,
  computed,
  repair,
};
