import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { ListeningOffices } from './listening-offices.ts';

it('a LibreOffice serves one program at a time, and no more are started than may be', async () => {
  const offices = new ListeningOffices('true', 2);
  const busy = new Map<string, number>();
  let most = 0;
  const work = async (pipe: string) => {
    busy.set(pipe, (busy.get(pipe) ?? 0) + 1);
    most = Math.max(most, ...busy.values());
    await sleep(5);
    busy.set(pipe, (busy.get(pipe) ?? 0) - 1);
  };
  await Promise.all(Array.from({ length: 9 }, () => offices.use(work)));
  expect(busy.size).toBe(2);
  expect(most).toBe(1);
  await offices.stop();
});

it('one whose program has failed is free again', async () => {
  const offices = new ListeningOffices('true', 1);
  await expect(offices.use(() => Promise.reject(new Error('it broke')))).rejects.toThrow('it broke');
  expect(await offices.use(async (pipe) => pipe.length)).toBeGreaterThan(4);
  await offices.stop();
});
