import type { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import type { BackupProgress, BackupReport } from '@cua-forge/spec/upkeep';
import { sql } from 'kysely';
import { pack } from 'tar-stream';
import type { Snapshot } from '../connection.ts';
import { sha256 } from '../hash.ts';
import { migrations } from '../migrations.ts';
import type { StoreParts } from '../open-store.ts';
import { raw } from '../query-builder.ts';
import { all, type Steps } from '../steps.ts';
import { type BackupEnd, type BackupManifest, notBackedUp } from './backup-format.ts';
import { type Cell, type Page, pageOf, type Row, storeTables, type TableInfo } from './store-tables.ts';

const rowsAtOnce = 500;
const chunkBytes = 2 * 1024 * 1024;

export interface BackupOptions {
  now(): number;
  onProgress?(progress: BackupProgress): void;
  signal?: AbortSignal;
}

/**
 * Writes a backup of a store that may be in use: rows as they are at one time, and every artifact that they refer to. Ends
 * the stream. An artifact whose bytes are damaged is left out and named in the report.
 */
export async function writeBackup(
  { connection, blobs }: StoreParts,
  out: Writable,
  options: BackupOptions,
): Promise<BackupReport> {
  const writer = new BackupWriter(out, options);
  const tables = (await storeTables()).filter(({ name }) => !notBackedUp.has(name));
  const snapshot = await connection.snapshot();
  try {
    const expected = { rows: 0, artifacts: 0 };
    for (const { name } of tables) expected.rows += await snapshot.read(() => countRows(name));
    for await (const _ of blobs.list()) expected.artifacts += 1;
    writer.expect(expected);
    const manifest: BackupManifest = {
      format: 1,
      product: 'cua-forge',
      createdAt: options.now(),
      migrations: Object.keys(migrations).sort(),
      expected,
    };
    await writer.add('manifest.json', Buffer.from(JSON.stringify(manifest)));
    for (const table of tables) await writer.addTable(snapshot, table);
  } finally {
    await snapshot.close();
  }
  // What the rows refer to was there before them and stays for the grace period of the collection of garbage at least.
  for await (const { hash } of blobs.list()) {
    const bytes = await blobs.get(hash);
    if (bytes !== null) await writer.addArtifact(hash, bytes);
  }
  return writer.end();
}

class BackupWriter {
  readonly #pack = pack();
  readonly #out: Writable;
  readonly #options: BackupOptions;
  readonly #end: BackupEnd = { rows: {}, artifacts: 0, damaged: [] };
  #expected = { rows: 0, artifacts: 0 };
  #bytes = 0;

  constructor(out: Writable, options: BackupOptions) {
    this.#out = out;
    this.#options = options;
    this.#pack.pipe(out);
    out.on('error', (error) => this.#pack.destroy(error));
  }

  expect(expected: BackupManifest['expected']): void {
    this.#expected = expected;
  }

  async addTable(snapshot: Snapshot, table: TableInfo): Promise<void> {
    let [rows, number] = [0, 0];
    let lines: string[] = [];
    let size = 0;
    const flush = async (): Promise<void> => {
      if (lines.length === 0) return;
      const bytes = Buffer.from(`${lines.join('\n')}\n`);
      number += 1;
      lines = [];
      size = 0;
      await this.add(`tables/${table.name}/${String(number).padStart(6, '0')}-${sha256(bytes)}.jsonl`, bytes);
      this.#options.onProgress?.({
        phase: 'rows',
        done: this.#rows(),
        total: this.#expected.rows,
        bytes: this.#bytes,
      });
    };
    let after: readonly Cell[] | null = null;
    do {
      const from: readonly Cell[] | null = after;
      const page: Page = await snapshot.read(() => pageOf(table, from, rowsAtOnce));
      for (const row of page.rows) {
        const line = JSON.stringify(encode(table, row));
        size += line.length;
        lines.push(line);
        rows += 1;
        this.#end.rows[table.name] = rows;
        if (size >= chunkBytes) await flush();
      }
      after = page.next;
    } while (after !== null);
    this.#end.rows[table.name] = rows;
    await flush();
  }

  async addArtifact(hash: string, bytes: Uint8Array): Promise<void> {
    if (sha256(bytes) === hash) {
      await this.add(`artifacts/${hash}`, bytes);
      this.#end.artifacts += 1;
    } else this.#end.damaged.push(hash);
    const total = Math.max(this.#expected.artifacts, this.#end.artifacts);
    this.#options.onProgress?.({ phase: 'artifacts', done: this.#end.artifacts, total, bytes: this.#bytes });
  }

  async add(name: string, bytes: Uint8Array): Promise<void> {
    this.#options.signal?.throwIfAborted();
    this.#bytes += bytes.byteLength;
    const header = { name, size: bytes.byteLength, mtime: new Date(0) };
    // It is called when the bytes have been taken, not before the file can keep up.
    await new Promise<void>((resolve, reject) => {
      const entry = this.#pack.entry(header, (error) => (error ? reject(error) : resolve()));
      entry.on('error', reject);
      entry.end(bytes);
    });
  }

  async end(): Promise<BackupReport> {
    await this.add('end.json', Buffer.from(JSON.stringify(this.#end)));
    this.#pack.finalize();
    await finished(this.#out);
    const { artifacts, damaged } = this.#end;
    return { rows: this.#rows(), artifacts, bytes: this.#bytes, damaged };
  }

  #rows(): number {
    return Object.values(this.#end.rows).reduce((sum, rows) => sum + rows, 0);
  }
}

function* countRows(table: string): Steps<number> {
  const rows = yield* all(raw(sql<{ count: number }>`select count(*) as count from ${sql.table(table)}`));
  return rows[0]?.count ?? 0;
}

function encode(table: TableInfo, row: Row): Record<string, string | number | null> {
  const encoded: Record<string, string | number | null> = {};
  for (const { name } of table.columns) {
    const cell = row[name] ?? null;
    encoded[name] = cell instanceof Uint8Array ? Buffer.from(cell).toString('base64') : cell;
  }
  return encoded;
}
