import { randomUUID } from 'node:crypto';
import { ForgeError } from '@cua-forge/spec/errors';
import type { Connection } from '../connection.ts';
import { build } from '../query-builder.ts';
import { first, modify, type Steps } from '../steps.ts';

/** Milliseconds after which the holder of a lease that does not renew it is taken for dead. */
export const leaseMs = 60_000;

/** The right to do what only one process at a time may do. */
export class Lease {
  readonly #name: string;
  readonly #holder = randomUUID();

  constructor(name: string) {
    this.#name = name;
  }

  /** @throws ForgeError `store.busy` while another process has it */
  acquire(connection: Connection): Promise<void> {
    return connection.write(() => this.#acquire(Date.now()));
  }

  *#acquire(now: number): Steps<void> {
    const held = yield* first(build.selectFrom('leases').selectAll().where('name', '=', this.#name));
    if (held !== undefined && held.expires_at > now) {
      throw new ForgeError('store.busy', `Another ${this.#name} of this store is under way.`, {
        fix: `Wait until it ends; when its process has died, its claim ends after ${leaseMs / 1000} s.`,
      });
    }
    const claim = { holder: this.#holder, expires_at: now + leaseMs };
    yield* modify(
      build
        .insertInto('leases')
        .values({ name: this.#name, ...claim })
        .onConflict((conflict) => conflict.column('name').doUpdateSet(claim)),
    );
  }

  /** Belongs into every transaction that relies on it. @throws ForgeError `store.busy` when another process took it meanwhile */
  *renew(): Steps<void> {
    const changed = yield* modify(
      build
        .updateTable('leases')
        .set({ expires_at: Date.now() + leaseMs })
        .where('name', '=', this.#name)
        .where('holder', '=', this.#holder),
    );
    if (changed > 0) return;
    throw new ForgeError('store.busy', `This ${this.#name} stood still for so long that another has begun.`);
  }

  release(connection: Connection): Promise<void> {
    return connection.write(() => this.#release());
  }

  *#release(): Steps<void> {
    yield* modify(build.deleteFrom('leases').where('name', '=', this.#name).where('holder', '=', this.#holder));
  }
}
