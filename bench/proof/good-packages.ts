import { type BuiltTask, sampleTask, type TaskDraft } from '@cua-forge/proof/testing/sample-task';
import { draftOf } from './draft-of.ts';
import { generateTask } from './generated.ts';

/** A sound package, made anew each time, so that a fault may be planted in it. */
export interface GoodPackage {
  name: string;
  draft(): Promise<TaskDraft>;
}

export const shippedSkills = [
  'calc-conditional-formatting',
  'calc-cross-sheet-lookup',
  'calc-monthly-summary',
  'calc-pdf-reconcile',
  'writer-policy-restyle',
] as const;

/** The small package of the tests, and one of each shipped skill from a seed, without a model. */
export function goodPackages(seeds: readonly number[]): GoodPackage[] {
  const skills = seeds.flatMap((seed) =>
    shippedSkills.map((skill): GoodPackage => {
      let made: Promise<BuiltTask> | undefined;
      return {
        name: `${skill} ${seed}`,
        async draft() {
          made ??= generateTask(skill, seed);
          const task = await made;
          return draftOf(task.package, task.read);
        },
      };
    }),
  );
  return [{ name: 'sample', draft: sampleTask }, ...skills];
}
