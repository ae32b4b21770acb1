import type { MapState } from './state.ts';

/** Items by state, for people. */
export function mapCounts(map: MapState): Record<string, number> {
  const running = Object.values(map.open).reduce((sum, items) => sum + items.length, 0);
  return {
    total: map.count,
    succeeded: map.succeeded,
    failed: map.failed.length,
    running,
    waiting: map.pending.length,
  };
}
