import { type Kysely, type Migration, PostgresAdapter, sql } from 'kysely';
import { costs } from './cost-migration.ts';
import { mapItems, runVersions } from './item-migration.ts';

export type Migrations = Readonly<Record<string, Migration>>;

/**
 * Numbered migrations. One that was released is never changed: add another number. They are written with the types `text`,
 * `integer`, `real` and `blob`; Postgres gets its own for these. Gaps may be filled later.
 */
export const migrations: Migrations = {
  '0001-start': { up: start },
  '0002-outcome-kind': { up: outcomeKind },
  '0003-collection': { up: collection },
  '0010-claims': { up: claims },
  '0020-costs': { up: costs },
  '0030-access': { up: access },
  '0040-map-items': { up: mapItems },
  '0041-run-versions': { up: runVersions },
  '0050-reviews': { up: reviews },
  '0060-schedules': { up: schedules },
  '0070-hooks': { up: hooks },
  '0080-publications': { up: publications },
  '0081-evaluations': { up: evaluations },
  '0082-page-pictures': { up: pagePictures },
  '0083-webhooks': { up: webhooks },
};

const isPostgres = (db: Kysely<unknown>): boolean => db.getExecutor().adapter instanceof PostgresAdapter;

async function start(db: Kysely<unknown>): Promise<void> {
  const { schema } = db;
  await schema
    .createTable('artifacts')
    .addColumn('hash', 'text', (column) => column.primaryKey().notNull())
    .addColumn('size', 'integer', (column) => column.notNull())
    .addColumn('bytes', 'blob', (column) => column.notNull())
    .execute();

  await schema
    .createTable('documents')
    .addColumn('id', 'text', (column) => column.primaryKey().notNull())
    .addColumn('revision', 'integer', (column) => column.notNull())
    .execute();
  await schema
    .createTable('document_versions')
    .addColumn('document_id', 'text', (column) => column.notNull().references('documents.id'))
    .addColumn('revision', 'integer', (column) => column.notNull())
    .addColumn('title', 'text', (column) => column.notNull())
    .addColumn('hash', 'text', (column) => column.notNull())
    .addColumn('source', 'text', (column) => column.notNull())
    .addColumn('updated_at', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('document_versions_key', ['document_id', 'revision'])
    .execute();
  await schema.createIndex('document_versions_by_hash').on('document_versions').column('hash').execute();

  await schema
    .createTable('runs')
    .addColumn('id', 'text', (column) => column.primaryKey().notNull())
    .addColumn('document_id', 'text', (column) => column.notNull())
    .addColumn('batch_id', 'text')
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('failure_code', 'text')
    .addColumn('created_at', 'integer', (column) => column.notNull())
    .addColumn('body', 'text', (column) => column.notNull())
    .execute();
  await schema.createIndex('runs_by_time').on('runs').columns(['created_at', 'id']).execute();
  await schema.createIndex('runs_by_batch').on('runs').columns(['batch_id', 'created_at', 'id']).execute();
  await schema.createIndex('runs_by_document').on('runs').columns(['document_id', 'created_at', 'id']).execute();
  await schema.createIndex('runs_by_state').on('runs').columns(['state', 'created_at', 'id']).execute();

  const outcomes = schema
    .createTable('outcomes')
    .addColumn('run_id', 'text', (column) => column.notNull())
    .addColumn('key', 'text', (column) => column.notNull())
    .addColumn('token', 'integer', (column) => column.notNull())
    .addColumn('status', 'text', (column) => column.notNull())
    .addColumn('memo_key', 'text')
    .addColumn('ended_at', 'integer', (column) => column.notNull())
    .addColumn('body', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('outcomes_key', ['run_id', 'key', 'token']);
  // SQLite's rowid tells which of two came later; Postgres needs a column for that.
  await (isPostgres(db)
    ? outcomes.addColumn('rowid', 'integer', (column) => column.autoIncrement())
    : outcomes
  ).execute();
  await schema
    .createIndex('outcomes_by_memo')
    .on('outcomes')
    .columns(['memo_key', 'ended_at'])
    .where(sql.ref('memo_key'), 'is not', null)
    .execute();

  const views = schema
    .createTable('node_views')
    .addColumn('run_id', 'text', (column) => column.notNull())
    .addColumn('key', 'text', (column) => column.notNull())
    .addColumn('seq', 'integer', (column) => column.notNull())
    .addColumn('status', 'text', (column) => column.notNull())
    .addColumn('body', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('node_views_key', ['run_id', 'key']);
  await (isPostgres(db) ? views : views.modifyEnd(sql`without rowid`)).execute();

  await schema
    .createTable('model_calls')
    .addColumn('run_id', 'text', (column) => column.notNull())
    .addColumn('key', 'text', (column) => column.notNull())
    .addColumn('token', 'integer', (column) => column.notNull())
    .addColumn('activity_attempt', 'integer', (column) => column.notNull())
    .addColumn('call_index', 'integer', (column) => column.notNull())
    .addColumn('provider', 'text', (column) => column.notNull())
    .addColumn('input_tokens', 'integer', (column) => column.notNull())
    .addColumn('cached_tokens', 'integer', (column) => column.notNull())
    .addColumn('output_tokens', 'integer', (column) => column.notNull())
    .addColumn('usd', 'real')
    .addColumn('body', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('model_calls_key', ['run_id', 'key', 'token', 'activity_attempt', 'call_index'])
    .execute();

  await schema
    .createTable('events')
    .addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement())
    .addColumn('run_id', 'text', (column) => column.notNull())
    .addColumn('type', 'text', (column) => column.notNull())
    .addColumn('data', 'text', (column) => column.notNull())
    .addColumn('at', 'integer', (column) => column.notNull())
    .addColumn('dedupe', 'text')
    .execute();
  await schema.createIndex('events_by_run').on('events').columns(['run_id', 'id']).execute();
  await schema
    .createIndex('events_once')
    .unique()
    .on('events')
    .columns(['run_id', 'dedupe'])
    .where(sql.ref('dedupe'), 'is not', null)
    .execute();

  await schema
    .createTable('packages')
    .addColumn('id', 'text', (column) => column.primaryKey().notNull())
    .addColumn('run_id', 'text', (column) => column.notNull())
    .addColumn('batch_id', 'text')
    .addColumn('skill', 'text', (column) => column.notNull())
    .addColumn('created_at', 'integer', (column) => column.notNull())
    .addColumn('body', 'text', (column) => column.notNull())
    .execute();
  await schema.createIndex('packages_by_time').on('packages').columns(['created_at', 'id']).execute();
  await schema.createIndex('packages_by_run').on('packages').column('run_id').execute();
  await schema.createIndex('packages_by_batch').on('packages').columns(['batch_id', 'created_at']).execute();

  await schema
    .createTable('batches')
    .addColumn('id', 'text', (column) => column.primaryKey().notNull())
    .addColumn('created_at', 'integer', (column) => column.notNull())
    .addColumn('body', 'text', (column) => column.notNull())
    .execute();

  await schema
    .createTable('pins')
    .addColumn('document_id', 'text', (column) => column.notNull())
    .addColumn('key', 'text', (column) => column.notNull())
    .addColumn('outputs', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('pins_key', ['document_id', 'key'])
    .execute();
}

async function outcomeKind(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('outcomes')
    .addColumn('kind', 'text', (column) => column.notNull().defaultTo(''))
    .execute();
  // No Postgres store is older than this.
  if (!isPostgres(db)) await sql`update outcomes set kind = json_extract(body, '$.kind')`.execute(db);
}

async function access(db: Kysely<unknown>): Promise<void> {
  const { schema } = db;
  await schema
    .createTable('audit')
    .addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement())
    .addColumn('at', 'integer', (column) => column.notNull())
    .addColumn('user_name', 'text', (column) => column.notNull())
    .addColumn('action', 'text', (column) => column.notNull())
    .addColumn('target', 'text', (column) => column.notNull())
    .addColumn('detail', 'text', (column) => column.notNull())
    .execute();
  await schema.createIndex('audit_by_target').on('audit').columns(['target', 'id']).execute();
  await schema
    .createTable('keyed_requests')
    .addColumn('key', 'text', (column) => column.primaryKey().notNull())
    .addColumn('body_hash', 'text', (column) => column.notNull())
    .addColumn('answer', 'text', (column) => column.notNull())
    .addColumn('at', 'integer', (column) => column.notNull())
    .execute();
  await refuseChanges(db, 'audit');
}

async function reviews(db: Kysely<unknown>): Promise<void> {
  const { schema } = db;
  await schema
    .createTable('package_reviews')
    .addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement())
    .addColumn('package_id', 'text', (column) => column.notNull())
    .addColumn('verdict', 'text', (column) => column.notNull())
    .addColumn('reason', 'text', (column) => column.notNull())
    .addColumn('note', 'text', (column) => column.notNull())
    .addColumn('user_name', 'text', (column) => column.notNull())
    .addColumn('at', 'integer', (column) => column.notNull())
    .execute();
  await schema.createIndex('package_reviews_by_package').on('package_reviews').columns(['package_id', 'id']).execute();
  await schema.alterTable('packages').addColumn('review_id', 'integer').execute();
  await schema
    .alterTable('packages')
    .addColumn('verdict', 'text', (column) => column.notNull().defaultTo('unreviewed'))
    .execute();
  await schema.createIndex('packages_by_verdict').on('packages').columns(['verdict', 'created_at', 'id']).execute();
  await refuseChanges(db, 'package_reviews');
}

async function hooks({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .createTable('hooks')
    .addColumn('id', 'text', (column) => column.primaryKey().notNull())
    .addColumn('token_hash', 'text', (column) => column.notNull())
    .addColumn('created_at', 'integer', (column) => column.notNull())
    .addColumn('body', 'text', (column) => column.notNull())
    .execute();
  await schema.createIndex('hooks_by_token').unique().on('hooks').column('token_hash').execute();
}

async function evaluations({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .createTable('evaluations')
    .addColumn('id', 'text', (column) => column.primaryKey().notNull())
    .addColumn('created_at', 'integer', (column) => column.notNull())
    .addColumn('body', 'text', (column) => column.notNull())
    .execute();
}

async function pagePictures({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .createTable('page_pictures')
    .addColumn('key', 'text', (column) => column.primaryKey().notNull())
    .addColumn('at', 'integer', (column) => column.notNull())
    .addColumn('body', 'text', (column) => column.notNull())
    .execute();
}

async function webhooks({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .createTable('webhooks')
    .addColumn('id', 'text', (column) => column.primaryKey().notNull())
    .addColumn('since', 'integer', (column) => column.notNull())
    .addColumn('first', 'integer', (column) => column.notNull())
    .addColumn('created_at', 'integer', (column) => column.notNull())
    .addColumn('body', 'text', (column) => column.notNull())
    .execute();
  await schema
    .createTable('deliveries')
    .addColumn('id', 'text', (column) => column.primaryKey().notNull())
    .addColumn('webhook_id', 'text', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('next_at', 'integer')
    .addColumn('created_at', 'integer', (column) => column.notNull())
    .addColumn('body', 'text', (column) => column.notNull())
    .execute();
  await schema.createIndex('deliveries_by_time').on('deliveries').column('next_at').execute();
  await schema.createIndex('deliveries_by_webhook').on('deliveries').columns(['webhook_id', 'created_at']).execute();
}

async function publications(db: Kysely<unknown>): Promise<void> {
  const { schema } = db;
  await schema
    .createTable('publications')
    .addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement())
    .addColumn('document_id', 'text', (column) => column.notNull())
    .addColumn('revision', 'integer', (column) => column.notNull())
    .addColumn('note', 'text', (column) => column.notNull())
    .addColumn('user_name', 'text', (column) => column.notNull())
    .addColumn('at', 'integer', (column) => column.notNull())
    .execute();
  await schema.createIndex('publications_by_document').on('publications').columns(['document_id', 'id']).execute();
  await refuseChanges(db, 'publications');
}

async function schedules({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .createTable('schedules')
    .addColumn('id', 'text', (column) => column.primaryKey().notNull())
    .addColumn('created_at', 'integer', (column) => column.notNull())
    .addColumn('body', 'text', (column) => column.notNull())
    .execute();
}

/** Makes the database itself refuse to change or delete rows of a table. */
async function refuseChanges(db: Kysely<unknown>, table: string): Promise<void> {
  const text = sql.lit(`Rows of ${table} are never changed.`);
  if (isPostgres(db)) {
    const refuse = sql.id(`${table}_refuse`);
    await sql`create function ${refuse}() returns trigger language plpgsql as
      ${sql.lit(`begin raise exception 'Rows of ${table} are never changed.'; end`)}`.execute(db);
    await sql`create trigger ${sql.id(`${table}_kept`)} before update or delete on ${sql.table(table)}
      for each row execute function ${refuse}()`.execute(db);
    return;
  }
  for (const verb of ['update', 'delete'] as const) {
    await sql`create trigger ${sql.id(`${table}_no_${verb}`)} before ${sql.raw(verb)} on ${sql.table(table)}
      begin select raise(abort, ${text}); end`.execute(db);
  }
}

async function claims({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .createTable('claims')
    .addColumn('scope', 'text', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('run_id', 'text', (column) => column.notNull())
    .addColumn('key', 'text', (column) => column.notNull())
    .addColumn('value', 'text', (column) => column.notNull())
    .addColumn('signature', 'text')
    .addColumn('at', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('claims_key', ['scope', 'name', 'run_id', 'key'])
    .execute();
  await schema.createIndex('claims_by_value').unique().on('claims').columns(['scope', 'name', 'value']).execute();
  await schema.createIndex('claims_by_run').on('claims').column('run_id').execute();
}

/** What the collection of garbage remembers. */
async function collection(db: Kysely<unknown>): Promise<void> {
  const { schema } = db;
  await schema.alterTable('artifacts').addColumn('condemned_at', 'integer').execute();
  await schema
    .createTable('condemned_blobs')
    .addColumn('hash', 'text', (column) => column.primaryKey().notNull())
    .addColumn('condemned_at', 'integer', (column) => column.notNull())
    .addColumn('deleting_at', 'integer')
    .execute();
  await schema
    .createTable('blob_links')
    .addColumn('hash', 'text', (column) => column.primaryKey().notNull())
    .addColumn('links', 'text', (column) => column.notNull())
    .execute();
  await schema
    .createTable('leases')
    .addColumn('name', 'text', (column) => column.primaryKey().notNull())
    .addColumn('holder', 'text', (column) => column.notNull())
    .addColumn('expires_at', 'integer', (column) => column.notNull())
    .execute();
}
