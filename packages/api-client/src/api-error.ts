import { ApiError } from '@cua-forge/spec/api/api-error';
import type { Finding } from '@cua-forge/spec/document';
import { type Failure, ForgeError } from '@cua-forge/spec/errors';

/** What the server answered instead of a result. */
export class ApiFailure extends ForgeError {
  readonly findings: readonly Finding[];

  constructor(failure: Failure, findings: readonly Finding[] = []) {
    super(failure.code, failure.message, { fix: failure.fix, place: failure.place });
    this.findings = findings;
  }
}

/** The error an answer stands for; one that no server of this product would give is `server.unreachable`. */
export function failureOf(status: number, body: unknown, url: string): ForgeError {
  const parsed = ApiError.safeParse(body);
  if (parsed.success) return new ApiFailure(parsed.data.error, parsed.data.findings);
  return new ForgeError(
    'server.unreachable',
    `What answers at ${url === '' ? 'this address' : url} (status ${status}) is no server of this product, or another version of it.`,
    {
      fix: 'Check FORGE_URL, and that the server is of this version.',
    },
  );
}
