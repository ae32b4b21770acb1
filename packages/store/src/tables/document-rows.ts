import { ForgeError } from '@cua-forge/spec/errors';
import { DocumentRecord, type MetaStore } from '@cua-forge/spec/store-port';
import { build } from '../query-builder.ts';
import { parseRow } from '../rows.ts';
import { all, first, modify, type Steps } from '../steps.ts';
import type { DocumentVersionRow } from '../tables.ts';

type RevisionPage = Parameters<MetaStore['listDocumentRevisions']>[1];
type Page = Parameters<MetaStore['listDocuments']>[0];

export class DocumentRows {
  /** @throws ForgeError `document.conflict` when the stored revision is not the expected one */
  *save(document: Omit<DocumentRecord, 'revision'>, expectedRevision: number | null): Steps<DocumentRecord> {
    const { id, title, hash, source, updatedAt } = document;
    const stored = yield* first(build.selectFrom('documents').select('revision').where('id', '=', id));
    const revision = stored?.revision ?? null;
    if (revision !== expectedRevision) throw conflict(id, revision, expectedRevision);
    const record = parseRow(DocumentRecord, 'document_versions', { ...document, revision: (revision ?? 0) + 1 });
    yield* modify(
      build
        .insertInto('documents')
        .values({ id, revision: record.revision })
        .onConflict((other) => other.column('id').doUpdateSet({ revision: record.revision })),
    );
    yield* modify(
      build
        .insertInto('document_versions')
        .values({ document_id: id, revision: record.revision, title, hash, source, updated_at: updatedAt }),
    );
    return record;
  }

  *get(id: string): Steps<DocumentRecord | null> {
    const row = yield* first(this.#current().where('documents.id', '=', id));
    return row === undefined ? null : toRecord(row);
  }

  /** The newest version with this content. */
  *getVersion(hash: string): Steps<DocumentRecord | null> {
    const row = yield* first(
      build
        .selectFrom('document_versions')
        .selectAll()
        .where('hash', '=', hash)
        .orderBy('updated_at', 'desc')
        .orderBy('revision', 'desc')
        .limit(1),
    );
    return row === undefined ? null : toRecord(row);
  }

  *getRevision(id: string, revision: number): Steps<DocumentRecord | null> {
    const row = yield* first(this.#revisions(id).where('revision', '=', revision));
    return row === undefined ? null : toRecord(row);
  }

  /** Newest first. */
  *listRevisions(id: string, { before, limit }: RevisionPage = {}): Steps<DocumentRecord[]> {
    let query = this.#revisions(id).orderBy('revision', 'desc');
    if (before !== undefined) query = query.where('revision', '<', before);
    if (limit !== undefined) query = query.limit(limit);
    return (yield* all(query)).map(toRecord);
  }

  #revisions(id: string) {
    return build.selectFrom('document_versions').selectAll().where('document_id', '=', id);
  }

  /** By title. */
  *list({ after, limit }: Page = {}): Steps<DocumentRecord[]> {
    let query = this.#current().orderBy('version.title').orderBy('documents.id');
    if (after !== undefined) {
      query = query.where(({ eb, refTuple, tuple }) =>
        eb(refTuple('version.title', 'documents.id'), '>', tuple(after.title, after.id)),
      );
    }
    if (limit !== undefined) query = query.limit(limit);
    return (yield* all(query)).map(toRecord);
  }

  #current() {
    return build
      .selectFrom('documents')
      .innerJoin('document_versions as version', (join) =>
        join.onRef('version.document_id', '=', 'documents.id').onRef('version.revision', '=', 'documents.revision'),
      )
      .selectAll('version');
  }
}

const toRecord = (row: DocumentVersionRow): DocumentRecord =>
  parseRow(DocumentRecord, 'document_versions', {
    id: row.document_id,
    title: row.title,
    revision: row.revision,
    hash: row.hash,
    source: row.source,
    updatedAt: row.updated_at,
  });

function conflict(id: string, stored: number | null, expected: number | null): ForgeError {
  const found = stored === null ? 'does not exist' : `is at revision ${stored}`;
  const wanted = expected === null ? 'a new document was to be saved' : `revision ${expected} was expected`;
  return new ForgeError('document.conflict', `Document "${id}" ${found}, but ${wanted}.`, {
    fix: 'Load the stored document, apply your changes to it, and save again.',
  });
}
