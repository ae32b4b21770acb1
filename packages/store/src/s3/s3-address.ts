import { ForgeError } from '@cua-forge/spec/errors';
import { z } from 'zod';

const Options = z.strictObject({
  endpoint: z.url({ protocol: /^https?$/ }).optional(),
  region: z.string().min(1).optional(),
  'path-style': z.enum(['true', 'false']).optional(),
});

export interface S3Address {
  bucket: string;
  /** Goes before every key; empty, or ends with a slash. */
  prefix: string;
  /** Of a store other than Amazon's own. */
  endpoint: string | undefined;
  region: string | undefined;
  /** Whether the bucket is part of the path and not of the host name. */
  pathStyle: boolean;
}

/**
 * Reads `s3://bucket/prefix?endpoint=…&region=…&path-style=…`. With an endpoint, `path-style` is true unless it says
 * otherwise.
 * @throws ForgeError `input.invalid`
 */
export function parseS3Address(text: string): S3Address {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || url.protocol !== 's3:' || url.hostname === '') throw wrong('it has to be s3://bucket/prefix');
  if (url.username !== '' || url.password !== '')
    throw wrong('credentials belong into AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, not into the address');
  const options = Options.safeParse(Object.fromEntries(url.searchParams));
  if (!options.success) {
    throw wrong(
      options.error.issues.map(({ path, message }) => `${path.join('.') || 'option'}: ${message}`).join('; '),
    );
  }
  const prefix = decodeURIComponent(url.pathname).replace(/^\/+|\/+$/g, '');
  const { endpoint, region, 'path-style': pathStyle } = options.data;
  return {
    bucket: url.hostname,
    prefix: prefix === '' ? '' : `${prefix}/`,
    endpoint,
    region,
    pathStyle: pathStyle === undefined ? endpoint !== undefined : pathStyle === 'true',
  };
}

const wrong = (what: string): ForgeError =>
  new ForgeError('input.invalid', `The address of the artifacts is not right: ${what}.`, {
    fix: "Set FORGE_ARTIFACTS to s3://bucket/prefix, with ?endpoint=https://host for a store other than Amazon's.",
  });
