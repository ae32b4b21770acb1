import { evaluateChecks } from '@cua-forge/checks/evaluate';
import { memoryReader } from '@cua-forge/checks/file-readers';
import { writeDocx } from '@cua-forge/preparers/write-docx';
import { writeXlsx } from '@cua-forge/preparers/write-xlsx';
import { compileChecks } from '@cua-forge/spec/check-compile';
import type { OfficePort } from '@cua-forge/spec/kind';
import type { HiddenAnswers, RequiredFile } from '@cua-forge/spec/task';
import type { GeneratedTask } from './generate-task.ts';

export type State = ReadonlyMap<string, Uint8Array>;
type Office = Pick<OfficePort, 'convert'>;

/** Which checks hold on the files of a state, and for those that do not, what was seen. */
export async function checked(
  hidden: HiddenAnswers,
  state: State,
  office: Office,
): Promise<Map<string, { ok: boolean; failed: string[] }>> {
  const results = await evaluateChecks(compileChecks({ schema: 1, checks: hidden.checks ?? [] }), {
    reader: memoryReader(state),
    office,
    signal: new AbortController().signal,
  });
  return new Map(
    [...results].map(([id, { ok, evidence }]) => [
      id,
      {
        ok,
        failed: evidence.flatMap(({ held, where, expected, seen }) =>
          held === 'yes' ? [] : [`${where}: ${expected}, seen ${seen}`],
        ),
      },
    ]),
  );
}

/** The files as the user finds them. */
export const preparedState = (task: GeneratedTask): Map<string, Uint8Array> =>
  new Map(task.spec.files.map((file) => [file.path, task.prepared(file.id)]));

async function written(file: RequiredFile): Promise<Uint8Array> {
  if (file.type === 'xlsx') return writeXlsx(file.content);
  if (file.type === 'docx') return writeDocx(file.content);
  throw new Error(`no ${file.type} is expected`);
}

/** The files as the preparers write what is expected, with the files of a variant in place of their own. */
export async function expectedState(task: GeneratedTask, changed: readonly RequiredFile[] = []): Promise<State> {
  const state = preparedState(task);
  for (const file of [...task.hidden.expected, ...changed]) state.set(file.path, await written(file));
  return state;
}

/**
 * What is wrong with the checks of a task, in words; empty when each fails on the prepared files, all hold on the expected ones, and each
 * variant of these fails the check of its own requirement alone.
 */
export async function contentProblems(task: GeneratedTask, office: Office): Promise<string[]> {
  const { hidden, spec } = task;
  const problems: string[] = [];
  const musts = spec.outcome.requirements.filter(({ must }) => must).map(({ id }) => id);
  const has = new Set((hidden.checks ?? []).map(({ id }) => id));
  const varied = new Set((hidden.variants ?? []).map(({ requirement }) => requirement));
  problems.push(...musts.filter((id) => !has.has(id)).map((id) => `${id} has no check`));
  problems.push(...musts.filter((id) => !varied.has(id)).map((id) => `${id} has no variant`));
  if (has.size === 0) return problems;
  // All at once, so that an office that gathers conversions makes them together.
  const [before, after, ...varieties] = await Promise.all([
    checked(hidden, preparedState(task), office),
    expectedState(task).then((state) => checked(hidden, state, office)),
    ...(hidden.variants ?? []).map(async ({ expected }) =>
      checked(hidden, await expectedState(task, expected), office),
    ),
  ]);
  for (const [id, { ok }] of before) if (ok) problems.push(`${id} holds on the prepared files`);
  for (const [id, { ok, failed }] of after)
    if (!ok) problems.push(`${id} fails on the expected files: ${failed.join('; ')}`);
  varieties.forEach((results, index) => {
    const requirement = hidden.variants?.[index]?.requirement;
    for (const [id, { ok, failed }] of results)
      if (ok === (id === requirement))
        problems.push(`the variant of ${requirement} ${ok ? `passes ${id}` : `fails ${id}: ${failed.join('; ')}`}`);
  });
  return problems;
}
