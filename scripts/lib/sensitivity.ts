import { memoryReader } from '@cua-forge/checks/file-readers';
import { compiledMusts, judgeOf } from '@cua-forge/proof/judge';
import { sensitivityStep } from '@cua-forge/proof/steps/sensitivity';
import { readSubject } from '@cua-forge/proof/subject';
import type { OfficePort } from '@cua-forge/spec/kind';
import type { GeneratedTask } from './generate-task.ts';
import { expectedState, preparedState } from './prove-task.ts';

/** Ten times what a proof tries. */
const most = { given: 320, kept: 60 };

/** Which values of the expected files no must criterion looks at, in words. */
export async function sensitivityProblems(task: GeneratedTask, office: Pick<OfficePort, 'convert'>): Promise<string[]> {
  const subject = await readSubject(task.pack, task.read);
  const context = { office, signal: new AbortController().signal, progress: () => undefined };
  const [before, after] = [preparedState(task), await expectedState(task)];
  const files = task.hidden.expected.flatMap(({ path }) => {
    const bytes = after.get(path);
    return bytes === undefined ? [] : [{ path, before: before.get(path) ?? null, after: bytes, saved: null }];
  });
  const judge = judgeOf(subject, compiledMusts(subject), context);
  const lines = await sensitivityStep(subject, files, memoryReader(after), judge, most);
  return lines.flatMap(({ check, ok, detail }) => (ok ? [] : [`not so: ${check}: ${detail}`]));
}
