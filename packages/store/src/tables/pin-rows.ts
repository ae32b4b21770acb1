import { RunRecord } from '@cua-forge/spec/store-port';
import type { ValueRef } from '@cua-forge/spec/value';
import type { Connection } from '../connection.ts';
import { build } from '../query-builder.ts';
import { parseBody, parseRow } from '../rows.ts';

/** Pinned outputs have the shape of a run's outputs: port → value. */
const Outputs = RunRecord.shape.outputs;

export class PinRows {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** `null` removes the pin. */
  set(documentId: string, key: string, outputs: Record<string, ValueRef> | null): void {
    if (outputs === null) {
      this.#connection.change(build.deleteFrom('pins').where('document_id', '=', documentId).where('key', '=', key));
      return;
    }
    const text = JSON.stringify(parseRow(Outputs, 'pins', outputs));
    this.#connection.change(
      build
        .insertInto('pins')
        .values({ document_id: documentId, key, outputs: text })
        .onConflict((conflict) => conflict.columns(['document_id', 'key']).doUpdateSet({ outputs: text })),
    );
  }

  list(documentId: string): Record<string, Record<string, ValueRef>> {
    const rows = this.#connection.all(
      build.selectFrom('pins').select(['key', 'outputs']).where('document_id', '=', documentId).orderBy('key'),
    );
    return Object.fromEntries(rows.map(({ key, outputs }) => [key, parseBody(Outputs, 'pins', outputs)]));
  }
}
