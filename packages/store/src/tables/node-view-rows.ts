import { type NodeStatus, NodeView } from '@cua-forge/spec/store-port';
import type { Connection } from '../connection.ts';
import { build, endOfPrefix, named } from '../query-builder.ts';
import { parseBody, parseRow } from '../rows.ts';
import type { NodeViewRow } from '../tables.ts';
import type { EventRows } from './event-rows.ts';

export class NodeViewRows {
  readonly #connection: Connection;
  readonly #events: EventRows;
  readonly #upsert;

  constructor(connection: Connection, events: EventRows) {
    this.#connection = connection;
    this.#events = events;
    this.#upsert = connection.prepare<NodeViewRow, unknown>(
      build
        .insertInto('node_views')
        .values({
          run_id: named('run_id'),
          key: named('key'),
          seq: named('seq'),
          status: named('status'),
          body: named('body'),
        })
        .onConflict((conflict) =>
          conflict
            .columns(['run_id', 'key'])
            .doUpdateSet((row) => ({
              seq: row.ref('excluded.seq'),
              status: row.ref('excluded.status'),
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
  save(views: NodeView[]): void {
    for (const view of views) this.#save(view);
  }

  #save(view: NodeView): void {
    const valid = parseRow(NodeView, 'node_views', view);
    const { changes } = this.#upsert.run({
      run_id: valid.runId,
      key: valid.key,
      seq: valid.seq,
      status: valid.status,
      body: JSON.stringify(valid),
    });
    if (changes > 0) this.#events.add([{ runId: valid.runId, type: 'node', data: valid, at: valid.at }]);
  }

  list(runId: string, filter: { prefix?: string; status?: NodeStatus; limit?: number; after?: string }): NodeView[] {
    const { prefix, status, limit, after } = filter;
    let query = build.selectFrom('node_views').select('body').where('run_id', '=', runId).orderBy('key');
    if (prefix !== undefined) query = query.where('key', '>=', prefix).where('key', '<', endOfPrefix(prefix));
    if (after !== undefined) query = query.where('key', '>', after);
    if (status !== undefined) query = query.where('status', '=', status);
    if (limit !== undefined) query = query.limit(limit);
    return this.#connection.all(query).map(({ body }) => parseBody(NodeView, 'node_views', body));
  }
}
