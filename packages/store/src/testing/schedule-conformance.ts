import type { ScheduleRecord } from '@cua-forge/spec/schedule';
import { expect, it } from 'vitest';
import type { ConformanceContext } from './conformance-context.ts';
import { sampleBatch, uniqueId } from './samples.ts';

const sample = (change: Partial<ScheduleRecord> = {}): ScheduleRecord => {
  const { parts, window, budget } = sampleBatch();
  const [part] = parts;
  if (part === undefined) throw new Error('the sample has a part');
  return {
    ...{ id: uniqueId('schedule'), title: 'Each morning', timing: { cron: '0 6 * * *', timeZone: 'Europe/Berlin' } },
    ...{ overlap: 'skip', part, window, budget, advance: true, fired: 0, by: 'ann', createdAt: 1_000 },
    ...change,
  };
};

export function scheduleConformance({ pair }: ConformanceContext): void {
  it('keeps schedules until they are deleted', async () => {
    const { one, two } = pair();
    const [old, recent] = [sample({ createdAt: 8e12 }), sample({ createdAt: 9e12 })];
    for (const record of [old, recent, { ...old, title: 'again' }]) await one.meta.createSchedule(record);
    expect(await two.meta.listSchedules(2)).toEqual([recent, old]);
    const changed = { ...old, title: 'Each evening', window: 3 };
    expect(await one.meta.updateSchedule(old.id, { title: 'Each evening', window: 3 })).toEqual(changed);
    expect(await two.meta.getSchedule(old.id)).toEqual(changed);
    expect(await two.meta.updateSchedule(uniqueId('none'), { window: 3 })).toBeNull();
    await two.meta.updateSchedule(old.id, old);
    await two.meta.deleteSchedule(recent.id);
    expect(await one.meta.getSchedule(recent.id)).toBeNull();
    expect(await one.meta.getSchedule(old.id)).toEqual(old);
  });

  it.each([
    [true, [7, 27]],
    [false, [7, 7]],
  ])('makes one batch for each turn; the seeds go on: %s', async (advance, seeds) => {
    const { one, two } = pair();
    const record = sample({ advance });
    await one.meta.createSchedule(record);
    const turns = [1, 2].map((at) => ({ id: uniqueId('batch'), workflowId: `batch/${at}`, at }));
    const made = [];
    for (const turn of turns) {
      const both = await Promise.all([one, two].map(({ meta }) => meta.fireSchedule(record.id, turn)));
      expect(both[0]).toEqual(both[1]);
      made.push(both[0]);
    }
    expect(made.map((batch) => batch?.parts[0]?.seed)).toEqual(seeds);
    expect(await one.meta.getBatch(turns[1]?.id ?? '')).toEqual(made[1]);
    expect(await one.meta.getSchedule(record.id)).toEqual({ ...record, fired: 2 });
    expect(await one.meta.fireSchedule(uniqueId('none'), { id: uniqueId('b'), workflowId: 'b', at: 1 })).toBeNull();
  });
}
