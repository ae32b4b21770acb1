import { RunRecord } from '@cua-forge/spec/store-port';
import type { ValueRef } from '@cua-forge/spec/value';
import { build } from '../query-builder.ts';
import { parseBody, parseRow } from '../rows.ts';
import { all, modify, type Steps } from '../steps.ts';

/** Pinned outputs have the shape of a run's outputs: port → value. */
const Outputs = RunRecord.shape.outputs;

export class PinRows {
  /** `null` removes the pin. */
  *set(documentId: string, key: string, outputs: Record<string, ValueRef> | null): Steps<void> {
    if (outputs === null) {
      yield* modify(build.deleteFrom('pins').where('document_id', '=', documentId).where('key', '=', key));
      return;
    }
    const text = JSON.stringify(parseRow(Outputs, 'pins', outputs));
    yield* modify(
      build
        .insertInto('pins')
        .values({ document_id: documentId, key, outputs: text })
        .onConflict((conflict) => conflict.columns(['document_id', 'key']).doUpdateSet({ outputs: text })),
    );
  }

  *list(documentId: string): Steps<Record<string, Record<string, ValueRef>>> {
    const rows = yield* all(
      build.selectFrom('pins').select(['key', 'outputs']).where('document_id', '=', documentId).orderBy('key'),
    );
    return Object.fromEntries(rows.map(({ key, outputs }) => [key, parseBody(Outputs, 'pins', outputs)]));
  }
}
