import type { NewEvent } from '@cua-forge/spec/store-port';
import { expect, it } from 'vitest';
import { ProgressWriter } from './progress-writer.ts';

function writerOver(events: NewEvent[]): ProgressWriter {
  const meta = { addEvents: async (added: NewEvent[]) => void events.push(...added) };
  return new ProgressWriter({ meta } as unknown as ConstructorParameters<typeof ProgressWriter>[0]);
}

it('keeps the first lines of each execution, cut to a length, and says that there were more', async () => {
  const events: NewEvent[] = [];
  const writer = writerOver(events);
  for (let index = 0; index < 250; index += 1)
    writer.log('run', { key: 'ask', token: 1, level: 'info', line: `${index} ${'x'.repeat(3_000)}` });
  writer.log('run', { key: 'ask', token: 2, level: 'warn', line: 'once more' });
  await writer.flush();
  expect(events).toHaveLength(202);
  expect(events[0]).toMatchObject({ type: 'log', data: { key: 'ask', token: 1, level: 'info' } });
  expect(JSON.stringify(events[0]?.data).length).toBeLessThan(2_100);
  expect(events[200]?.data).toEqual({
    key: 'ask',
    token: 1,
    level: 'warn',
    line: 'More than 200 lines; the rest is not kept.',
  });
  expect(events[201]?.data).toMatchObject({ token: 2, line: 'once more' });
});

it('writes progress of a node now and then, and its end always', async () => {
  const events: NewEvent[] = [];
  const writer = writerOver(events);
  for (let index = 1; index <= 50; index += 1) writer.add('run', 'ask', `${index} of 50`, index / 50);
  await writer.flush();
  expect(events.map(({ data }) => data)).toEqual([
    { key: 'ask', message: '1 of 50', fraction: 0.02 },
    { key: 'ask', message: '50 of 50', fraction: 1 },
  ]);
});
