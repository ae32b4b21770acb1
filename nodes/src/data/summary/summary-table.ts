import type { Cell, ColumnType } from '@cua-forge/spec/task';
import type { Random } from '../random.ts';
import { type Grouping, type Groups, total } from './groups.ts';

/** A summary that somebody could ask for, worked out. */
export interface SummaryTable {
  /** Kind of outcome, for diversity counts: what is worked out, without names and numbers. */
  kind: string;
  columns: { heading: string; type: ColumnType; percent?: boolean }[];
  rows: Cell[][];
  answers: { label: string; value: string | number }[];
  /** What the summary shows, after “a summary that shows”. */
  shows: string;
  /** Which rows there are, and in what order. */
  rowsText: string;
  /** How the values are worked out; no values of its own. */
  valuesText: string;
  /** Names from the data, and limits, that the instruction has to mention. */
  mentions: string[];
  /** How the values were computed, for a person. */
  derivation: string;
}

export interface SummaryRequest {
  groups: Groups;
  grouping: Grouping;
  measure: string;
  /** A second measure; the same as `measure` where there is one only. */
  other: string;
  /** Categories across, for a pivot or a filter. */
  across: { dimension: string; values: string[] } | undefined;
  random: Random;
}

/** Works out one kind of summary. */
export type Build = (request: SummaryRequest) => SummaryTable;

/** Order of the rows, in words. */
export const order = ({ grouping }: SummaryRequest) =>
  grouping.time ? 'in calendar order' : `in alphabetical order of ${grouping.heading}`;
/** The usual rows, in words. */
export const everyGroup = (request: SummaryRequest) =>
  `one row for each ${request.grouping.word} that occurs in the data, ${order(request)}`;
/** The column that names the groups. */
export const labelColumn = ({ grouping }: SummaryRequest) =>
  ({ heading: grouping.heading, type: grouping.heading === 'Year' ? 'integer' : 'text' }) as const;
/** A column of numbers. */
export const amount = (heading: string) => ({ heading, type: 'number' }) as const;
/** The total of each group, in the order of the keys. */
export const totalsOf = ({ groups, grouping, measure }: SummaryRequest) =>
  [...groups].map(([key, members]) => ({ key, label: grouping.label(key), members, value: total(members, measure) }));
/** “Total Revenue”; a measure that is called a total already keeps its name. */
export const totalOf = (measure: string) => (/^total\b/i.test(measure) ? measure : `Total ${measure}`);
/** The same in running text. */
export const sumOf = (measure: string) => (/^total\b/i.test(measure) ? measure : `total ${measure}`);
/** A hidden answer. */
export const answer = (what: string, label: string | number, value: number) => ({
  label: `${what} of ${label}`,
  value,
});
