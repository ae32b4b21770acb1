import { expect, it } from 'vitest';
import { periodQuery } from './period.ts';

const now = Date.parse('2026-03-01T23:30:00Z');

it('counts today as a day, and the last day of a range too', () => {
  expect(periodQuery({ days: 1 }, now)).toEqual({ from: '2026-03-01' });
  expect(periodQuery({ days: 7 }, now)).toEqual({ from: '2026-02-23' });
  expect(periodQuery({ days: null }, now)).toEqual({});
  expect(periodQuery({ from: '2026-02-27', to: '2026-02-28' }, now)).toEqual({ from: '2026-02-27', to: '2026-03-01' });
});
