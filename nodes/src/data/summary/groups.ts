import { coarser, type Grain, type MonthStyle, periodLabel, yearOf } from '../periods.ts';
import type { Observation, Source } from './source.ts';

/** What a summary groups by: a span of time, or the values of a category. */
export interface Grouping {
  /** Heading of the group column: `Month`, `Quarter`, `Year`, or the category's name. */
  heading: string;
  /** The same in running text. */
  word: string;
  time: boolean;
  keyOf(observation: Observation): string;
  label(key: string): string | number;
}

const headings: Record<Grain, string> = { month: 'Month', quarter: 'Quarter', year: 'Year' };

export function byTime(observations: readonly Observation[], grain: Grain, style: MonthStyle): Grouping {
  const years = new Set(observations.map((each) => yearOf(each.period ?? '0000')));
  const named = !years.has('0000');
  // A month in ISO style always has its year; quarters and month names only where there are several years.
  const withYear = named && (years.size > 1 || (grain === 'month' && style === 'iso'));
  return {
    heading: headings[grain],
    word: grain,
    time: true,
    keyOf: (observation) => coarser(observation.period ?? '', grain),
    label: (key) => periodLabel(key, named ? style : style === 'iso' ? 'short' : style, withYear),
  };
}

export function byCategory(dimension: string): Grouping {
  return {
    heading: dimension,
    word: dimension.toLowerCase(),
    time: false,
    keyOf: (observation) => observation.categories[dimension] ?? '',
    label: (key) => key,
  };
}

export type Groups = Map<string, Observation[]>;

/** Observations by group, in the order of the keys. */
export function grouped(observations: readonly Observation[], grouping: Grouping): Groups {
  const groups: Groups = new Map();
  const keys = [...new Set(observations.map((each) => grouping.keyOf(each)))].sort((a, b) => (a < b ? -1 : 1));
  for (const key of keys)
    groups.set(
      key,
      observations.filter((each) => grouping.keyOf(each) === key),
    );
  return groups;
}

/** Rounds half away from zero as spreadsheets do, by the decimal digits that people see. */
export function roundTo(value: number, decimals: number): number {
  const scale = 10 ** decimals;
  // Fifteen digits are what a spreadsheet computes with: 1.005 × 100 counts as 100.5.
  const rounded = Math.round(Number((Math.abs(value) * scale).toPrecision(15))) / scale;
  return value < 0 && rounded !== 0 ? -rounded : rounded;
}

export const valuesOf = (observations: readonly Observation[], measure: string): number[] =>
  observations.map((each) => each.values[measure] ?? 0);

export const total = (observations: readonly Observation[], measure: string): number =>
  roundTo(
    valuesOf(observations, measure).reduce((sum, value) => sum + value, 0),
    2,
  );

/** Grain of the groups of an outcome: a roll-up goes one step up. */
export const grainFor = (source: Source, outcome: string): Grain | null =>
  outcome === 'quarter-rollup' && source.grain === 'month' ? 'quarter' : source.grain;
