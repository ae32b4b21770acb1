import type { Kysely } from 'kysely';
import { rewrite } from './cost-migration.ts';
import { itemOfKey } from './item-of-key.ts';

/** What the items of maps are counted and found by. */
export async function mapItems(db: Kysely<unknown>): Promise<void> {
  const { schema } = db;
  for (const [name, type] of [
    ['map_path', 'text'],
    ['item_index', 'integer'],
    ['item_node', 'text'],
    ['failure_code', 'text'],
  ] as const)
    await schema.alterTable('node_views').addColumn(name, type).execute();
  await rewrite(db, 'node_views', ['run_id', 'key'], (view) => {
    const { map, index, node } = itemOfKey(String(view.key));
    return { map_path: map, item_index: index, item_node: node, failure_code: codeOf(view.failure) };
  });
  await schema
    .createIndex('node_views_by_item')
    .on('node_views')
    .columns(['run_id', 'map_path', 'item_index', 'status', 'failure_code', 'item_node'])
    .execute();
}

const codeOf = (failure: unknown): string | null =>
  typeof failure === 'object' && failure !== null && 'code' in failure ? String(failure.code) : null;

/** What runs of a skill are counted by. */
export async function runVersions(db: Kysely<unknown>): Promise<void> {
  const { schema } = db;
  await schema
    .alterTable('runs')
    .addColumn('document_hash', 'text', (column) => column.notNull().defaultTo(''))
    .execute();
  await rewrite(db, 'runs', ['id'], (run) => ({ document_hash: String(run.documentHash ?? '') }));
  await schema
    .createIndex('runs_by_skill')
    .on('runs')
    .columns(['skill', 'document_id', 'document_hash', 'state', 'failure_code'])
    .execute();
}
