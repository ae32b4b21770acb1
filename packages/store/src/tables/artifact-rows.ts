import type { NewArtifact } from '@cua-forge/spec/store-port';
import { build, named } from '../query-builder.ts';
import { all, modify, PreparedQuery, type Steps } from '../steps.ts';

export interface StoredArtifact {
  hash: string;
  size: number;
  condemned_at: number | null;
}

/**
 * Small artifacts, stored as rows so that one transaction holds them and what refers to them. A row that was condemned
 * and is wanted again is rescued by `put` or `rescue`.
 */
export class ArtifactRows {
  readonly #insert;
  readonly #select;
  readonly #exists;

  constructor() {
    this.#insert = new PreparedQuery<{ hash: string; size: number; bytes: Uint8Array }, unknown>(
      build
        .insertInto('artifacts')
        .values({ hash: named('hash'), size: named('size'), bytes: named('bytes'), condemned_at: null })
        .onConflict((conflict) =>
          conflict
            .column('hash')
            .doUpdateSet((row) => ({
              bytes: row.ref('excluded.bytes'),
              size: row.ref('excluded.size'),
              condemned_at: null,
            }))
            .where((where) =>
              where.or([
                where('artifacts.bytes', '<>', where.ref('excluded.bytes')),
                where('artifacts.condemned_at', 'is not', null),
              ]),
            ),
        ),
    );
    this.#select = new PreparedQuery<{ hash: string }, { bytes: Uint8Array; condemned_at: number | null }>(
      build.selectFrom('artifacts').select(['bytes', 'condemned_at']).where('hash', '=', named<string>('hash')),
    );
    this.#exists = new PreparedQuery<{ hash: string }, { condemned_at: number | null }>(
      build.selectFrom('artifacts').select('condemned_at').where('hash', '=', named<string>('hash')),
    );
  }

  /** Bytes that are there already stay; damaged ones are replaced. */
  *put({ hash, bytes }: NewArtifact): Steps<void> {
    yield* this.#insert.modify({ hash, size: bytes.byteLength, bytes });
  }

  *get(hash: string): Steps<{ bytes: Uint8Array; condemned: boolean } | null> {
    const row = yield* this.#select.first({ hash });
    return row === undefined ? null : { bytes: row.bytes, condemned: row.condemned_at !== null };
  }

  *has(hash: string): Steps<{ condemned: boolean } | null> {
    const row = yield* this.#exists.first({ hash });
    return row === undefined ? null : { condemned: row.condemned_at !== null };
  }

  /** Whether the row is still there. */
  *rescue(hash: string): Steps<boolean> {
    return (yield* modify(build.updateTable('artifacts').set({ condemned_at: null }).where('hash', '=', hash))) > 0;
  }

  /** By hash, after one. */
  *page(after: string, limit: number): Steps<StoredArtifact[]> {
    return yield* all(
      build
        .selectFrom('artifacts')
        .select(['hash', 'size', 'condemned_at'])
        .where('hash', '>', after)
        .orderBy('hash')
        .limit(limit),
    );
  }

  *bytesOf(hashes: readonly string[]): Steps<{ hash: string; bytes: Uint8Array }[]> {
    return yield* all(build.selectFrom('artifacts').select(['hash', 'bytes']).where('hash', 'in', hashes));
  }

  *condemn(hashes: readonly string[], at: number): Steps<void> {
    yield* modify(
      build
        .updateTable('artifacts')
        .set({ condemned_at: at })
        .where('hash', 'in', hashes)
        .where('condemned_at', 'is', null),
    );
  }

  *rescueAll(hashes: readonly string[]): Steps<void> {
    yield* modify(build.updateTable('artifacts').set({ condemned_at: null }).where('hash', 'in', hashes));
  }

  /** Deletes those that were condemned at `until` or before and not rescued since; returns which these were. */
  *deleteCondemned(hashes: readonly string[], until: number): Steps<string[]> {
    const gone = yield* all(
      build.deleteFrom('artifacts').where('hash', 'in', hashes).where('condemned_at', '<=', until).returning('hash'),
    );
    return gone.map(({ hash }) => hash);
  }
}
