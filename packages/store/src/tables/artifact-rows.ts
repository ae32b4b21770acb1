import type { NewArtifact } from '@cua-forge/spec/store-port';
import type { Connection } from '../connection.ts';
import { build, named } from '../query-builder.ts';
import type { ArtifactRow } from '../tables.ts';

/** Small artifacts, stored as rows so that one transaction holds them and what refers to them. */
export class ArtifactRows {
  readonly #insert;
  readonly #select;
  readonly #exists;

  constructor(connection: Connection) {
    this.#insert = connection.prepare<ArtifactRow, unknown>(
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
    this.#select = connection.prepare<{ hash: string }, { bytes: Uint8Array }>(
      build.selectFrom('artifacts').select('bytes').where('hash', '=', named<string>('hash')),
    );
    this.#exists = connection.prepare<{ hash: string }, { hash: string }>(
      build.selectFrom('artifacts').select('hash').where('hash', '=', named<string>('hash')),
    );
  }

  /** Bytes that are there already stay; damaged ones are replaced. */
  put({ hash, bytes }: NewArtifact): void {
    this.#insert.run({ hash, size: bytes.byteLength, bytes });
  }

  get(hash: string): Uint8Array | null {
    return this.#select.get({ hash })?.bytes ?? null;
  }

  has(hash: string): boolean {
    return this.#exists.get({ hash }) !== undefined;
  }
}
