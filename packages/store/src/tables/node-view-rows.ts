import { type NodeStatus, NodeView } from '@cua-forge/spec/store-port';
import { itemOfKey } from '../item-of-key.ts';
import { build, endOfPrefix, named } from '../query-builder.ts';
import { parseBody, parseRow } from '../rows.ts';
import { all, PreparedQuery, type Steps } from '../steps.ts';
import type { NodeViewRow } from '../tables.ts';
import type { EventRows } from './event-rows.ts';

export class NodeViewRows {
  readonly #events: EventRows;
  readonly #upsert;

  constructor(events: EventRows) {
    this.#events = events;
    this.#upsert = new PreparedQuery<NodeViewRow, unknown>(
      build
        .insertInto('node_views')
        .values({
          run_id: named('run_id'),
          key: named('key'),
          seq: named('seq'),
          status: named('status'),
          map_path: named('map_path'),
          item_index: named('item_index'),
          item_node: named('item_node'),
          failure_code: named('failure_code'),
          body: named('body'),
        })
        .onConflict((conflict) =>
          conflict
            .columns(['run_id', 'key'])
            .doUpdateSet((row) => ({
              seq: row.ref('excluded.seq'),
              status: row.ref('excluded.status'),
              failure_code: row.ref('excluded.failure_code'),
              body: row.ref('excluded.body'),
            }))
            .where((where) =>
              where.or([
                where('excluded.seq', '>', where.ref('node_views.seq')),
                where.and([
                  where('excluded.seq', '=', where.ref('node_views.seq')),
                  where('excluded.body', '<>', where.ref('node_views.body')),
                ]),
              ]),
            ),
        ),
    );
  }

  /** A report that comes twice changes nothing the second time. */
  *save(views: NodeView[]): Steps<void> {
    for (const view of views) yield* this.#save(view);
  }

  *#save(view: NodeView): Steps<void> {
    const valid = parseRow(NodeView, 'node_views', view);
    const item = itemOfKey(valid.key);
    const changes = yield* this.#upsert.modify({
      run_id: valid.runId,
      key: valid.key,
      seq: valid.seq,
      status: valid.status,
      map_path: item.map,
      item_index: item.index,
      item_node: item.node,
      failure_code: valid.failure?.code ?? null,
      body: JSON.stringify(valid),
    });
    if (changes > 0) yield* this.#events.add([{ runId: valid.runId, type: 'node', data: valid, at: valid.at }]);
  }

  *list(
    runId: string,
    filter: { prefix?: string; status?: NodeStatus; outsideItems?: boolean; limit?: number; after?: string },
  ): Steps<NodeView[]> {
    const { prefix, status, outsideItems, limit, after } = filter;
    let query = build.selectFrom('node_views').select('body').where('run_id', '=', runId).orderBy('key');
    if (prefix !== undefined) query = query.where('key', '>=', prefix).where('key', '<', endOfPrefix(prefix));
    if (after !== undefined) query = query.where('key', '>', after);
    if (outsideItems === true) {
      const { map } = itemOfKey(prefix ?? '');
      query = query.where('map_path', map === null ? 'is' : '=', map);
    }
    if (status !== undefined) query = query.where('status', '=', status);
    if (limit !== undefined) query = query.limit(limit);
    return (yield* all(query)).map(({ body }) => parseBody(NodeView, 'node_views', body));
  }
}
