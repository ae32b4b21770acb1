import { DeleteObjectCommand, GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { Client } from 'pg';
import { afterAll, beforeAll } from 'vitest';
import { openStore } from '../open-store.ts';
import { parseS3Address } from '../s3/s3-address.ts';
import { type StoreSettings, storeSettings } from '../store-settings.ts';
import type { Damage } from '../testing/conformance-context.ts';
import { type PostgresServer, startPostgres } from '../testing/postgres-server.ts';
import { type S3Server, startS3 } from '../testing/s3-server.ts';
import { storeConformance } from '../testing/store-conformance.ts';

let postgres: PostgresServer | undefined;
let s3: S3Server | undefined;
let settings: StoreSettings = { folder: '' };
beforeAll(async () => {
  [postgres, s3] = await Promise.all([startPostgres(), startS3()]);
  Object.assign(process.env, s3.credentials);
  settings = storeSettings({ DATABASE_URL: await postgres.createDatabase(), FORGE_ARTIFACTS: s3.address }, 'unused');
});
afterAll(async () => {
  await Promise.all([postgres?.stop(), s3?.stop()]);
});

const damage: Damage = async (hash, how) => {
  if (!(await damageRow(hash, how))) await damageObject(hash, how);
};

async function damageRow(hash: string, how: Parameters<Damage>[1]): Promise<boolean> {
  const statements = {
    remove: 'delete from artifacts where hash = $1',
    truncate: 'update artifacts set bytes = substr(bytes, 1, length(bytes) - 1) where hash = $1',
    flip: 'update artifacts set bytes = set_byte(bytes, 0, 255) where hash = $1',
  };
  const client = new Client({ connectionString: settings.database });
  await client.connect();
  const { rowCount } = await client.query(statements[how], [hash]);
  await client.end();
  return rowCount === 1;
}

async function damageObject(hash: string, how: Parameters<Damage>[1]): Promise<void> {
  const { bucket, prefix, endpoint } = parseS3Address(s3?.address ?? '');
  const client = new S3Client({
    region: 'us-east-1',
    endpoint: endpoint ?? '',
    forcePathStyle: true,
    requestChecksumCalculation: 'WHEN_REQUIRED',
  });
  const object = { Bucket: bucket, Key: `${prefix}${hash.slice(0, 2)}/${hash}` };
  const bytes = await (await client.send(new GetObjectCommand(object))).Body?.transformToByteArray();
  if (bytes === undefined) throw new Error(`artifact ${hash} is not stored`);
  if (how === 'remove') await client.send(new DeleteObjectCommand(object));
  else {
    const changed = how === 'truncate' ? bytes.subarray(0, bytes.byteLength - 1) : bytes.fill(255, 100, 101);
    await client.send(new PutObjectCommand({ ...object, Body: changed }));
  }
  client.destroy();
}

storeConformance('Postgres and S3 store', () => openStore(settings), damage);
