import type { ProofLine } from '@cua-forge/spec/proof';
import type { SolutionFile } from '@cua-forge/spec/solution';
import { runSolution } from '../desk/run-solution.ts';
import type { Desk } from '../ground.ts';
import type { Judge } from '../judge.ts';
import { line, packageFault } from '../lines.ts';
import { type Subject, solutionFiles } from '../subject.ts';
import { nameOf } from '../targets.ts';

/** The reference solution runs, passes every must criterion, and has made what it leaves. */
export async function solutionStep(
  subject: Subject,
  { run, through }: SolutionFile,
  desk: Desk,
  targets: readonly string[],
  judge: Judge,
  signal: AbortSignal,
): Promise<ProofLine[]> {
  try {
    await runSolution(desk.sandbox, run, solutionFiles(subject), signal);
  } catch (thrown) {
    return [line('the solution runs', [packageFault(thrown)], '')];
  }
  const { passed, failed, places } = await judge(desk.state);
  return [
    line(
      `the solution (${through}) passes every must criterion`,
      failed.map((id) => `${id}: ${places.get(id)}`),
      `${passed.length} pass`,
    ),
    await isMade(subject, desk, targets),
  ];
}

/** What the solution leaves is made, not brought along. */
async function isMade({ files }: Subject, { state }: Desk, targets: readonly string[]): Promise<ProofLine> {
  const brought = [...files].filter(([path, bytes]) => path.startsWith('hidden/') && bytes.length > 32);
  const problems: string[] = [];
  for (const target of targets) {
    const left = await state.readFile(target);
    const from = left === null ? undefined : brought.find(([, bytes]) => Buffer.from(bytes).equals(left))?.[0];
    if (from !== undefined) problems.push(`${nameOf(target)} is a copy of ${from}`);
  }
  return line('the solution makes what it leaves', problems, `${targets.length} files`);
}
