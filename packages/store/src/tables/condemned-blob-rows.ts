import { build } from '../query-builder.ts';
import { all, first, modify, type Steps } from '../steps.ts';
import type { CondemnedBlobRow } from '../tables.ts';

/** Blobs that nothing refers to, from the time that this was found until they are deleted or rescued. */
export class CondemnedBlobRows {
  *find(hash: string): Steps<CondemnedBlobRow | null> {
    return (yield* first(build.selectFrom('condemned_blobs').selectAll().where('hash', '=', hash))) ?? null;
  }

  *all(): Steps<CondemnedBlobRow[]> {
    return yield* all(build.selectFrom('condemned_blobs').selectAll());
  }

  *condemn(hashes: readonly string[], at: number): Steps<void> {
    yield* modify(
      build
        .insertInto('condemned_blobs')
        .values(hashes.map((hash) => ({ hash, condemned_at: at, deleting_at: null })))
        .onConflict((conflict) => conflict.column('hash').doNothing()),
    );
  }

  /** Rescues it, unless its deletion began after `abandoned`. Returns whether it is condemned no longer. */
  *rescue(hash: string, abandoned: number): Steps<boolean> {
    yield* modify(
      build
        .deleteFrom('condemned_blobs')
        .where('hash', '=', hash)
        .where((where) => where.or([where('deleting_at', 'is', null), where('deleting_at', '<=', abandoned)])),
    );
    return (yield* this.find(hash)) === null;
  }

  /** Takes those on for deletion that were condemned at `until` or before and neither rescued nor taken on since `abandoned`. */
  *beginDelete(hashes: readonly string[], until: number, now: number, abandoned: number): Steps<string[]> {
    const rows = yield* all(
      build
        .selectFrom('condemned_blobs')
        .select('hash')
        .where('hash', 'in', hashes)
        .where('condemned_at', '<=', until)
        .where((where) => where.or([where('deleting_at', 'is', null), where('deleting_at', '<=', abandoned)])),
    );
    const taken = rows.map(({ hash }) => hash);
    if (taken.length > 0)
      yield* modify(build.updateTable('condemned_blobs').set({ deleting_at: now }).where('hash', 'in', taken));
    return taken;
  }

  *remove(hashes: readonly string[]): Steps<void> {
    yield* modify(build.deleteFrom('condemned_blobs').where('hash', 'in', hashes));
    yield* modify(build.deleteFrom('blob_links').where('hash', 'in', hashes));
  }

  *links(hashes: readonly string[]): Steps<{ hash: string; links: string }[]> {
    return yield* all(build.selectFrom('blob_links').selectAll().where('hash', 'in', hashes));
  }

  *saveLinks(links: readonly { hash: string; links: string }[]): Steps<void> {
    yield* modify(
      build
        .insertInto('blob_links')
        .values([...links])
        .onConflict((conflict) => conflict.column('hash').doNothing()),
    );
  }
}
