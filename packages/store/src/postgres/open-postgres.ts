import { ForgeError } from '@cua-forge/spec/errors';
import { Kysely } from 'kysely';
import { type ClientConfig, type CustomTypesConfig, Pool, types } from 'pg';
import type { Connection } from '../connection.ts';
import { migrateToLatest } from '../migrate.ts';
import type { Migrations } from '../migrations.ts';
import { NotifyWatch } from './notify-watch.ts';
import { PostgresConnection } from './postgres-connection.ts';
import { toPostgresError } from './postgres-faults.ts';
import { PostgresSchemaDialect } from './schema-compiler.ts';

const mostConnections = 10;
/** Any number: it tells those who migrate from those who write. */
const migrationLock = 7_400_001;

/** Counts, sums and milliseconds come as text, since they could be larger than a number holds exactly; ours are not. */
const numbers: CustomTypesConfig = {
  getTypeParser: (oid, format) =>
    oid === types.builtins.INT8 || oid === types.builtins.NUMERIC ? Number : types.getTypeParser(oid, format),
};

export const clientConfig = (url: string): ClientConfig => ({
  connectionString: url,
  application_name: 'cua-forge',
  types: numbers,
  keepAlive: true,
  // A host that is gone answers nothing; the system's own patience is two hours.
  keepAliveInitialDelayMillis: 30_000,
  connectionTimeoutMillis: 10_000,
  // A writer that hangs would stop all others.
  idle_in_transaction_session_timeout: 60_000,
  lock_timeout: 30_000,
});

/**
 * Opens the database at a `postgres://` address and brings its schema up to date. Any number of processes may have it open.
 * @throws ForgeError `input.invalid` (it cannot be used), `store.unreachable`
 */
export async function openPostgres(url: string, migrations?: Migrations): Promise<Connection> {
  const config = clientConfig(url);
  const pool = new Pool({ ...config, max: mostConnections });
  // An idle connection was lost: the pool makes another, and whoever asks next learns of a database that is away.
  pool.on('error', () => undefined);
  // One that is lost while it is taken tells its query. It also emits an error that the pool does not listen to then, and
  // without a listener that ends the process: hence one for the connection's whole life, from before anybody takes it.
  pool.on('connect', (client) => client.on('error', () => undefined));
  try {
    await migrate(pool, migrations);
  } catch (thrown) {
    await pool.end();
    throw unusable(thrown);
  }
  return new PostgresConnection(pool, new NotifyWatch(config));
}

async function migrate(pool: Pool, migrations: Migrations | undefined): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query('set lock_timeout = 0');
    await client.query('select pg_advisory_lock($1)', [migrationLock]);
    // Never destroyed, since that would end the pool; it holds nothing else.
    await migrateToLatest(new Kysely<unknown>({ dialect: new PostgresSchemaDialect({ pool }) }), migrations);
  } finally {
    // Closes the session, and with it gives back the lock.
    client.release(true);
  }
}

function unusable(thrown: unknown): ForgeError {
  const error = toPostgresError(thrown);
  if (error.code !== 'internal') return error;
  return new ForgeError('input.invalid', `The database that DATABASE_URL names cannot be used: ${error.message}.`, {
    fix: 'Correct DATABASE_URL (postgres://user:password@host:port/database), or make the database and let the user create tables in it.',
    cause: thrown,
  });
}
