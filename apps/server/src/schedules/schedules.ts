import { Budget } from '@cua-forge/spec/budget';
import { ForgeError } from '@cua-forge/spec/errors';
import { listedAt } from '@cua-forge/spec/listed-at';
import type { CreateSchedule, ScheduleRecord, ScheduleView } from '@cua-forge/spec/schedule';
import pLimit from 'p-limit';
import { partOf } from '../batches/start-batch.ts';
import { newId } from '../runs/start-run.ts';
import type { Services } from '../services.ts';

/** Questions to the engine at once. */
const askedAtOnce = 8;

/** @throws ForgeError `not-found` */
export async function findSchedule({ store }: Services, id: string): Promise<ScheduleRecord> {
  const schedule = await store.meta.getSchedule(id);
  if (schedule !== null) return schedule;
  throw new ForgeError('not-found', `There is no schedule "${id}".`, { fix: listedAt('schedules') });
}

/** With the situation that the engine tells; batches that were never made or are deleted are not named. */
export async function viewSchedule({ store, engine }: Services, schedule: ScheduleRecord): Promise<ScheduleView> {
  const situation = await engine.schedules.describe(schedule.id);
  if (situation === null) return { schedule, situation };
  const recent = await Promise.all(
    situation.recent.map(async ({ at, batchId }) => ({
      at,
      batchId: batchId === null || (await store.meta.getBatch(batchId)) === null ? null : batchId,
    })),
  );
  return { schedule, situation: { ...situation, recent } };
}

export async function viewSchedules(services: Services, limit: number): Promise<ScheduleView[]> {
  const few = pLimit(askedAtOnce);
  const schedules = await services.store.meta.listSchedules(limit);
  return Promise.all(schedules.map((schedule) => few(() => viewSchedule(services, schedule))));
}

/**
 * Freezes the document and its inputs, and hands the times to the engine. One idempotency key makes one schedule.
 * @throws ForgeError `document.invalid` with findings, `input.invalid`, `temporal.unreachable`
 */
export async function createSchedule(services: Services, request: CreateSchedule, by: string): Promise<ScheduleView> {
  const { documentId, revision = 'published', inputs, count, seed, timing, overlap, window, advance, paused } = request;
  const prove = request.prove ?? false;
  const part = await partOf(services, { documentId, revision, inputs, count, seed, prove });
  const id = newId('s', request.idempotencyKey);
  const record: ScheduleRecord = {
    ...{ id, title: request.title ?? part.title, timing, overlap, part, window, advance, by },
    ...{ revision, prove, given: Object.keys(inputs) },
    budget: request.budget ?? Budget.parse({}),
    fired: 0,
    createdAt: services.now(),
  };
  const earlier = await services.store.meta.getSchedule(id);
  // The record comes first: a turn without it would find nothing to do.
  await services.store.meta.createSchedule(record);
  try {
    await services.engine.schedules.create(record, paused);
  } catch (thrown) {
    if (earlier === null) await services.store.meta.deleteSchedule(id);
    throw thrown;
  }
  return viewSchedule(services, earlier ?? record);
}

/** Ends a schedule; batches that it has begun go on. */
export async function deleteSchedule(services: Services, id: string): Promise<void> {
  await findSchedule(services, id);
  try {
    await services.engine.schedules.delete(id);
  } catch (thrown) {
    if (!(thrown instanceof ForgeError) || thrown.code !== 'not-found') throw thrown;
  }
  await services.store.meta.deleteSchedule(id);
}
