import { readSubject } from '@cua-forge/proof/subject';
import type { TaskDraft } from '@cua-forge/proof/testing/sample-task';
import type { TaskPackage } from '@cua-forge/spec/task';
import type { FileValue } from '@cua-forge/spec/value';

/** A finished package as a draft again, so that a fault can be planted and the package put together anew. */
export async function draftOf(made: TaskPackage, read: (file: FileValue) => Promise<Uint8Array>): Promise<TaskDraft> {
  const subject = await readSubject(made, read);
  const { files: _files, ...manifest } = made.manifest;
  const texts = new Map<string, string>();
  for (const [path, bytes] of subject.files)
    if (path.startsWith('hidden/solution/') && path !== 'hidden/solution/solution.json')
      texts.set(path.slice('hidden/solution/'.length), new TextDecoder().decode(bytes));
  const known = /^(?:instruction\.md|rubric\.json|setup\/|files\/|hidden\/(?:expected\.json|checks\.json|solution\/))/;
  return {
    manifest,
    instruction: subject.instruction.trim(),
    rubric: subject.rubric,
    operations: subject.operations,
    script: null,
    checks: [...subject.checks],
    hidden: subject.hidden ?? { answers: [], expected: [], derivation: '' },
    solution: subject.solution === null ? null : { solution: subject.solution, files: texts },
    files: new Map(
      made.manifest.files.map(({ path, sandboxPath }) => [sandboxPath, subject.files.get(path) ?? new Uint8Array()]),
    ),
    others: new Map([...subject.files].filter(([path]) => !known.test(path))),
  };
}
