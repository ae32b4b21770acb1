import type { HandlersOf } from '../http/handlers.ts';
import { changeSchedule } from '../schedules/change-schedule.ts';
import { createSchedule, deleteSchedule, findSchedule, viewSchedule, viewSchedules } from '../schedules/schedules.ts';
import type { Services } from '../services.ts';

type Names =
  | 'createSchedule'
  | 'schedules'
  | 'schedule'
  | 'changeSchedule'
  | 'pauseSchedule'
  | 'resumeSchedule'
  | 'triggerSchedule'
  | 'deleteSchedule';

export function scheduleRoutes(services: Services): HandlersOf<Names> {
  const { engine } = services;
  const after = async (id: string, act: () => Promise<void>) => {
    const schedule = await findSchedule(services, id);
    await act();
    return viewSchedule(services, schedule);
  };
  return {
    createSchedule: ({ body, user }) => createSchedule(services, body, user?.name ?? ''),
    schedules: async ({ query }) => ({ schedules: await viewSchedules(services, query.limit) }),
    schedule: ({ params: { id } }) => after(id, async () => undefined),
    changeSchedule: ({ params: { id }, body }) => changeSchedule(services, id, body),
    pauseSchedule: ({ params: { id } }) => after(id, () => engine.schedules.pause(id, true)),
    resumeSchedule: ({ params: { id } }) => after(id, () => engine.schedules.pause(id, false)),
    triggerSchedule: ({ params: { id } }) => after(id, () => engine.schedules.trigger(id)),
    deleteSchedule: async ({ params }) => {
      await deleteSchedule(services, params.id);
      return { ok: true };
    },
  };
}
