import type { BlobStore } from '../blob-store.ts';
import type { Connection } from '../connection.ts';
import type { ArtifactRows } from '../tables/artifact-rows.ts';
import type { CondemnedBlobRows } from '../tables/condemned-blob-rows.ts';
import { type Cell, type Page, pageOf, type TableInfo } from './store-tables.ts';

const rowsAtOnce = 1_000;
const artifactsAtOnce = 200;
const blobsAtOnce = 8;
/** Tables that name artifacts without being a reason to keep them. */
const noRoots: ReadonlySet<string> = new Set([
  ...['artifacts', 'condemned_blobs', 'blob_links', 'leases'],
  // They are drawn again when somebody wants them.
  'page_pictures',
]);

const hashes = /(?<![0-9a-f])[0-9a-f]{64}(?![0-9a-f])/g;
/** Values are JSON; of other files none is read for references. */
const jsonStart = /^\s*["[{]/;

/**
 * A set of hashes that takes a quarter of the memory of their texts: it keeps the first 52 bits. Two that agree in these
 * are taken for one, so that an artifact may be kept that could go, and never the other way round.
 */
export class HashSet {
  readonly #members = new Set<number>();

  get size(): number {
    return this.#members.size;
  }

  has(hash: string): boolean {
    return this.#members.has(shorten(hash));
  }

  /** Whether it was not there before. */
  add(hash: string): boolean {
    const before = this.#members.size;
    return this.#members.add(shorten(hash)).size > before;
  }
}

const shorten = (hash: string): number => Number.parseInt(hash.slice(0, 13), 16);

/** Every hash that occurs in a text: references of all shapes, at any depth, and others that are no artifacts. */
export const hashesIn = (text: string): string[] => text.match(hashes) ?? [];

/** Hashes that the bytes of an artifact name. */
export function linksOf(bytes: Uint8Array): string[] {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, 64)).toString('latin1');
  if (!jsonStart.test(head)) return [];
  return [...new Set(hashesIn(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')))];
}

export interface MarkParts {
  connection: Connection;
  rows: ArtifactRows;
  condemned: CondemnedBlobRows;
  blobs: BlobStore;
  tables: readonly TableInfo[];
}

/**
 * Every artifact that can be reached: named by a row of any table (documents in all versions, runs, packages, pins,
 * batches and what belongs to them), or by an artifact that can be reached. `present` are the blobs that there are; `spared` tells rows that
 * count as gone. What is stored while it runs may be missing.
 */
export async function reachableArtifacts(
  parts: MarkParts,
  present: HashSet,
  options: {
    spared?(table: TableInfo, row: Readonly<Record<string, Cell>>): boolean;
    remember: boolean;
    step(done: number): Promise<void>;
  },
): Promise<HashSet> {
  const { connection, tables } = parts;
  const reached = new HashSet();
  let waiting: string[] = [];
  let looked = 0;
  const visit = async (found: readonly string[]): Promise<void> => {
    for (const hash of found) if (reached.add(hash)) waiting.push(hash);
    while (waiting.length >= artifactsAtOnce) await follow();
  };
  const follow = async (): Promise<void> => {
    const chunk = waiting.slice(-artifactsAtOnce);
    waiting = waiting.slice(0, -artifactsAtOnce);
    for (const link of await linksFrom(parts, chunk, present, options.remember)) {
      if (reached.add(link)) waiting.push(link);
    }
    looked += chunk.length;
    await options.step(looked);
  };

  for (const table of tables) {
    if (noRoots.has(table.name)) continue;
    const texts = table.columns.filter(({ type }) => type === 'text').map(({ name }) => name);
    let after: readonly Cell[] | null = null;
    do {
      const from: readonly Cell[] | null = after;
      const page: Page = await connection.read(() => pageOf(table, from, rowsAtOnce));
      for (const row of page.rows) {
        if (options.spared?.(table, row)) continue;
        for (const name of texts) {
          const text = row[name];
          if (typeof text === 'string') await visit(hashesIn(text));
        }
      }
      looked += page.rows.length;
      await options.step(looked);
      after = page.next;
    } while (after !== null);
  }
  while (waiting.length > 0) await follow();
  return reached;
}

/** Reads without rescuing: to look at an artifact here is no reason to keep it. */
async function linksFrom(
  { connection, rows, condemned, blobs }: MarkParts,
  chunk: readonly string[],
  present: HashSet,
  remember: boolean,
): Promise<string[]> {
  const links: string[] = [];
  const inline = await connection.read(() => rows.bytesOf(chunk));
  for (const { bytes } of inline) links.push(...linksOf(bytes));
  const rest = new Set(chunk.filter((hash) => present.has(hash)));
  for (const { hash } of inline) rest.delete(hash);
  if (rest.size === 0) return links;
  for (const known of await connection.read(() => condemned.links([...rest]))) {
    rest.delete(known.hash);
    links.push(...hashesIn(known.links));
  }
  const unread = [...rest];
  const read: { hash: string; links: string }[] = [];
  const readNext = async (): Promise<void> => {
    for (let hash = unread.pop(); hash !== undefined; hash = unread.pop()) {
      const bytes = await blobs.get(hash);
      if (bytes === null) continue;
      const found = linksOf(bytes);
      links.push(...found);
      read.push({ hash, links: JSON.stringify(found) });
    }
  };
  await Promise.all(Array.from({ length: blobsAtOnce }, readNext));
  if (remember && read.length > 0) await connection.write(() => condemned.saveLinks(read));
  return links;
}
