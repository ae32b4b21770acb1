import { type ItemCount, type ItemFilter, type ItemView, NodeStatus, NodeView } from '@cua-forge/spec/store-port';
import { sql } from 'kysely';
import { build } from '../query-builder.ts';
import { parseBody } from '../rows.ts';
import { all, type Steps } from '../steps.ts';

/** What an item counts as is decided by the node of it that stands worst. */
const worst = ['skipped', 'succeeded', 'waiting', 'cancelled', 'running', 'awaiting', 'failed'] as const;

const failedUnhandled = (handled: readonly string[]) => {
  const failed = sql<boolean>`status = 'failed'`;
  return handled.length === 0 ? failed : sql<boolean>`${failed} and item_node not in (${sql.join(handled)})`;
};

/** One row for each item: its worst node, whether any succeeded, and a failure code. */
function itemsOf(runId: string, { map, handled = [] }: Pick<ItemFilter, 'map' | 'handled'>) {
  const failed = failedUnhandled(handled);
  const ranks = sql.join(
    worst.slice(0, -1).map((status, rank) => sql`when ${sql.lit(status)} then ${sql.lit(rank)}`),
    sql` `,
  );
  // A failure that an edge handles leaves the item as good as a node that succeeded.
  const rank = sql<number>`case when ${failed} then ${sql.lit(worst.length - 1)} else case status ${ranks} else 1 end end`;
  const items = build
    .selectFrom('node_views')
    .select([
      'item_index',
      sql<number>`max(${rank})`.as('rank'),
      sql<number>`max(case when status in ('succeeded', 'failed') then 1 else 0 end)`.as('begun'),
      sql<string | null>`min(case when ${failed} then failure_code end)`.as('code'),
    ])
    .where('run_id', '=', runId)
    .where('map_path', '=', map)
    .groupBy('item_index');
  const names = sql.join(
    worst.map((status, at) => sql`when ${sql.lit(at)} then ${sql.lit(status)}`),
    sql` `,
  );
  const waiting = sql.lit(worst.indexOf('waiting'));
  const status = sql<string>`case when items.rank = ${waiting} and items.begun = 1 then 'running' else case items.rank ${names} end end`;
  return build
    .selectFrom(items.as('items'))
    .select(['items.item_index as index', status.as('status'), 'items.code as code']);
}

export function* countItems(runId: string, filter: Pick<ItemFilter, 'map' | 'handled'>): Steps<ItemCount[]> {
  const query = build
    .selectFrom(itemsOf(runId, filter).as('each'))
    .select(['each.status', 'each.code', sql<number>`count(*)`.as('count')])
    .groupBy(['each.status', 'each.code'])
    .orderBy('each.status')
    .orderBy('each.code');
  return (yield* all(query)).map(({ status, code, count }) => ({
    status: NodeStatus.parse(status),
    failureCode: code,
    count: Number(count),
  }));
}

export function* listItems(runId: string, filter: ItemFilter & { after?: number; limit: number }): Steps<ItemView[]> {
  const { map, handled = [], status, failureCode, after, limit } = filter;
  let query = build
    .selectFrom(itemsOf(runId, filter).as('each'))
    .select(['each.index', 'each.status', 'each.code'])
    .orderBy('each.index')
    .limit(limit);
  if (status !== undefined) query = query.where('each.status', '=', status);
  if (failureCode !== undefined) query = query.where('each.code', '=', failureCode);
  if (after !== undefined) query = query.where('each.index', '>', after);
  const items: ItemView[] = (yield* all(query)).map((row) => ({
    index: Number(row.index),
    status: NodeStatus.parse(row.status),
    failureCode: row.code,
    troubled: [],
  }));
  const [first, last] = [items[0], items.at(-1)];
  if (first === undefined || last === undefined) return items;
  const byIndex = new Map(items.map((item) => [item.index, item]));
  const troubled = build
    .selectFrom('node_views')
    .select(['item_index', 'body'])
    .where('run_id', '=', runId)
    .where('map_path', '=', map)
    .where('item_index', '>=', first.index)
    .where('item_index', '<=', last.index)
    .where(sql<boolean>`(status = 'awaiting' or ${failedUnhandled(handled)})`)
    .orderBy('item_index')
    .orderBy('key');
  for (const { item_index: index, body } of yield* all(troubled))
    byIndex.get(Number(index))?.troubled.push(parseBody(NodeView, 'node_views', body));
  return items;
}
