import { join } from 'node:path';
import { lentGround } from '@cua-forge/proof/lent-ground';
import { prove } from '@cua-forge/proof/prove';
import { readSubject } from '@cua-forge/proof/subject';
import { loadSandboxSettings } from '@cua-forge/sandbox/settings';
import { ForgeError } from '@cua-forge/spec/errors';
import type { ProofRecord } from '@cua-forge/spec/proof';
import type { TaskPackage } from '@cua-forge/spec/task';
import type { FileValue } from '@cua-forge/spec/value';
import { LibreOffice } from '@cua-forge/worker/office/libre-office';
import { createProvider } from '@cua-forge/worker/sandbox/create-providers';
import { LentSandboxes } from '@cua-forge/worker/sandbox/lent-sandboxes';
import pino from 'pino';

const root = join(import.meta.dirname, '../..');

/** A package with what reads its files. */
export interface ReadablePackage {
  package: TaskPackage;
  read(file: FileValue): Promise<Uint8Array>;
}

/** Sandboxes that each proof in progress may have: two of its own, and two that are made ready meanwhile. */
const each = 4;

/** Proves packages in Docker from this process, without engine and server. */
export class PackageProver {
  readonly #office = new LibreOffice(process.env.FORGE_SOFFICE ?? 'soffice');
  readonly #lent;
  readonly #ended = new AbortController();
  #begun = 0;

  /** `warm`: sandboxes kept ready for each sort that is asked for; `together`: proofs that are in progress at the same time. */
  constructor({ warm, together = 2 }: { warm: number; together?: number }) {
    const settings = loadSandboxSettings(process.env, root);
    const hosts = settings.hosts.map((host) => ({ ...host, limit: Math.max(host.limit, each * together) }));
    this.#lent = new LentSandboxes([createProvider('docker', { ...settings, hosts })], {
      warm,
      log: pino({ level: 'error' }, pino.destination(2)),
    });
    // Whoever ends the process leaves no sandbox behind.
    for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => this.#ended.abort());
  }

  /** Why nothing can be proven here; null when it can. What dead processes have left is ended first: it would be in the way. */
  async missing(): Promise<ForgeError | null> {
    await this.#lent.sweep();
    return this.#port('missing').missing();
  }

  /** A sandbox that is lost says nothing about the package: as the engine does, this tries again, once. */
  prove(task: ReadablePackage, name: string): Promise<ProofRecord> {
    return this.#once(task, name).catch((thrown: unknown) => {
      if (thrown instanceof ForgeError && thrown.code === 'sandbox.lost') return this.#once(task, name);
      throw thrown;
    });
  }

  /** Whether somebody has asked the process to end. */
  get ended(): boolean {
    return this.#ended.signal.aborted;
  }

  close(): Promise<void> {
    return this.#lent.close();
  }

  async #once(task: ReadablePackage, name: string): Promise<ProofRecord> {
    const subject = await readSubject(task.package, task.read);
    // Whoever asks for a lease ends what was left under it: two proofs of one name must not meet.
    this.#begun += 1;
    const lease = `${name} (${process.pid}-${this.#begun})`;
    const context = { office: this.#office, signal: this.#ended.signal, progress: () => {} };
    return (await prove(subject, lentGround({ sandboxes: this.#port(lease) }), context)).record;
  }

  #port(lease: string) {
    return this.#lent.portOf(lease, this.#ended.signal, () => {});
  }
}
