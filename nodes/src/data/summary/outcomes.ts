import { aboveThreshold, averageAndCount, largestEntry, twoMeasures } from './outcomes-of-entries.ts';
import { oneCategory, pivot, quarterRollup, ranked, share, top, totals } from './outcomes-of-totals.ts';
import { changeOnPrevious, runningTotal } from './outcomes-over-time.ts';
import type { Build } from './summary-table.ts';

/** Every kind of summary by the name that profiles use. */
export const outcomeBuilders: Record<string, Build> = {
  totals,
  pivot,
  top,
  'average-and-count': averageAndCount,
  'above-threshold': aboveThreshold,
  ranked,
  share,
  'largest-entry': largestEntry,
  'one-category': oneCategory,
  'running-total': runningTotal,
  'change-on-previous': changeOnPrevious,
  'two-measures': twoMeasures,
  'quarter-rollup': quarterRollup,
};
