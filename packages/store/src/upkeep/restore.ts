import type { Readable } from 'node:stream';
import { ForgeError } from '@cua-forge/spec/errors';
import type { BackupProgress, BackupReport } from '@cua-forge/spec/upkeep';
import { sql } from 'kysely';
import { extract } from 'tar-stream';
import type { z } from 'zod';
import type { BlobStore } from '../blob-store.ts';
import { sha256 } from '../hash.ts';
import { type Migrations, migrations as released } from '../migrations.ts';
import { openParts, type StoreParts } from '../open-store.ts';
import { raw } from '../query-builder.ts';
import { all, type CarryOut, modify } from '../steps.ts';
import type { StoreSettings } from '../store-settings.ts';
import { artifactEntry, BackupEnd, BackupManifest, BackupRow, notBackedUp, tableEntry } from './backup-format.ts';
import { type Cell, storeTables, type TableInfo } from './store-tables.ts';

const rowsAtOnce = 100;

export interface RestoreOptions {
  onProgress?(progress: BackupProgress): void;
  signal?: AbortSignal;
}

interface Entry {
  name: string;
  bytes: Buffer;
}

/**
 * Fills an empty store, on any database and either place for artifacts, from the tar of a backup. Rows become visible all at
 * once at its end, when everything was found whole; otherwise the store stays empty, and only artifacts may be left over.
 * @throws ForgeError `input.invalid` when the target is not empty, or the backup is damaged, cut off or of a newer version
 */
export async function restoreBackup(
  source: Readable,
  target: StoreSettings,
  options: RestoreOptions = {},
): Promise<BackupReport> {
  const entries = entriesOf(source)[Symbol.asyncIterator]();
  const first = await entries.next();
  if (first.done || first.value.name !== 'manifest.json') throw damaged('it does not begin with a manifest');
  const manifest = parse(BackupManifest, first.value);
  const manifestBytes = first.value.bytes.byteLength;
  const migrations = migrationsOf(manifest);
  const tables = await storeTables(migrations);

  const parts = await openParts(target, migrations);
  let report: BackupReport;
  try {
    report = await parts.connection.exclusively(async (carryOut) => {
      await requireEmpty(carryOut, tables);
      const filling = new Filling(parts, carryOut, tables, options, { ...manifest.expected, bytes: manifestBytes });
      for (let entry = await entries.next(); !entry.done; entry = await entries.next()) {
        options.signal?.throwIfAborted();
        await filling.add(entry.value);
      }
      return filling.end();
    });
  } finally {
    await parts.connection.close();
  }
  // Brings what an older version wrote up to date.
  const upToDate = await openParts(target);
  await upToDate.connection.close();
  return report;
}

function migrationsOf({ migrations }: BackupManifest): Migrations {
  const unknown = migrations.filter((name) => !Object.hasOwn(released, name));
  if (unknown.length > 0) {
    throw new ForgeError(
      'input.invalid',
      `The backup was made by a newer version of the product: it has ${unknown.join(', ')}.`,
      { fix: 'Restore it with that version.' },
    );
  }
  return Object.fromEntries(Object.entries(released).filter(([name]) => migrations.includes(name)));
}

async function requireEmpty(carryOut: CarryOut, tables: readonly TableInfo[]): Promise<void> {
  for (const { name } of tables) {
    if (notBackedUp.has(name)) continue;
    const rows = await carryOut(all(raw(sql`select 1 from ${sql.table(name)} limit 1`)));
    if (rows.length === 0) continue;
    throw new ForgeError('input.invalid', `The store to restore into is not empty: its table "${name}" has rows.`, {
      fix: 'Name an empty folder or database, and stop the server that uses it.',
    });
  }
}

class Filling {
  readonly #blobs: BlobStore;
  readonly #parts: StoreParts;
  readonly #carryOut: CarryOut;
  readonly #tables: ReadonlyMap<string, TableInfo>;
  readonly #options: RestoreOptions;
  readonly #rows: Record<string, number> = {};
  #artifacts = 0;
  readonly #expected: BackupManifest['expected'];
  #bytes: number;
  #end: BackupEnd | null = null;

  constructor(
    parts: StoreParts,
    carryOut: CarryOut,
    tables: readonly TableInfo[],
    options: RestoreOptions,
    { bytes, ...expected }: BackupManifest['expected'] & { bytes: number },
  ) {
    this.#bytes = bytes;
    this.#expected = expected;
    this.#parts = parts;
    this.#blobs = parts.blobs;
    this.#carryOut = carryOut;
    this.#tables = new Map(tables.map((table) => [table.name, table]));
    this.#options = options;
  }

  async add(entry: Entry): Promise<void> {
    if (this.#end !== null) throw damaged(`there is more after its end (${entry.name})`);
    this.#bytes += entry.bytes.byteLength;
    const [, table, , hash] = tableEntry.exec(entry.name) ?? [];
    const [, artifact] = artifactEntry.exec(entry.name) ?? [];
    if (table !== undefined) await this.#addRows(entry, table, hash);
    else if (artifact !== undefined) await this.#addArtifact(entry, artifact);
    else if (entry.name === 'end.json') this.#end = parse(BackupEnd, entry);
    else throw damaged(`it holds "${entry.name}"`);
  }

  /** @throws ForgeError when not everything came that was written */
  async end(): Promise<BackupReport> {
    const end = this.#end;
    if (end === null) throw damaged('it is cut off');
    for (const [name, rows] of Object.entries(end.rows)) {
      const found = this.#rows[name] ?? 0;
      if (found !== rows) throw damaged(`it has ${found} of ${rows} rows of "${name}"`);
    }
    if (this.#artifacts !== end.artifacts) throw damaged(`it has ${this.#artifacts} of ${end.artifacts} artifacts`);
    for (const { name, counted } of this.#tables.values()) {
      if (counted !== null) await this.#carryOut(this.#parts.connection.countOn(name, counted));
    }
    return { rows: this.#total(), artifacts: this.#artifacts, bytes: this.#bytes, damaged: end.damaged };
  }

  async #addRows(entry: Entry, name: string, hash: string | undefined): Promise<void> {
    verify(entry, hash);
    const table = this.#tables.get(name);
    if (table === undefined) throw damaged(`it has a table "${name}"`);
    const lines = entry.bytes.toString('utf8').trimEnd().split('\n');
    for (let start = 0; start < lines.length; start += rowsAtOnce) {
      const rows = lines.slice(start, start + rowsAtOnce).map((line) => decode(table, parseLine(entry, line)));
      const columns = sql.join(table.columns.map((column) => sql.ref(column.name)));
      const values = sql.join(rows.map((row) => sql`(${sql.join(row)})`));
      await this.#carryOut(modify(raw(sql`insert into ${sql.table(name)} (${columns}) values ${values}`)));
    }
    this.#rows[name] = (this.#rows[name] ?? 0) + lines.length;
    this.#options.onProgress?.({
      phase: 'rows',
      done: this.#total(),
      total: this.#expected.rows,
      bytes: this.#bytes,
    });
  }

  async #addArtifact(entry: Entry, hash: string): Promise<void> {
    verify(entry, hash);
    await this.#blobs.put(hash, entry.bytes);
    this.#artifacts += 1;
    const total = Math.max(this.#expected.artifacts, this.#artifacts);
    this.#options.onProgress?.({ phase: 'artifacts', done: this.#artifacts, total, bytes: this.#bytes });
  }

  #total(): number {
    return Object.values(this.#rows).reduce((sum, rows) => sum + rows, 0);
  }
}

async function* entriesOf(source: Readable): AsyncGenerator<Entry> {
  const tar = extract();
  source.on('error', (error) => tar.destroy(error));
  source.pipe(tar);
  try {
    for await (const entry of tar) {
      const parts: Uint8Array[] = [];
      for await (const part of entry) if (part instanceof Uint8Array) parts.push(part);
      yield { name: entry.header.name, bytes: Buffer.concat(parts) };
    }
  } catch (thrown) {
    if (thrown instanceof ForgeError) throw thrown;
    throw damaged(thrown instanceof Error ? thrown.message : String(thrown), thrown);
  }
}

function parse<T extends z.ZodType>(schema: T, { name, bytes }: Entry): z.infer<T> {
  try {
    return schema.parse(JSON.parse(bytes.toString('utf8')));
  } catch (cause) {
    throw damaged(`"${name}" is not what it should be`, cause);
  }
}

const parseLine = ({ name }: Entry, line: string): z.infer<typeof BackupRow> =>
  parse(BackupRow, { name, bytes: Buffer.from(line) });

/** Cells in the order of the table's columns. A restored artifact is not condemned: its grace period begins anew. */
function decode(table: TableInfo, row: z.infer<typeof BackupRow>): Cell[] {
  return table.columns.map(({ name, type }) => {
    if (name === 'condemned_at') return null;
    const cell = row[name] ?? null;
    return type === 'blob' && typeof cell === 'string' ? Buffer.from(cell, 'base64') : cell;
  });
}

function verify({ name, bytes }: Entry, hash: string | undefined): void {
  if (sha256(bytes) !== hash) throw damaged(`"${name}" no longer has its hash`);
}

const damaged = (what: string, cause?: unknown): ForgeError =>
  new ForgeError('input.invalid', `This is not a whole backup of a store: ${what}.`, {
    fix: 'Take another copy of the file, or another backup. Nothing was restored.',
    cause,
  });
