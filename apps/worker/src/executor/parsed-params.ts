import { ForgeError } from '@cua-forge/spec/errors';
import type { Kind } from '@cua-forge/spec/kind';
import { z } from 'zod';
import type { Values } from './values.ts';

const KEPT = 1_000;

/** Params as kinds take them, read and checked once for each kind and text. They are frozen, since many executions share them. */
export class ParsedParams {
  private readonly known = new Map<string, unknown>();

  constructor(private readonly values: Values) {}

  /** @throws ForgeError `params.invalid`, `artifact.*` */
  async of(kind: Kind, hash: string): Promise<unknown> {
    const name = `${kind.id}@${kind.version}/${hash}`;
    if (this.known.has(name)) return this.known.get(name);
    const parsed = kind.params.safeParse(await this.values.read({ hash, size: 0 }));
    if (!parsed.success)
      throw new ForgeError('params.invalid', `The params do not fit '${kind.id}': ${z.prettifyError(parsed.error)}`, {
        fix: 'Correct the params of the node and retry it.',
      });
    const oldest = this.known.keys().next();
    if (this.known.size >= KEPT && !oldest.done) this.known.delete(oldest.value);
    this.known.set(name, frozen(parsed.data));
    return parsed.data;
  }
}

function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const member of Object.values(value)) frozen(member);
  }
  return value;
}
