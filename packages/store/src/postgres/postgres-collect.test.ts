import { afterAll, beforeAll } from 'vitest';
import { openParts } from '../open-store.ts';
import { sqlStore } from '../sql-store.ts';
import { storeSettings } from '../store-settings.ts';
import { collectConformance } from '../testing/collect-conformance.ts';
import { type PostgresServer, startPostgres } from '../testing/postgres-server.ts';
import { type S3Server, startS3 } from '../testing/s3-server.ts';

let postgres: PostgresServer;
let s3: S3Server;
let stores = 0;
beforeAll(async () => {
  [postgres, s3] = await Promise.all([startPostgres(), startS3()]);
  Object.assign(process.env, s3.credentials);
});
afterAll(async () => {
  await Promise.all([postgres.stop(), s3.stop()]);
});

collectConformance('collection on Postgres and S3', async () => {
  const artifacts = s3.address.replace('/store', `/store-${stores++}`);
  const settings = storeSettings(
    { DATABASE_URL: await postgres.createDatabase(), FORGE_ARTIFACTS: artifacts },
    'unused',
  );
  return async (wrap = (blobs) => blobs) => {
    const { connection, blobs } = await openParts(settings);
    return sqlStore(connection, wrap(blobs));
  };
});
