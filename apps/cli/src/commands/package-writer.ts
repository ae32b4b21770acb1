import type { ApiClient } from '@cua-forge/api-client/api-client';
import { exportPackage } from './export-package.ts';

/** Writes the packages of succeeded runs as folders, each run once. */
export class PackageWriter {
  readonly written: { id: string; path: string; seed: number }[] = [];
  /** Packages that people rejected. */
  readonly leftOut: string[] = [];
  /** Runs that gave a package. */
  accepted = 0;
  readonly #settled = new Set<string>();
  readonly #api: ApiClient;
  readonly #out: string;
  readonly #rejected: boolean;

  /** With `rejected`, those that people rejected are written too. */
  constructor(api: ApiClient, out: string, rejected = false) {
    this.#api = api;
    this.#out = out;
    this.#rejected = rejected;
  }

  async write(runId: string): Promise<void> {
    if (this.#settled.has(runId)) return;
    this.#settled.add(runId);
    const { packages, reviews } = await this.#api.packages({ runId });
    if (packages.length > 0) this.accepted += 1;
    for (const { id, seed } of packages) {
      if (!this.#rejected && reviews[id]?.verdict === 'rejected') {
        this.leftOut.push(id);
        continue;
      }
      this.written.push({ id, path: await exportPackage(this.#api, id, this.#out), seed });
    }
  }

  /** Writes what every succeeded run of the batch made, as far as it has not been written. */
  async writeAll(batchId: string): Promise<void> {
    for (let cursor: string | undefined; ; ) {
      const page = await this.#api.runs({
        batchId,
        state: 'succeeded',
        limit: 500,
        ...(cursor === undefined ? {} : { cursor }),
      });
      for (const { id } of page.runs) await this.write(id);
      if (page.next === null) return;
      cursor = page.next;
    }
  }

  /** In the order of their seeds. */
  get packages(): { id: string; path: string }[] {
    return this.written.toSorted((a, b) => a.seed - b.seed).map(({ id, path }) => ({ id, path }));
  }
}
