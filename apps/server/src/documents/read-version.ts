import { ForgeError } from '@cua-forge/spec/errors';
import type { KindMeta } from '@cua-forge/spec/kind';
import { listedAt } from '@cua-forge/spec/listed-at';
import type { RevisionChoice } from '@cua-forge/spec/publication';
import type { MetaStore } from '@cua-forge/spec/store-port';
import { inspectRecord, noDocument, type ReadDocument, readDocument } from './read-document.ts';

/** @throws ForgeError `not-found` */
export async function readRevision(
  meta: MetaStore,
  kinds: readonly KindMeta[],
  id: string,
  revision: number,
): Promise<ReadDocument> {
  const record = await meta.getDocumentRevision(id, revision);
  if (record !== null) return inspectRecord(record, kinds);
  if ((await meta.getDocument(id)) === null) throw noDocument(id);
  throw new ForgeError('not-found', `Document "${id}" has no revision ${revision}.`, {
    fix: listedAt(`documents/${id}/revisions`),
  });
}

/** Reads the revision that is meant. @throws ForgeError `not-found` */
export async function readVersion(
  meta: MetaStore,
  kinds: readonly KindMeta[],
  id: string,
  choice: RevisionChoice,
): Promise<ReadDocument> {
  if (typeof choice === 'number') return readRevision(meta, kinds, id, choice);
  if (choice === 'latest') return readDocument(meta, kinds, id);
  const [published] = await meta.publicationsOf([id]);
  return published === undefined ? readDocument(meta, kinds, id) : readRevision(meta, kinds, id, published.revision);
}
