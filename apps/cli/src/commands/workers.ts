import type { ApiClient } from '@cua-forge/api-client/api-client';
import type { WorkersView } from '@cua-forge/spec/operations';
import { exitCodes } from './exit-code.ts';
import { type Output, printResult, tableText } from './output.ts';

/** Prints queues, workers, builds and activities in trouble. Exit code 1 when a queue has nobody who serves it. */
export async function showWorkers(api: ApiClient, output: Output, examine: number, now: number): Promise<number> {
  const view = await api.workers({ examine });
  printResult(output, view, () => workersText(view, now));
  return view.queues.some(({ workers }) => workers.length === 0) ? exitCodes.failed : exitCodes.done;
}

export async function setCurrentBuild(api: ApiClient, output: Output, build: string): Promise<number> {
  await api.setCurrentBuild({ build });
  printResult(output, { build }, () => `New runs start on build ${build}; open runs stay on theirs.`);
  return exitCodes.done;
}

const ago = (milliseconds: number): string => {
  const seconds = Math.max(0, Math.round(milliseconds / 1_000));
  return seconds < 120 ? `${seconds} s` : `${Math.round(seconds / 60)} min`;
};

export function workersText(view: WorkersView, now: number): string {
  const { queues, builds, problems, examined, open } = view;
  const parts = [
    tableText(
      ['queue', 'waiting', 'oldest', 'in/s', 'out/s', 'workers'],
      queues.map((one) => [
        one.queue,
        String(one.backlog),
        one.backlog === 0 ? '–' : ago(one.backlogAgeMs),
        one.addedPerSecond.toFixed(1),
        one.takenPerSecond.toFixed(1),
        one.workers.length === 0 ? 'NONE' : String(one.workers.length),
      ]),
    ),
  ];
  const names = [...new Set(queues.flatMap(({ workers }) => workers.map(({ identity }) => identity)))].sort();
  if (names.length > 0) {
    const seen = names.map((name) => {
      const at = queues.flatMap(({ queue, workers }) =>
        workers.filter(({ identity }) => identity === name).map((worker) => ({ queue, ...worker })),
      );
      const last = Math.max(...at.map(({ lastSeen }) => lastSeen));
      return [name, at[0]?.build ?? '–', `${ago(now - last)} ago`, at.map(({ queue }) => queue).join(', ')];
    });
    parts.push(tableText(['worker', 'build', 'last seen', 'serves'], seen));
  }
  if (builds.length > 0)
    parts.push(
      tableText(
        ['build', 'status', 'since'],
        builds.map(({ build, status, createdAt }) => [build, status, new Date(createdAt).toISOString()]),
      ),
    );
  parts.push(
    problems.length === 0
      ? `No activity is in trouble in the ${examined} newest of ${open} open workflows.`
      : tableText(
          ['run', 'activity', 'queue', 'try', 'waiting', 'last failure'],
          problems.map((one) => [
            one.runId ?? one.workflowId,
            one.activity,
            one.queue,
            one.attempts === 0 ? String(one.attempt) : `${one.attempt} of ${one.attempts}`,
            ago(now - one.scheduledAt),
            one.failure ?? 'no worker took it up',
          ]),
        ),
  );
  return parts.join('\n\n');
}
