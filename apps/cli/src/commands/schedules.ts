import type { ApiClient } from '@cua-forge/api-client/api-client';
import type { ChangeSchedule, CreateSchedule, ScheduleView, Timing } from '@cua-forge/spec/schedule';
import { exitCodes } from './exit-code.ts';
import { type Output, printResult, tableText } from './output.ts';

const timingText = (timing: Timing): string =>
  'cron' in timing ? `${timing.cron} (${timing.timeZone})` : `every ${timing.everySeconds} s`;
const versionText = ({ part, revision }: ScheduleView['schedule']): string =>
  [part.revision ?? '', typeof revision === 'string' ? `(${revision})` : ''].join(' ').trim();
const timeText = (at: number | undefined): string => (at === undefined ? '' : new Date(at).toISOString());

const tableOf = (views: readonly ScheduleView[]): string =>
  tableText(
    ['schedule', 'title', 'revision', 'when', 'state', 'next', 'begun'],
    views.map(({ schedule, situation }) => [
      schedule.id,
      schedule.title,
      versionText(schedule),
      timingText(schedule.timing),
      situation === null ? 'not in Temporal' : situation.paused ? 'paused' : 'active',
      situation?.paused === true ? '' : timeText(situation?.next[0]),
      String(schedule.fired),
    ]),
  );

export async function createSchedule(api: ApiClient, output: Output, wanted: CreateSchedule): Promise<number> {
  printResult(output, await api.createSchedule(wanted), (view) => tableOf([view]));
  return exitCodes.done;
}

export async function changeSchedule(
  api: ApiClient,
  output: Output,
  id: string,
  change: ChangeSchedule,
): Promise<number> {
  printResult(output, await api.changeSchedule(id, change), (view) => tableOf([view]));
  return exitCodes.done;
}

export async function listSchedules(api: ApiClient, output: Output): Promise<number> {
  const { schedules } = await api.schedules({});
  printResult(output, schedules, (all) => (all.length === 0 ? 'There are no schedules.' : tableOf(all)));
  return exitCodes.done;
}

export async function showSchedule(api: ApiClient, output: Output, id: string): Promise<number> {
  printResult(output, await api.schedule(id), (view) =>
    [
      tableOf([view]),
      ...(view.situation?.next ?? []).slice(0, 5).map((at) => `next    ${timeText(at)}`),
      ...(view.situation?.recent ?? []).map(({ at, batchId }) => `began   ${timeText(at)}  ${batchId ?? 'no batch'}`),
    ].join('\n'),
  );
  return exitCodes.done;
}

export async function steerSchedule(
  api: ApiClient,
  output: Output,
  id: string,
  how: 'pauseSchedule' | 'resumeSchedule' | 'triggerSchedule',
): Promise<number> {
  printResult(output, await api[how](id), (view) => tableOf([view]));
  return exitCodes.done;
}

export async function deleteSchedule(api: ApiClient, output: Output, id: string): Promise<number> {
  printResult(output, await api.deleteSchedule(id), () => `Schedule ${id} has ended; batches that it began go on.`);
  return exitCodes.done;
}
