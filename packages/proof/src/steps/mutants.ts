import type { ProofLine } from '@cua-forge/spec/proof';
import type { SolutionMutant } from '@cua-forge/spec/solution';
import { type KeptFiles, restoreFiles } from '../desk/home-files.ts';
import { runSolution } from '../desk/run-solution.ts';
import type { Desk } from '../ground.ts';
import type { Judge } from '../judge.ts';
import { line, packageFault } from '../lines.ts';

export interface MutantStep {
  desk: Desk;
  roots: readonly string[];
  /** Files as the setup and as the solution has left them. */
  prepared: KeptFiles;
  solved: KeptFiles;
  /** A prepared desktop that nobody has used, for mutants that work with mouse and keyboard: applications keep more than files. */
  fresh<T>(work: (desk: Desk) => Promise<T>): Promise<T>;
  files: ReadonlyMap<string, Uint8Array>;
  judge: Judge;
  signal: AbortSignal;
  progress(done: number): void;
}

/** What a mutant leaves fails its criterion and no other. */
export async function mutantsStep(mutants: readonly SolutionMutant[], step: MutantStep): Promise<ProofLine[]> {
  const lines: ProofLine[] = [];
  for (const [index, mutant] of mutants.entries()) {
    step.progress(index);
    lines.push(await tryMutant(mutant, step));
  }
  return lines.length > 0 ? lines : [line('mutants', [], 'there are none')];
}

async function tryMutant(mutant: SolutionMutant, step: MutantStep): Promise<ProofLine> {
  return mutant.run.how === 'actions'
    ? step.fresh((desk) => judgedMutant(mutant, desk, step))
    : judgedMutant(mutant, step.desk, step);
}

async function judgedMutant(mutant: SolutionMutant, desk: Desk, step: MutantStep): Promise<ProofLine> {
  const { roots, prepared, solved, files, judge, signal } = step;
  const { criterion, doc } = mutant;
  await restoreFiles(desk.sandbox, roots, mutant.after === 'setup' ? prepared : solved, signal);
  try {
    await runSolution(desk.sandbox, mutant.run, files, signal);
  } catch (thrown) {
    return line(`mutant of ${criterion}`, [`it did not run: ${packageFault(thrown)}`], '');
  }
  const { failed, places } = await judge(desk.state);
  const others = failed.filter((id) => id !== criterion);
  return line(
    `mutant of ${criterion}`,
    [
      ...(failed.includes(criterion) ? [] : [`${criterion} passes (${doc})`]),
      ...others.map((id) => `${id} fails as well: ${places.get(id)}`),
    ],
    `it fails alone: ${doc}`,
  );
}
