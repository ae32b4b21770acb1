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

/** Proves packages in Docker from this process, without engine and server. */
export class PackageProver {
  readonly #office = new LibreOffice(process.env.FORGE_SOFFICE ?? 'soffice');
  readonly #lent;

  constructor({ warm }: { warm: number }) {
    this.#lent = new LentSandboxes([createProvider('docker', loadSandboxSettings(process.env, root))], {
      warm,
      log: pino({ level: 'error' }, pino.destination(2)),
    });
  }

  /** Why nothing can be proven here; null when it can. */
  missing(): Promise<ForgeError | null> {
    return this.#port('missing').missing();
  }

  /** A sandbox that is lost says nothing about the package: as the engine does, this tries again, once. */
  prove(task: ReadablePackage, name: string): Promise<ProofRecord> {
    return this.#once(task, name).catch((thrown: unknown) => {
      if (thrown instanceof ForgeError && thrown.code === 'sandbox.lost') return this.#once(task, name);
      throw thrown;
    });
  }

  close(): Promise<void> {
    return this.#lent.close();
  }

  async #once(task: ReadablePackage, name: string): Promise<ProofRecord> {
    const subject = await readSubject(task.package, task.read);
    const context = { office: this.#office, signal: new AbortController().signal, progress: () => {} };
    return (await prove(subject, lentGround({ sandboxes: this.#port(name) }), context)).record;
  }

  #port(lease: string) {
    return this.#lent.portOf(lease, new AbortController().signal, () => {});
  }
}
