import { checkFaults } from './faults/check-faults.ts';
import { contentFaults } from './faults/content-faults.ts';
import type { Fault } from './faults/fault.ts';
import { readingFaults } from './faults/reading-faults.ts';
import { setupFaults } from './faults/setup-faults.ts';
import { solutionFaults } from './faults/solution-faults.ts';

/** Kinds of broken packages. */
export const faults: readonly Fault[] = [
  ...setupFaults,
  ...contentFaults,
  ...readingFaults,
  ...checkFaults,
  ...solutionFaults,
];
