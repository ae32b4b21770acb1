import { ForgeError } from '@cua-forge/spec/errors';
import { z } from 'zod';
import { parseS3Address, type S3Address } from './s3/s3-address.ts';

const text = z
  .string()
  .optional()
  .transform((value) => (value === '' ? undefined : value));

const Source = z.object({
  FORGE_STORE: text,
  DATABASE_URL: text.pipe(
    z
      .string()
      .regex(/^postgres(ql)?:\/\//, 'it has to be postgres://user:password@host:port/database')
      .optional(),
  ),
  FORGE_ARTIFACTS: text,
  AWS_REGION: text,
});

/** Where the store lies. Without `database` metadata are in SQLite, without `bucket` artifacts are files, both in `folder`. */
export interface StoreSettings {
  folder: string;
  database?: string | undefined;
  bucket?: S3Address | undefined;
}

/**
 * Reads where the store lies from an environment: FORGE_STORE (else `folder`), DATABASE_URL, FORGE_ARTIFACTS.
 * @throws ForgeError `input.invalid` naming what is wrong, without the password
 */
export function storeSettings(source: Readonly<Record<string, string | undefined>>, folder: string): StoreSettings {
  const parsed = Source.safeParse(source);
  if (!parsed.success) {
    const faults = parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
    throw new ForgeError('input.invalid', `The store's settings are not right. ${faults.join('; ')}.`, {
      fix: 'Correct these environment variables, or unset them to use a folder.',
    });
  }
  const { FORGE_STORE, DATABASE_URL, FORGE_ARTIFACTS, AWS_REGION } = parsed.data;
  const bucket = FORGE_ARTIFACTS === undefined ? undefined : parseS3Address(FORGE_ARTIFACTS);
  return {
    folder: FORGE_STORE ?? folder,
    database: DATABASE_URL,
    bucket: bucket && { ...bucket, region: bucket.region ?? AWS_REGION },
  };
}
