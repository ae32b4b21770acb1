import { createSchedule, deleteSchedule, viewSchedule, viewSchedules } from '@cua-forge/server/schedules/schedules';
import { CreateSchedule, type ScheduleView } from '@cua-forge/spec/schedule';
import { sha256 } from '@cua-forge/store/hash';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { type Engine, startEngine } from '../support/engine-fixture.ts';
import { documentOf } from '../support/test-kinds.ts';

let engine: Engine;
beforeAll(async () => {
  engine = await startEngine({});
  const double = {
    ...{ id: 'double', kind: 'data.transform' },
    params: { expression: 'amount * 2', inputs: { amount: 'number' } },
  };
  const document = documentOf([double], [['$inputs.amount', 'double.amount']], {
    ...{ id: 'doubler', title: 'Doubler', skill: 'doubler' },
    inputs: { amount: { type: 'number' } },
  });
  const source = stringify(document);
  await engine.store.meta.saveDocument('doubler', 'Doubler', source, sha256(source), null, Date.now());
});
afterAll(() => engine.stop());

const make = (more: Partial<CreateSchedule>): Promise<ScheduleView> =>
  createSchedule(
    engine.services,
    CreateSchedule.parse({ documentId: 'doubler', inputs: { amount: 4 }, count: 2, seed: 5, ...more }),
    'ann',
  );
const again = async ({ schedule }: ScheduleView): Promise<ScheduleView> => {
  const record = await engine.store.meta.getSchedule(schedule.id);
  if (record === null) throw new Error('the schedule is gone');
  return viewSchedule(engine.services, record);
};
const { poll } = expect;

it('acts at the times of its zone', async () => {
  const made = await make({ timing: { cron: '30 6 * * 1-5', timeZone: 'Asia/Kolkata' } });
  const times = made.situation?.next.map((at) => new Date(at).toISOString().slice(11, 16));
  expect(times?.length).toBeGreaterThan(2);
  expect(new Set(times)).toEqual(new Set(['01:00']));
  expect(made).toMatchObject({ schedule: { title: 'Doubler', by: 'ann', fired: 0 }, situation: { paused: false } });
  expect((await viewSchedules(engine.services, 10)).map(({ schedule }) => schedule.id)).toContain(made.schedule.id);
});

it('begins a batch each turn, with the seeds that follow, also while it is paused', async () => {
  const { schedules } = engine.services.engine;
  const made = await make({ timing: { everySeconds: 86_400 }, paused: true });
  const { id } = made.schedule;
  expect(made.situation?.paused).toBe(true);
  for (const turn of [1, 2]) {
    await schedules.trigger(id);
    await poll(async () => (await engine.store.meta.getSchedule(id))?.fired, { timeout: 40_000 }).toBe(turn);
    // Temporal names turns by the second.
    const second = () => Math.floor(Date.now() / 1_000);
    await poll(second, { timeout: 5_000 }).toBeGreaterThan(second());
  }
  const batchIds = async () => (await again(made)).situation?.recent.flatMap(({ batchId }) => batchId ?? []) ?? [];
  await poll(async () => (await batchIds()).length, { timeout: 40_000 }).toBe(2);
  const batches = await Promise.all((await batchIds()).map((batch) => engine.store.meta.getBatch(batch)));
  expect(batches.map((batch) => batch?.parts[0]?.seed)).toEqual([7, 5]);
  for (const batch of batches) {
    const state = async () => (await engine.store.meta.getBatch(batch?.id ?? ''))?.state;
    await poll(state, { timeout: 40_000 }).toBe('succeeded');
    const runs = await engine.store.meta.listRuns({ batchId: batch?.id ?? '', limit: 9 });
    expect(runs.map((run) => run.state)).toEqual(['succeeded', 'succeeded']);
  }
  await schedules.pause(id, false);
  expect((await again(made)).situation).toMatchObject({ paused: false });
});

it('is made once for one key, refuses times that there are not, and leaves nothing when it is deleted', async () => {
  const timing = { cron: '@daily', timeZone: 'UTC' };
  const made = await make({ timing, idempotencyKey: 'once' });
  expect(await make({ timing, idempotencyKey: 'once' })).toEqual(made);
  const { length } = await engine.store.meta.listSchedules(50);
  await expect(make({ timing: { cron: '99 99 * * *', timeZone: 'UTC' } })).rejects.toMatchObject({
    code: 'input.invalid',
  });
  expect(await engine.store.meta.listSchedules(50)).toHaveLength(length);
  expect(
    CreateSchedule.safeParse({ documentId: 'd', timing: { cron: '@daily', timeZone: 'Mars/Base' } }),
  ).toMatchObject({
    success: false,
  });
  await deleteSchedule(engine.services, made.schedule.id);
  expect(await engine.services.engine.schedules.describe(made.schedule.id)).toBeNull();
  await expect(deleteSchedule(engine.services, made.schedule.id)).rejects.toMatchObject({ code: 'not-found' });
  await expect(engine.services.engine.schedules.trigger(made.schedule.id)).rejects.toMatchObject({ code: 'not-found' });
});
