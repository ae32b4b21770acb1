import type { Kind } from '@cua-forge/spec/kind';
import { Verdict } from '@cua-forge/spec/kind';
import { runKind } from './run-kind.ts';

/** What a gate said: its verdict, the lines of evidence that failed, its feedback, and which ports it passed on. */
export async function judge(gate: Kind, options: Parameters<typeof runKind>[1] = {}) {
  const { verdict: said, ...passed } = await runKind(gate, options);
  const { verdict, evidence, feedback = '' } = Verdict.parse(said);
  const failed = evidence.filter(({ ok }) => !ok).map(({ check, detail }) => `${check}: ${detail}`);
  return { verdict, failed, feedback, passed: Object.keys(passed), checks: evidence.map(({ check }) => check) };
}
