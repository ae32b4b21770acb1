import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { ForgeError } from '@cua-forge/spec/errors';
import type { OfficeFormat, OfficePort } from '@cua-forge/spec/kind';
import { runOffice } from '@cua-forge/worker/office/run-office';

interface Request {
  name: string;
  bytes: Uint8Array;
  to: OfficeFormat;
  done(made: Uint8Array): void;
  failed(cause: unknown): void;
}

/** Requests that come within this time go together. */
const gatherMs = 400;

/** LibreOffice for many small conversions at once: those that are asked for together are made by one process. */
export class BatchOffice implements Pick<OfficePort, 'convert'> {
  #waiting: Request[] = [];
  #working = false;

  constructor(
    private readonly program: string,
    private readonly signal: AbortSignal = new AbortController().signal,
  ) {}

  convert(name: string, bytes: Uint8Array, to: OfficeFormat): Promise<Uint8Array> {
    return new Promise((done, failed) => {
      this.#waiting.push({ name, bytes, to, done, failed });
      if (!this.#working) {
        this.#working = true;
        setTimeout(() => void this.#work(), gatherMs);
      }
    });
  }

  async #work(): Promise<void> {
    while (this.#waiting.length > 0) {
      const to = this.#waiting[0]?.to;
      const batch = this.#waiting.filter((request) => request.to === to).slice(0, 20);
      this.#waiting = this.#waiting.filter((request) => !batch.includes(request));
      if (to !== undefined)
        await this.#make(batch, to).catch((cause: unknown) => {
          for (const one of batch) one.failed(cause);
        });
    }
    this.#working = false;
  }

  async #make(batch: readonly Request[], to: OfficeFormat): Promise<void> {
    const folder = await mkdtemp(join(tmpdir(), 'forge-batch-'));
    try {
      const out = join(folder, 'made');
      await mkdir(out);
      const files = batch.map(({ name }, index) => join(folder, `${index}${extname(name)}`));
      await Promise.all(batch.map(({ bytes }, index) => writeFile(files[index] ?? folder, bytes)));
      const { output } = await runOffice(
        this.program,
        folder,
        ['--convert-to', to, '--outdir', out, ...files],
        this.signal,
      );
      for (const [index, request] of batch.entries()) {
        const made = await readFile(join(out, `${index}.${to}`)).catch(() => null);
        if (made === null)
          request.failed(
            new ForgeError('file.unreadable', `LibreOffice made no ${to} of ${request.name}: ${output.trim()}`),
          );
        else request.done(new Uint8Array(made));
      }
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }
}
