import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CheckFile } from '@cua-forge/spec/check';
import { compileChecks } from '@cua-forge/spec/check-compile';
import { ForgeError } from '@cua-forge/spec/errors';
import { Rubric } from '@cua-forge/spec/task';
import { evaluateChecks, scoreRubric } from '../evaluate.ts';
import type { LookContext } from '../look.ts';

/** One criterion with what its check saw. */
export interface CheckedCriterion {
  id: string;
  must: boolean;
  weight: number;
  ok: boolean;
  evidence: string[];
}

export interface PackageScore {
  /** 1 when every must criterion that has a check holds, else 0. */
  reward: 0 | 1;
  /** Share of the weight of the criteria with a check that hold. */
  score: number;
  criteria: CheckedCriterion[];
  /** Criteria that only a judge can decide. */
  open: string[];
}

/**
 * Judges the state of a place by the executable checks of a task package.
 * @throws ForgeError `input.invalid` when the package has no checks, `tool.missing` for what the place cannot tell
 */
export async function checkPackage(
  { folder, rubric: rubricFile }: { folder: string; rubric: string },
  place: Omit<LookContext, 'references'>,
): Promise<PackageScore> {
  const json = async (file: string): Promise<unknown> => {
    const text = await readFile(file, 'utf8').catch((cause: unknown) => {
      throw new ForgeError('input.invalid', `There is no ${file}: this task has no executable checks.`, { cause });
    });
    return JSON.parse(text);
  };
  const rubric = Rubric.parse(await json(rubricFile));
  const checks = CheckFile.parse(await json(join(folder, 'hidden/checks.json')));
  const references = new Map<string, Uint8Array>();
  const referenceFolder = join(folder, 'hidden/references');
  for (const name of await readdir(referenceFolder).catch(() => []))
    references.set(name, new Uint8Array(await readFile(join(referenceFolder, name))));
  const results = await evaluateChecks(compileChecks(checks), { ...place, references });
  const { score, mustsPassed, open } = scoreRubric(rubric, results);
  return {
    reward: mustsPassed ? 1 : 0,
    score,
    criteria: rubric.criteria.flatMap(({ id, must, weight, check }) => {
      const result = results.get(check ?? '');
      if (result === undefined) return [];
      const evidence = result.evidence.map(
        ({ where, expected, seen, held }) => `${held}: ${where}: ${expected}, seen ${seen}`,
      );
      return [{ id, must, weight, ok: result.ok, evidence }];
    }),
    open,
  };
}
