import { finishedFile } from '../plant.ts';
import type { Fault } from './fault.ts';

export const solutionFaults: readonly Fault[] = [
  {
    kind: 'the solution does not run',
    plant: (draft) => {
      const entry = draft.solution?.solution.run.entry ?? '';
      draft.solution?.files.set(entry, 'import nothing_of_that_name\n');
      return draft.solution !== null;
    },
  },
  {
    kind: 'a mutant is the solution itself',
    plant: (draft) => {
      const solution = draft.solution?.solution;
      const mutant = solution?.mutants[0];
      if (solution === undefined || mutant === undefined) return false;
      mutant.run = solution.run;
      mutant.after = 'setup';
      return true;
    },
  },
  {
    kind: 'a must criterion has no mutant',
    plant: (draft) => draft.solution?.solution.mutants.pop() !== undefined,
  },
  {
    kind: 'there is no solution',
    plant: (draft) => {
      draft.solution = null;
      return true;
    },
  },
  {
    kind: 'the solution carries the finished file in its text',
    plant: async (draft) => {
      const finished = await finishedFile(draft);
      if (finished === null || draft.solution === null) return false;
      const { solution, files } = draft.solution;
      const data = Buffer.from(finished.bytes).toString('base64');
      files.set('brought.py', `import base64\nopen("${finished.path}", "wb").write(base64.b64decode("${data}"))\n`);
      solution.run = { how: 'script', language: 'python', entry: 'brought.py', args: [], timeoutSeconds: 60 };
      return true;
    },
  },
  {
    kind: 'the solution copies a finished file that lies beside it',
    plant: async (draft) => {
      const finished = await finishedFile(draft);
      if (finished === null || draft.solution === null) return false;
      const { solution, files } = draft.solution;
      draft.others.set('hidden/solution/finished.bin', finished.bytes);
      files.set(
        'copied.py',
        `import os, shutil\nshutil.copy(os.environ["SOLUTION_FOLDER"] + "/finished.bin", "${finished.path}")\n`,
      );
      solution.run = { how: 'script', language: 'python', entry: 'copied.py', args: [], timeoutSeconds: 60 };
      return true;
    },
  },
  {
    kind: 'a mutant does not run',
    plant: (draft) => {
      const mutant = draft.solution?.solution.mutants[0];
      if (mutant === undefined) return false;
      mutant.run = { how: 'script', language: 'bash', entry: 'broken.sh', args: [], timeoutSeconds: 60 };
      draft.solution?.files.set('broken.sh', 'exit 3\n');
      return true;
    },
  },
  {
    kind: 'mutants are those of other criteria',
    plant: (draft) => {
      const [one, other] = draft.solution?.solution.mutants ?? [];
      if (one === undefined || other === undefined) return false;
      [one.criterion, other.criterion] = [other.criterion, one.criterion];
      return true;
    },
  },
  {
    kind: 'a mutant spoils everything',
    plant: async (draft) => {
      const finished = await finishedFile(draft);
      const mutant = draft.solution?.solution.mutants[0];
      if (finished === null || mutant === undefined) return false;
      mutant.run = { how: 'script', language: 'bash', entry: 'spoil.sh', args: [], timeoutSeconds: 60 };
      draft.solution?.files.set('spoil.sh', `rm -f '${finished.path}'\n`);
      return (draft.solution?.solution.mutants.length ?? 0) > 1;
    },
  },
];
