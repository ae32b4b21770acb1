import { ForgeError } from '@cua-forge/spec/errors';
import type { ProofLine } from '@cua-forge/spec/proof';

const MOST_PROBLEMS = 6;

/** A line that holds when there are no problems. */
export const line = (check: string, problems: readonly string[], good: string): ProofLine => ({
  check,
  ok: problems.length === 0,
  detail: problems.length === 0 ? good : problems.slice(0, MOST_PROBLEMS).join('; ').slice(0, 1_500),
});

/** What a step stops with when going on makes no sense. */
export class StepFailed extends Error {
  override readonly name = 'StepFailed';
  constructor(readonly lines: ProofLine[]) {
    super(lines.map(({ detail }) => detail).join('; '));
  }
}

/** Errors that say something about the machine, not about the package: a proof ends with them. */
const ofTheMachine = new Set([
  'sandbox.unavailable',
  'sandbox.lost',
  'tool.missing',
  'node.cancelled',
  'artifact.missing',
  'artifact.corrupt',
  'internal',
]);

/** The message of an error that the package has caused; others are thrown on. */
export function packageFault(thrown: unknown): string {
  if (thrown instanceof ForgeError && !ofTheMachine.has(thrown.code)) return thrown.message;
  throw thrown;
}
