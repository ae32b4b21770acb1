import { expect, it } from 'vitest';
import { byteProgress } from './progress.ts';

it('tells bytes, rate and time left, a few times a second', () => {
  const shown: string[] = [];
  let time = 0;
  const report = byteProgress(
    { line: () => undefined, update: (text) => void shown.push(text) },
    'Fetching',
    () => time,
  );
  for (time = 100; time <= 1000; time += 100) report(time * 10_000, 20_000_000);
  expect(shown).toHaveLength(5);
  expect(shown.at(-1)).toBe('Fetching: 10.0 MB of 20.0 MB, 10.0 MB/s, 1 s left');
});
