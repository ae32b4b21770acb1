import type { ItemCounts } from '@cua-forge/spec/api/runs';
import type { ItemView, NodeStatus } from '@cua-forge/spec/store-port';
import type { ItemFilter } from './use-map-items.ts';

/** Number of items in a state; of all, also of those that have not begun, with null. */
export function tallyOf(counts: ItemCounts | null): (status: NodeStatus | null) => number {
  const byStatus = new Map<NodeStatus, number>();
  for (const { status, count } of counts?.counts ?? []) byStatus.set(status, (byStatus.get(status) ?? 0) + count);
  const begun = [...byStatus.values()].reduce((sum, count) => sum + count, 0);
  const total = Math.max(counts?.total ?? begun, begun);
  return (status) => {
    if (status === null) return total;
    return (byStatus.get(status) ?? 0) + (status === 'waiting' ? total - begun : 0);
  };
}

/** Failed items by failure code, most first. */
export function codesOf(counts: ItemCounts | null): Map<string, number> {
  const codes = (counts?.counts ?? []).flatMap(({ status, failureCode, count }) =>
    status === 'failed' && failureCode !== null ? [[failureCode, count] as const] : [],
  );
  return new Map(codes.sort(([, a], [, b]) => b - a));
}

export interface Retry {
  request: { targets?: string[]; prefix?: string; failureCode?: string };
  count: number;
}

interface Selection {
  runKey: string;
  items: readonly ItemView[];
  chosen: ReadonlySet<number> | 'all';
  filter: ItemFilter;
  failed: number;
  matching: number;
}

/** What to ask the server for; null when nothing that failed is chosen. All that failed are named by their path, not one by one. */
export function retryOf({ runKey, items, chosen, filter, failed, matching }: Selection): Retry | null {
  if (chosen === 'all') {
    const { failureCode } = filter;
    const count = failureCode === null ? failed : matching;
    if (count === 0) return null;
    return { request: { prefix: `${runKey}[`, ...(failureCode === null ? {} : { failureCode }) }, count };
  }
  const named = items.filter((item) => item.status === 'failed' && chosen.has(item.index));
  const targets = named.flatMap(({ troubled }) =>
    troubled.flatMap(({ key, status }) => (status === 'failed' ? [key] : [])),
  );
  return targets.length === 0 ? null : { request: { targets }, count: named.length };
}
