import { S3ServiceException } from '@aws-sdk/client-s3';
import { ForgeError, toForgeError } from '@cua-forge/spec/errors';

const refused: ReadonlySet<number> = new Set([400, 401, 403]);

/** Turns what the SDK throws, after its own repetitions, into the product's errors. */
export function toS3Error(thrown: unknown, bucket: string): ForgeError {
  if (thrown instanceof ForgeError || !(thrown instanceof Error)) return toForgeError(thrown);
  if (thrown.name === 'AbortError') return toForgeError(thrown);
  const status = thrown instanceof S3ServiceException ? thrown.$metadata.httpStatusCode : undefined;
  if (status === 404 || status === 301) {
    return new ForgeError('input.invalid', `There is no bucket "${bucket}" here for the artifacts (${thrown.name}).`, {
      fix: 'Make the bucket, or correct bucket, region and endpoint in FORGE_ARTIFACTS.',
      cause: thrown,
    });
  }
  if (thrown.name === 'CredentialsProviderError' || (status !== undefined && refused.has(status))) {
    return new ForgeError(
      'input.invalid',
      `The bucket "${bucket}" for the artifacts refuses the credentials: ${thrown.name}, ${thrown.message}.`,
      {
        fix: 'Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, and let them list the bucket and get, put and delete its objects.',
        cause: thrown,
      },
    );
  }
  if (status === 507) {
    return new ForgeError('store.full', `The bucket "${bucket}" for the artifacts is full.`, { cause: thrown });
  }
  return new ForgeError(
    'store.unreachable',
    `The bucket "${bucket}" for the artifacts does not answer: ${thrown.message}.`,
    {
      fix: 'See that the endpoint in FORGE_ARTIFACTS can be reached; the work is tried again by itself.',
      cause: thrown,
    },
  );
}
