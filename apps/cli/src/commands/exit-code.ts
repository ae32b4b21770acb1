import type { ErrorCode, ForgeError } from '@cua-forge/spec/errors';

export const exitCodes = { done: 0, failed: 1, badInput: 2 } as const;

const badInput: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'input.invalid',
  'document.invalid',
  'document.newer',
  'document.conflict',
  'kind.unknown',
  'kind.version-gone',
  'params.invalid',
  'expression.invalid',
  'template.invalid',
  'file.unreadable',
  'file.unsupported',
  'request.too-large',
  'run.not-found',
  'not-found',
]);

/** 2 when the person who typed the command has to change it, 1 when it could not be carried out. */
export function exitCodeOf(error: ForgeError): number {
  return badInput.has(error.code) ? exitCodes.badInput : exitCodes.failed;
}
