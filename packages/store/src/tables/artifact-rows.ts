import type { NewArtifact } from '@cua-forge/spec/store-port';
import { build, named } from '../query-builder.ts';
import { PreparedQuery, type Steps } from '../steps.ts';
import type { ArtifactRow } from '../tables.ts';

/** Small artifacts, stored as rows so that one transaction holds them and what refers to them. */
export class ArtifactRows {
  readonly #insert;
  readonly #select;
  readonly #exists;

  constructor() {
    this.#insert = new PreparedQuery<ArtifactRow, unknown>(
      build
        .insertInto('artifacts')
        .values({ hash: named('hash'), size: named('size'), bytes: named('bytes') })
        .onConflict((conflict) =>
          conflict
            .column('hash')
            .doUpdateSet((row) => ({ bytes: row.ref('excluded.bytes'), size: row.ref('excluded.size') }))
            .whereRef('artifacts.bytes', '<>', 'excluded.bytes'),
        ),
    );
    this.#select = new PreparedQuery<{ hash: string }, { bytes: Uint8Array }>(
      build.selectFrom('artifacts').select('bytes').where('hash', '=', named<string>('hash')),
    );
    this.#exists = new PreparedQuery<{ hash: string }, { hash: string }>(
      build.selectFrom('artifacts').select('hash').where('hash', '=', named<string>('hash')),
    );
  }

  /** Bytes that are there already stay; damaged ones are replaced. */
  *put({ hash, bytes }: NewArtifact): Steps<void> {
    yield* this.#insert.modify({ hash, size: bytes.byteLength, bytes });
  }

  *get(hash: string): Steps<Uint8Array | null> {
    return (yield* this.#select.first({ hash }))?.bytes ?? null;
  }

  *has(hash: string): Steps<boolean> {
    return (yield* this.#exists.first({ hash })) !== undefined;
  }
}
