import type { Finding } from '@cua-forge/spec/document';
import { type ErrorCode, ForgeError } from '@cua-forge/spec/errors';

/** A document that cannot be used, with everything that is wrong with it. */
export class FindingsError extends ForgeError {
  readonly findings: readonly Finding[];

  constructor(code: ErrorCode, message: string, findings: readonly Finding[], fix?: string) {
    super(code, message, { fix });
    this.findings = findings;
  }
}
