import { ForgeError } from '@cua-forge/spec/errors';
import type { z } from 'zod';

/**
 * Parses what a client sent.
 * @throws ForgeError `input.invalid` naming every member that is wrong; `what` says where it stood (`body`, `query`, `path`).
 */
export function read<S extends z.ZodType>(schema: S, value: unknown, what: 'body' | 'query' | 'path'): z.output<S> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const faults = parsed.error.issues.slice(0, 20).map((issue) => {
    const path = issue.path.map(String).join('.');
    return path === '' ? issue.message : `${path}: ${issue.message}`;
  });
  throw new ForgeError('input.invalid', `The ${what} of the request is not right. ${faults.join('; ')}.`, {
    fix:
      what === 'body'
        ? 'Send a JSON body as docs/operations/api.md describes it.'
        : 'Correct the address of the request.',
  });
}
