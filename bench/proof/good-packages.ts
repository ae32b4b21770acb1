import { sampleTask, type TaskDraft } from '@cua-forge/proof/testing/sample-task';
import { skillNames, taskGenerator } from '../../scripts/lib/generate-task.ts';
import { draftOf } from './draft-of.ts';

/** A sound package, made anew each time, so that a fault may be planted in it. */
export interface GoodPackage {
  name: string;
  draft(): Promise<TaskDraft>;
}

/** The small package of the tests, and one of each shipped skill from each seed, without a model. */
export function goodPackages(seeds: readonly number[]): GoodPackage[] {
  const skills = skillNames().map((skill) => ({ skill, generate: taskGenerator(skill) }));
  const shipped = seeds.flatMap((seed) =>
    skills.map(({ skill, generate }): GoodPackage => {
      let made: ReturnType<typeof generate> | undefined;
      return {
        name: `${skill} ${seed}`,
        async draft() {
          made ??= generate(seed);
          const { pack, read } = await made;
          return draftOf(pack, read);
        },
      };
    }),
  );
  return [{ name: 'sample', draft: sampleTask }, ...shipped];
}
