import { expect, it } from 'vitest';
import { listedAt, listOf } from './listed-at.ts';

it('names a list by its address, and is understood again', () => {
  expect(listedAt('runs')).toBe('GET /api/runs lists them.');
  expect(listOf(listedAt('runs'))).toBe('runs');
  expect(listOf(listedAt('documents/orders/revisions'))).toBeNull();
  expect(listOf('Start it again.')).toBeNull();
});
