import type { Column, Sheet } from '@cua-forge/spec/task';
import { isErrorText, shown } from '../cell-values.ts';
import { comparableMeasures } from '../measures.ts';
import { coarser, periodLabel, yearOf } from '../periods.ts';
import type { Profile } from '../profile.ts';
import { type Random, randomFrom } from '../random.ts';
import type { Source } from '../summary/source.ts';
import { type Frame, type FrameRow, frameOf, numberIn, resultOf, selectColumns, withColumn } from './frame.ts';
import { lengthen, representPeriods } from './represent-periods.ts';

/** Labels of what was done, without names or numbers of the data. */
export type Traits = Record<string, string>;

export interface Part {
  name: string;
  frame: Frame;
}

export interface Structure {
  parts: Part[];
  source: Source;
  traits: Traits;
}

/** Kinds of summary that need two measures, or categories besides the groups. */
const needsTwoMeasures = (outcome: string) => outcome === 'two-measures';
const needsCategory = (outcome: string) => outcome === 'pivot' || outcome === 'one-category';

interface Kept {
  columns: string[];
  dimensions: string[];
  measures: string[];
  all: boolean;
}

/** Which columns stay: what the summary needs always, the others by chance. */
function keepColumns(sheet: Sheet, profile: Profile, outcome: string, random: Random): Kept {
  const categoriesNeeded = (profile.grain === null ? 1 : 0) + (needsCategory(outcome) ? 1 : 0);
  const draw = (names: readonly string[], needed: number, chance: number) => {
    const shuffled = random.shuffle(names);
    const kept = new Set(shuffled.filter((_, index) => index < needed || random.chance(chance)));
    return names.filter((name) => kept.has(name));
  };
  const dimensions = draw(
    profile.dimensions.map((each) => each.column),
    Math.max(categoriesNeeded, 1),
    0.6,
  );
  const headings = profile.measures.map((each) => each.column);
  const pair = needsTwoMeasures(outcome) ? random.shuffle(comparableMeasures(headings)).slice(0, 2) : [];
  const drawn = draw(headings, 1, 0.55);
  const measures = headings.filter((name) => pair.includes(name) || drawn.includes(name));
  const readable = profile.others.filter((name) => {
    const index = sheet.columns.findIndex((column) => column.name === name);
    return profile.rows.every((row) => !isErrorText(shown(sheet.rows[row]?.[index]))) && name.length <= 40;
  });
  const others = draw(readable, 0, 0.6);
  const wide = profile.wide.filter((each) => measures.includes(each.measure)).map((each) => each.column);
  const names = new Set([profile.period, ...dimensions, ...measures, ...others, ...wide]);
  const columns = sheet.columns.map((column) => column.name).filter((name) => names.has(name));
  return { columns, dimensions, measures, all: columns.length === sheet.columns.length };
}

/** Most rows of a task's workbook: more make it slower to open and no harder to summarise. */
const MOST_ROWS = 2_000;

/** A large table loses some rows, so that its numbers differ from one seed to the next; a small one keeps all. */
function keepRows(rows: readonly number[], random: Random): number[] {
  if (rows.length < 60) return [...rows];
  return random.subset(rows, Math.min(MOST_ROWS, Math.round(rows.length * (0.6 + 0.4 * random.fraction()))));
}

function orderRows(frame: Frame, dimension: string | undefined, random: Random): { frame: Frame; label: string } {
  const label = random.pick(['as given', 'by time', 'mixed', 'by category']);
  const byText = (text: (row: FrameRow) => string) =>
    frame.rows
      .map((row, index) => ({ row, index, text: text(row) }))
      .sort((a, b) => (a.text < b.text ? -1 : a.text > b.text ? 1 : a.index - b.index))
      .map(({ row }) => row);
  switch (label) {
    case 'by time':
      return {
        frame: { ...frame, rows: byText((row) => row.key ?? '') },
        label: frame.rows.every((row) => row.key === undefined) ? 'as given' : label,
      };
    case 'mixed':
      return { frame: { ...frame, rows: random.shuffle(frame.rows) }, label };
    case 'by category':
      if (dimension === undefined) return { frame, label: 'as given' };
      return { frame: { ...frame, rows: byText((row) => String(resultOf(row.cells.get(dimension)))) }, label };
    default:
      return { frame, label: 'as given' };
  }
}

const round2 = (value: number) => Number(value.toFixed(2));

/** Adds a column that somebody might have added; it never changes what the summary is. */
function addDerived(frame: Frame, measures: readonly string[], random: Random): { frame: Frame; label: string } {
  const [measure = '', second] = random.shuffle(
    measures.filter((name) => frame.columns.some((column) => column.name === name)),
  );
  const free = (name: string) => name.length <= 40 && frame.columns.every((column) => column.name !== name);
  const label = random.pick(['none', 'none', 'with tax', 'size class', 'line number', 'ratio']);
  if (label === 'line number' && free('No.')) {
    const numbered = withColumn(frame, { name: 'No.', type: 'integer' }, (_, index) => index + 1);
    return { frame: selectColumns(numbered, ['No.', ...frame.columns.map((column) => column.name)]), label };
  }
  if (measure === '') return { frame, label: 'none' };
  if (label === 'with tax' && free(`${measure} incl. tax`)) {
    const column: Column = { name: `${measure} incl. tax`, type: 'number' };
    return {
      frame: withColumn(frame, column, (row) => ({
        template: `ROUND({{${measure}}}*1.2,2)`,
        result: round2(numberIn(row, measure) * 1.2),
      })),
      label,
    };
  }
  if (label === 'size class' && free('Size')) {
    const values = frame.rows.map((row) => numberIn(row, measure)).sort((a, b) => a - b);
    const limit = values[Math.floor(values.length / 2)] ?? 0;
    const cell = (row: FrameRow) => ({
      template: `IF({{${measure}}}>=${limit},"Large","Small")`,
      result: numberIn(row, measure) >= limit ? 'Large' : 'Small',
    });
    return { frame: withColumn(frame, { name: 'Size', type: 'text' }, cell), label };
  }
  if (label === 'ratio' && second !== undefined && free(`${measure} ratio`)) {
    const cell = (row: FrameRow) => {
      const below = numberIn(row, second);
      const result = below === 0 ? 0 : Number((numberIn(row, measure) / below).toFixed(3));
      return { template: `IF({{${second}}}=0,0,ROUND({{${measure}}}/{{${second}}},3))`, result };
    };
    return { frame: withColumn(frame, { name: `${measure} ratio`, type: 'number' }, cell), label };
  }
  return { frame, label: 'none' };
}

function orderColumns(
  frame: Frame,
  period: Source['period'],
  measures: readonly string[],
  random: Random,
): { frame: Frame; label: string } {
  const names = frame.columns.map((column) => column.name);
  const isTime = (name: string) => name === period?.column || name === period?.yearColumn;
  const label = random.pick(['as given', 'time first', 'numbers first', 'mixed']);
  if (label === 'mixed') return { frame: selectColumns(frame, random.shuffle(names)), label };
  const first =
    label === 'time first' ? isTime : label === 'numbers first' ? (name: string) => measures.includes(name) : undefined;
  if (first === undefined) return { frame, label };
  return { frame: selectColumns(frame, [...names.filter(first), ...names.filter((name) => !first(name))]), label };
}

const sheetName = (name: string) => name.length > 0 && name.length <= 31 && !/[[\]*?:/\\]|^'|'$/.test(name);

interface Split {
  parts: Part[];
  splitBy: string | null;
  label: string;
}

/** Spreads the rows over sheets: one per category, or one per quarter. */
function split(
  frame: Frame,
  name: string,
  dimensions: readonly string[],
  profile: Profile,
  long: boolean,
  random: Random,
): Split {
  const whole: Split = { parts: [{ name, frame }], splitBy: null, label: 'one sheet' };
  const wish = random.pick(['one sheet', 'one sheet', 'by category', 'by quarter']);
  const collect = (label: string, keyOf: (row: FrameRow) => string, splitBy: string | null): Split => {
    const keys = [...new Set(frame.rows.map(keyOf))].sort();
    const unique = new Set(keys.map((key) => key.toLowerCase())).size === keys.length;
    if (keys.length < 2 || keys.length > 6 || !unique || !keys.every(sheetName) || frame.rows.length < keys.length * 2)
      return whole;
    const columns = frame.columns.map((column) => column.name).filter((column) => column !== splitBy);
    const parts = keys.map((key) => ({
      name: key,
      frame: selectColumns({ ...frame, rows: frame.rows.filter((row) => keyOf(row) === key) }, columns),
    }));
    return { parts, splitBy, label };
  };
  if (wish === 'by category') {
    const [dimension] = random.shuffle(dimensions);
    if (dimension === undefined) return whole;
    return collect('a sheet per category', (row) => String(resultOf(row.cells.get(dimension))), dimension);
  }
  if (wish === 'by quarter' && long && profile.grain === 'month') {
    const withYear = new Set(frame.rows.map((row) => yearOf(row.key ?? ''))).size > 1;
    return collect(
      'a sheet per quarter',
      (row) => String(periodLabel(coarser(row.key ?? '', 'quarter'), 'iso', withYear)),
      null,
    );
  }
  return whole;
}

/** Varies the structure of the profiled table: rows, columns, how time is written, derived columns, order, sheets. */
export function structureOf(sheet: Sheet, profile: Profile, outcome: string, seed: number): Structure {
  const random = (what: string) => randomFrom(seed, `structure/${what}`);
  const kept = keepColumns(sheet, profile, outcome, random('columns'));
  const chosen = {
    ...profile,
    measures: profile.measures.filter((each) => kept.measures.includes(each.column)),
    wide: profile.wide.filter((each) => kept.measures.includes(each.measure)),
  };
  const plain = frameOf(sheet, kept.columns, keepRows(profile.rows, random('rows')));
  const stayWide = profile.wide.length > 0 && random('form').chance(0.5);
  const written = stayWide
    ? { frame: plain, period: null, label: `one column per ${profile.grain ?? 'period'}` }
    : profile.wide.length > 0
      ? lengthen(plain, chosen, random('periods'))
      : representPeriods(plain, profile, random('periods'));
  const ordered = orderRows(written.frame, kept.dimensions[0], random('row order'));
  const derived = addDerived(ordered.frame, kept.measures, random('derived'));
  const arranged = orderColumns(derived.frame, written.period, kept.measures, random('column order'));
  const name = random('sheet name').pick([profile.sheet, 'Data', 'Records', 'Sheet1', 'Entries']);
  const sheets = split(
    arranged.frame,
    sheetName(name) ? name : 'Data',
    kept.dimensions,
    profile,
    !stayWide,
    random('split'),
  );
  return {
    parts: sheets.parts,
    source: {
      sheets: sheets.parts.map((part) => part.name),
      splitBy: sheets.splitBy,
      period: written.period,
      grain: profile.grain,
      wide: stayWide ? chosen.wide : [],
      dimensions: kept.dimensions,
      measures: kept.measures,
    },
    traits: {
      basis: profile.basis,
      sheets: sheets.label,
      time: written.label,
      'columns kept': kept.all ? 'all' : 'some',
      'derived column': derived.label,
      'row order': ordered.label,
      'column order': arranged.label,
    },
  };
}
