import type { Sheet } from '@cua-forge/spec/task';
import type { ConditionalRule } from '@cua-forge/spec/workbook-features';
import type { Columns } from '../columns/column-facts.ts';
import type { Random } from '../random.ts';

type Plain<T> = T extends { format: unknown } ? Omit<T, 'format'> : T;
/** A rule without its format. */
export type BareRule = Plain<ConditionalRule>;

/** One rule in words and as a conditional format. */
export interface RuleDraft {
  /** Label of what it looks at, without names or numbers. */
  kind: string;
  /** Columns it covers, as indexes into the table; a whole row covers all. */
  covers: { from: number; to: number };
  scope: 'cells' | 'rows';
  rule: BareRule;
  /** When it applies, as a clause that may follow “where”. For bars, scales and icons what is shown. */
  condition: string;
  /** Rows of the table that it highlights; null for bars, scales and icons, which colour all. */
  rows: boolean[] | null;
  mentions: string[];
  /** A cell outside the table that the rule reads its limit from. */
  limit?: { label: string; value: number };
}

export interface DraftContext {
  sheet: Sheet;
  columns: Columns;
  random: Random;
  /** Number of the table's first row on the sheet. */
  firstRow: number;
  /** Address of the cell for a limit, absolute, where there may be one. */
  limitCell: string;
}

/** Undefined where the data has nothing for this kind of rule. */
export type RuleBuilder = (context: DraftContext) => RuleDraft | undefined;

/** Whether a rule tells some rows from others. */
export const tells = (rows: readonly boolean[]): boolean => rows.some((row) => row) && rows.some((row) => !row);

export const covering = (index: number): RuleDraft['covers'] => ({ from: index, to: index });
export const wholeRow = (sheet: Sheet): RuleDraft['covers'] => ({ from: 0, to: sheet.columns.length - 1 });
