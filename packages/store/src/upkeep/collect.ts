import type { CollectOptions, CollectPhase, CollectReport } from '@cua-forge/spec/upkeep';
import { abandonedAfter } from '../artifact-store.ts';
import type { BlobStore } from '../blob-store.ts';
import type { Connection } from '../connection.ts';
import type { ArtifactRows } from '../tables/artifact-rows.ts';
import type { CondemnedBlobRows } from '../tables/condemned-blob-rows.ts';
import { Lease } from './lease.ts';
import { countOld, pruneEvents, pruneModelTexts, pruneNodeViews, pruneRuns, runsToPrune } from './prune.ts';
import { HashSet, reachableArtifacts } from './reachability.ts';
import { storeTables } from './store-tables.ts';

const artifactsAtOnce = 500;
const day = 24 * 60 * 60 * 1000;

export interface CollectParts {
  connection: Connection;
  rows: ArtifactRows;
  condemned: CondemnedBlobRows;
  blobs: BlobStore;
}

interface Condemnable {
  hash: string;
  size: number;
  /** When it was condemned; null when it is not. */
  at: number | null;
}

type Kind = 'rows' | 'blobs';

/**
 * Collects garbage in four phases: deletes what is past its retention, finds what can be reached, condemns the other
 * artifacts, and deletes those that were condemned longer than the grace period ago and still cannot be reached. Whoever
 * touches a condemned artifact rescues it, so a reference made meanwhile holds. One collection of a store runs at a time;
 * one that dies at any point leaves a store that the next goes on with.
 * @throws ForgeError `store.busy` while another is under way
 */
export async function collect(parts: CollectParts, options: CollectOptions): Promise<CollectReport> {
  const lease = new Lease('collection of garbage');
  if (!options.dryRun) await lease.acquire(parts.connection);
  try {
    return await new Collection(parts, options, lease).run();
  } finally {
    if (!options.dryRun) await lease.release(parts.connection).catch(() => undefined);
  }
}

class Collection {
  readonly #parts: CollectParts;
  readonly #options: CollectOptions;
  readonly #lease: Lease;
  readonly #report: CollectReport;
  #renewedAt = Date.now();

  constructor(parts: CollectParts, options: CollectOptions, lease: Lease) {
    this.#parts = parts;
    this.#options = options;
    this.#lease = lease;
    const startedAt = options.now();
    this.#report = {
      dryRun: options.dryRun,
      startedAt,
      endedAt: startedAt,
      pruned: { runs: 0, events: 0, nodeViews: 0, modelTexts: 0 },
      reachable: 0,
      condemned: 0,
      waiting: 0,
      rescued: 0,
      deleted: 0,
      deletedBytes: 0,
    };
  }

  async run(): Promise<CollectReport> {
    const { connection, blobs } = this.#parts;
    const { dryRun, now } = this.#options;
    const doomed = await this.#prune();

    const present = new HashSet();
    for await (const { hash } of blobs.list()) present.add(hash);
    const tables = await storeTables();
    const reached = await reachableArtifacts({ ...this.#parts, tables }, present, {
      // A dry run deletes no rows, and looks as if it had.
      spared: (table, row) =>
        dryRun && doomed.has(String(row[table.name === 'runs' ? 'id' : 'run_id'] ?? '')) && table.name !== 'packages',
      remember: !dryRun,
      step: (done) => this.#step('mark', done, null),
    });

    const condemnedBlobs = new Map(
      (await connection.read(() => this.#parts.condemned.all())).map((row) => [row.hash, row]),
    );
    let done = 0;
    for await (const chunk of chunks(this.#rows(), artifactsAtOnce)) {
      await this.#judge('rows', chunk, reached);
      done += chunk.length;
      await this.#step('condemn', done, null);
    }
    // Blobs that came after the list was made could not be judged: nobody has looked for what refers to them.
    for await (const chunk of chunks(this.#blobs(present, condemnedBlobs), artifactsAtOnce)) {
      await this.#judge('blobs', chunk, reached);
      done += chunk.length;
      await this.#step('condemn', done, null);
    }
    await this.#forgetVanished(condemnedBlobs.keys(), present);
    this.#report.endedAt = now();
    return this.#report;
  }

  async #prune(): Promise<Set<string>> {
    const { connection } = this.#parts;
    const { retention, now: clock, dryRun } = this.#options;
    const now = clock();
    const before = (days: number | undefined): number | null => (days === undefined ? null : now - days * day);
    const cutoffs = { events: before(retention.eventDays), modelTexts: before(retention.modelTextDays) };
    const doomed = await runsToPrune(connection, retention, now);
    if (dryRun) {
      this.#report.pruned = { runs: doomed.size, ...(await countOld(connection, cutoffs)) };
      return doomed;
    }
    const step = (done: number): Promise<void> => this.#step('prune', done, null);
    const pruning = { connection, lease: this.#lease, now, step };
    const pruned = this.#report.pruned;
    pruned.runs = await pruneRuns(pruning, doomed);
    if (cutoffs.events !== null) {
      pruned.events = await pruneEvents(pruning, cutoffs.events);
      pruned.nodeViews = await pruneNodeViews(pruning, cutoffs.events);
    }
    if (cutoffs.modelTexts !== null) pruned.modelTexts = await pruneModelTexts(pruning, cutoffs.modelTexts);
    return doomed;
  }

  async *#rows(): AsyncGenerator<Condemnable> {
    let after = '';
    for (;;) {
      const from = after;
      const page = await this.#parts.connection.read(() => this.#parts.rows.page(from, artifactsAtOnce));
      for (const { hash, size, condemned_at: at } of page) yield { hash, size, at };
      after = page.at(-1)?.hash ?? '';
      if (page.length < artifactsAtOnce) return;
    }
  }

  async *#blobs(
    present: HashSet,
    condemned: ReadonlyMap<string, { condemned_at: number }>,
  ): AsyncGenerator<Condemnable> {
    for await (const { hash, size } of this.#parts.blobs.list()) {
      if (present.has(hash)) yield { hash, size, at: condemned.get(hash)?.condemned_at ?? null };
    }
  }

  /** What was condemned in this collection is never deleted in it: it was found without a reference only once. */
  async #judge(kind: Kind, chunk: readonly Condemnable[], reached: HashSet): Promise<void> {
    const { graceMs, dryRun } = this.#options;
    const until = this.#report.startedAt - graceMs;
    const fresh: string[] = [];
    const rescued: string[] = [];
    const due: Condemnable[] = [];
    for (const one of chunk) {
      if (reached.has(one.hash)) {
        this.#report.reachable += 1;
        if (one.at !== null) rescued.push(one.hash);
      } else if (one.at === null) fresh.push(one.hash);
      else if (one.at <= until) due.push(one);
      else this.#report.waiting += 1;
    }
    this.#report.condemned += fresh.length;
    this.#report.rescued += rescued.length;
    if (!dryRun) await this.#mark(kind, fresh, rescued);
    const gone = dryRun ? due : await this.#delete(kind, due, until);
    this.#report.deleted += gone.length;
    this.#report.deletedBytes += gone.reduce((sum, { size }) => sum + size, 0);
    if (gone.length > 0) await this.#step('delete', this.#report.deleted, null);
  }

  async #mark(kind: Kind, fresh: readonly string[], rescued: readonly string[]): Promise<void> {
    const { connection, rows, condemned } = this.#parts;
    const [lease, at] = [this.#lease, this.#report.startedAt];
    if (fresh.length + rescued.length === 0) return;
    const abandoned = Date.now() - abandonedAfter;
    await connection.write(function* () {
      yield* lease.renew();
      const table = kind === 'rows' ? rows : condemned;
      if (fresh.length > 0) yield* table.condemn(fresh, at);
      if (kind === 'rows' && rescued.length > 0) yield* rows.rescueAll(rescued);
      if (kind === 'blobs') for (const hash of rescued) yield* condemned.rescue(hash, abandoned);
    });
  }

  /** Returns those that were deleted: not the ones that were rescued since they were read. */
  async #delete(kind: Kind, due: readonly Condemnable[], until: number): Promise<Condemnable[]> {
    const { connection, rows, condemned, blobs } = this.#parts;
    const lease = this.#lease;
    if (due.length === 0) return [];
    const hashes = due.map(({ hash }) => hash);
    if (kind === 'rows') {
      return connection.write(function* () {
        yield* lease.renew();
        const gone = new Set(yield* rows.deleteCondemned(hashes, until));
        return due.filter(({ hash }) => gone.has(hash));
      });
    }
    const now = Date.now();
    const taken = new Set(
      await connection.write(function* () {
        yield* lease.renew();
        return yield* condemned.beginDelete(hashes, until, now, now - abandonedAfter);
      }),
    );
    if (taken.size === 0) return [];
    await blobs.delete([...taken]);
    await connection.write(() => condemned.remove([...taken]));
    return due.filter(({ hash }) => taken.has(hash));
  }

  /** Blobs that are condemned and were there no longer when the list was made: whoever began to delete them died. */
  async #forgetVanished(hashes: Iterable<string>, present: HashSet): Promise<void> {
    if (this.#options.dryRun) return;
    const { connection, condemned } = this.#parts;
    const abandoned = Date.now() - abandonedAfter;
    for (const hash of hashes) {
      if (!present.has(hash)) await connection.write(() => condemned.rescue(hash, abandoned));
    }
  }

  async #step(phase: CollectPhase, done: number, total: number | null): Promise<void> {
    this.#options.signal?.throwIfAborted();
    this.#options.onProgress?.({ phase, done, total });
    if (this.#options.dryRun || Date.now() - this.#renewedAt < 10_000) return;
    this.#renewedAt = Date.now();
    await this.#parts.connection.write(() => this.#lease.renew());
  }
}

async function* chunks<T>(source: AsyncIterable<T>, size: number): AsyncGenerator<T[]> {
  let chunk: T[] = [];
  for await (const member of source) {
    if (chunk.push(member) < size) continue;
    yield chunk;
    chunk = [];
  }
  if (chunk.length > 0) yield chunk;
}
