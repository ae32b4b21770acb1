import { cellAddress } from '@cua-forge/spec/cell-address';
import type { Cell, Sheet } from '@cua-forge/spec/task';
import { quantile, roundNumber } from '../columns/column-facts.ts';
import { distinct, keyColumn, type LookupBuilder, lettersOf, roundHalfUp } from './lookup-draft.ts';
import { absoluteRange, reach, referenceSheet } from './reference.ts';

function plainStyle({ banded: _, autoFilter: __, freezeHeader: ___, ...style }: Sheet['style']): Sheet['style'] {
  return style;
}

/** Two keys: a rate for each pair, as a list or as a grid. */
const twoKeys =
  (grid: boolean): LookupBuilder =>
  ({ columns, random, sheet, firstRow, sheetNames }) => {
    const fit = columns.texts.filter(({ values }) => {
      const size = new Set(values).size;
      return size >= 2 && size <= (grid ? 14 : 20);
    });
    const [a, b] = random.shuffle(fit);
    const [name] = sheetNames;
    const heading = ['Surcharge', 'Tariff', 'Quota', 'Unit Allowance'].find((each) =>
      sheet.columns.every((column) => column.name !== each),
    );
    if (a === undefined || b === undefined || name === undefined || heading === undefined) return undefined;
    const [as, bs] = [distinct(a.values), distinct(b.values)];
    // A grid's headings are its columns' names, so they must not repeat the first one.
    if (as.length * bs.length > 200 || (grid && bs.includes(a.name))) return undefined;
    const rate = new Map(
      as.flatMap((x) => bs.map((y): [string, number] => [`${x}\n${y}`, random.integer(20, 980) / 20])),
    );
    const rateOf = (x: string, y: string) => rate.get(`${x}\n${y}`) ?? 0;
    const rows: Cell[][] = grid
      ? as.map((x) => [x, ...bs.map((y) => rateOf(x, y))])
      : random.shuffle(as.flatMap((x) => bs.map((y): Cell[] => [x, y, rateOf(x, y)])));
    const at = random.pick([
      { row: 1, column: 1 },
      { row: 3, column: 2 },
    ]);
    const reference: Sheet = {
      name,
      notes: at.row > 1 ? { A1: `${heading} by ${a.name} and ${b.name}` } : {},
      headerRow: at.row,
      firstColumn: at.column,
      columns: grid
        ? [
            { name: a.name, type: 'text', width: 20 },
            ...bs.map((y) => ({ name: y, type: 'number' as const, format: '0.00', width: 14 })),
          ]
        : [
            { name: a.name, type: 'text', width: 20 },
            { name: b.name, type: 'text', width: 20 },
            { name: heading, type: 'number', format: '0.00', width: 14 },
          ],
      rows,
      style: plainStyle(sheet.style),
    };
    const { rangeOf, blockOf } = reach(reference);
    const across = absoluteRange(
      name,
      { row: at.row, column: at.column + 1 },
      { row: at.row, column: at.column + bs.length },
    );
    const [la, lb] = [lettersOf(sheet, a.name), lettersOf(sheet, b.name)];
    const formula = (row: number) =>
      grid
        ? `INDEX(${blockOf(bs[0] ?? '', bs.at(-1) ?? '')},MATCH(${la}${row},${rangeOf(a.name)},0),MATCH(${lb}${row},${across},0))`
        : `SUMIFS(${rangeOf(heading)},${rangeOf(a.name)},${la}${row},${rangeOf(b.name)},${lb}${row})`;
    return {
      kind: grid ? 'two keys in a grid' : 'two keys in a list',
      main: sheet,
      reference,
      target: 'main',
      filled: {
        column: { name: heading, type: 'number', format: '0.00', width: 14 },
        cells: a.values.map((x, row) => ({ formula: formula(firstRow + row), result: rateOf(x, b.values[row] ?? '') })),
      },
      text: `Each row shows the ${heading} that the sheet ${name} gives for its ${a.name} and its ${b.name} together.`,
      summary: `each row of the sheet ${sheet.name} has the ${heading} that belongs to its ${a.name} and ${b.name}, looked up on the sheet ${name}`,
      mentions: [a.name, b.name, heading],
      stated: [],
      traits: {
        'reference place': at.row === 1 ? 'at the corner' : 'below a title',
        'reference form': grid ? 'grid' : 'list of pairs',
      },
    };
  };

const bandNames = ['Basic', 'Standard', 'Plus', 'Premium', 'Top'];

/** Bands by their lower limits: the last one that a value reaches. */
const bands: LookupBuilder = ({ columns, random, sheet, firstRow, sheetNames }) => {
  const [measure] = random.shuffle(
    columns.numbers.filter(({ values }) => new Set(values).size >= 5 && Math.min(...values) >= 0),
  );
  const [name] = sheetNames;
  const named = random.chance(0.5);
  const heading = (named ? ['Band', 'Tier', 'Class'] : ['Discount Rate', 'Bonus Rate', 'Allowance Rate']).find((each) =>
    sheet.columns.every((column) => column.name !== each),
  );
  if (measure === undefined || name === undefined || heading === undefined) return undefined;
  const count = random.integer(3, 5);
  const inner = Array.from({ length: count - 1 }, (_, index) =>
    roundNumber(quantile(measure.values, (index + 1) / count)),
  );
  const limits = [...new Set([0, ...inner])].sort((x, y) => x - y);
  if (limits.length < 3) return undefined;
  const marks = limits.map((_, index): string | number =>
    named ? (bandNames[index] ?? `Level ${index}`) : (index * 25 + random.integer(1, 9)) / 1_000,
  );
  const lower = `${measure.name} from`.slice(0, 40);
  const at = random.pick([
    { row: 1, column: 1 },
    { row: 2, column: 3 },
  ]);
  const reference: Sheet = {
    name,
    notes: {},
    headerRow: at.row,
    firstColumn: at.column,
    columns: [
      { name: lower, type: 'number', width: 18 },
      { name: heading, type: named ? 'text' : 'percent', width: 14, ...(named ? {} : { format: '0.0%' }) },
    ],
    rows: limits.map((limit, index) => [limit, marks[index] ?? null]),
    style: plainStyle(sheet.style),
  };
  const letters = lettersOf(sheet, measure.name);
  const block = reach(reference).blockOf(lower, heading);
  return {
    kind: named ? 'band by lower limit' : 'rate by lower limit',
    main: sheet,
    reference,
    target: 'main',
    filled: {
      column: { name: heading, type: named ? 'text' : 'percent', width: 14, ...(named ? {} : { format: '0.0%' }) },
      cells: measure.values.map((value, row) => ({
        formula: `VLOOKUP(${letters}${firstRow + row},${block},2,TRUE)`,
        result: marks[limits.findLastIndex((limit) => limit <= value)] ?? '',
      })),
    },
    text: `Each row shows the ${heading} of the band that its ${measure.name} falls into; the sheet ${name} gives the lower limit of each band, and a value that equals a limit belongs to the band that starts there.`,
    summary: `each row of the sheet ${sheet.name} has the ${heading} that the bands on the sheet ${name} give for its ${measure.name}`,
    mentions: [measure.name, heading],
    stated: [],
    traits: { 'reference place': at.row === 1 ? 'at the corner' : 'indented', 'reference form': 'bands' },
  };
};

/** Goes the other way: the reference sheet gets a figure about the data for each of its keys. */
const aggregate =
  (what: 'sum' | 'count' | 'largest' | 'used'): LookupBuilder =>
  (context) => {
    const { columns, random, sheet, sheetNames } = context;
    const key = keyColumn(context);
    const [measure] = random.shuffle(columns.numbers.filter(({ values }) => new Set(values).size >= 3));
    const [name] = sheetNames;
    if (key === undefined || name === undefined || (measure === undefined && (what === 'sum' || what === 'largest')))
      return undefined;
    const strangers =
      what === 'used' || random.chance(0.4) ? ['Delmar', 'Oakfield', 'Reserve'].slice(0, random.integer(1, 3)) : [];
    const keys = [...distinct(key.values), ...strangers.filter((each) => !key.values.includes(each))];
    const amount = measure?.name ?? '';
    const heading = { sum: `Total ${amount}`, count: 'Entries', largest: `Largest ${amount}`, used: 'In Use' }[
      what
    ].slice(0, 40);
    // A total of totals would have the name of a column that is there.
    if (sheet.columns.some((column) => column.name === heading)) return undefined;
    const attributes = [
      {
        name: random.pick(['Status', 'Remark']),
        type: 'text' as const,
        fromData: false,
        values: new Map(keys.map((each) => [each, random.pick(['active', 'active', 'on hold'])])),
      },
    ].slice(0, random.integer(0, 1));
    const reference = referenceSheet(
      keys,
      { name, keyName: key.name, attributes, keyLast: false, style: sheet.style },
      random,
    );
    const main = reach(sheet);
    const rowsOf = (wanted: string) =>
      key.values.flatMap((value, row) => (value === wanted ? [measure?.values[row] ?? 0] : []));
    const [yes, no] = random.pick([
      ['yes', 'no'],
      ['used', 'unused'],
    ] as const);
    const filled = reference.keys.map((wanted, row) => {
      const cell = cellAddress(reference.sheet.headerRow + 1 + row, reference.sheet.firstColumn);
      const of = rowsOf(wanted);
      const criterion = `${main.rangeOf(key.name)},${cell}`;
      switch (what) {
        case 'sum':
          return {
            formula: `ROUND(SUMIFS(${main.rangeOf(amount)},${criterion}),2)`,
            result: roundHalfUp(of.reduce((all, value) => all + value, 0)),
          };
        case 'largest':
          return {
            // Files know the function by this name; applications show it without the prefix.
            formula: `_xlfn.MAXIFS(${main.rangeOf(amount)},${criterion})`,
            result: of.length === 0 ? 0 : Math.max(...of),
          };
        case 'count':
          return { formula: `COUNTIFS(${criterion})`, result: of.length };
        default:
          return { formula: `IF(COUNTIFS(${criterion})>0,"${yes}","${no}")`, result: of.length > 0 ? yes : no };
      }
    });
    const shows = {
      sum: `the sum of ${amount} over all rows of the sheet ${sheet.name} that have its ${key.name}, rounded to two decimals, and 0 where there is none`,
      largest: `the largest ${amount} among the rows of the sheet ${sheet.name} that have its ${key.name}, and 0 where there is none`,
      count: `how many rows of the sheet ${sheet.name} have its ${key.name}`,
      used: `“${yes}” where the sheet ${sheet.name} has a row with its ${key.name}, and “${no}” where it has none`,
    }[what];
    return {
      kind: { sum: 'sum by key', count: 'count by key', largest: 'largest by key', used: 'keys in use' }[what],
      main: sheet,
      reference: reference.sheet,
      target: 'reference',
      filled: {
        column: {
          name: heading,
          type: what === 'used' ? 'text' : what === 'count' ? 'integer' : 'number',
          width: 18,
          ...(what === 'sum' || what === 'largest' ? { format: '#,##0.00' } : {}),
        },
        cells: filled,
      },
      text: `Each row of the sheet ${name} shows ${shows}.`,
      summary: `each ${key.name} on the sheet ${name} has its ${heading}, taken from the sheet ${sheet.name}`,
      mentions: [
        key.name,
        heading,
        ...(what === 'sum' || what === 'largest' ? [amount] : []),
        ...(what === 'used' ? [yes, no] : []),
      ],
      stated: what === 'used' ? [yes, no] : [],
      traits: {
        ...reference.layout,
        'reference form': strangers.length > 0 ? 'with keys that the data lacks' : 'keys of the data',
      },
    };
  };

export const tableLookups: Record<string, LookupBuilder> = {
  'two-keys': twoKeys(false),
  grid: twoKeys(true),
  bands,
  'sum-by-key': aggregate('sum'),
  'count-by-key': aggregate('count'),
  'largest-by-key': aggregate('largest'),
  'keys-in-use': aggregate('used'),
};
