import { diffDocuments } from '@cua-forge/spec/document-diff';
import type { PublicationList, PublishDocument, PublishResult } from '@cua-forge/spec/publication';
import { followPublished } from '../schedules/change-schedule.ts';
import type { Services } from '../services.ts';
import { refuseErrors } from './freeze-document.ts';
import { readDocument } from './read-document.ts';
import { readRevision } from './read-version.ts';

/**
 * Makes a revision the one that batches, schedules and hooks run. One with errors cannot run, so it is not published.
 * @throws ForgeError `not-found`, `document.invalid`
 */
export async function publishDocument(
  services: Services,
  id: string,
  { revision, note }: PublishDocument,
  by: string,
): Promise<PublishResult> {
  const { store, kinds, now } = services;
  const { record, findings } =
    revision === undefined
      ? await readDocument(store.meta, kinds, id)
      : await readRevision(store.meta, kinds, id, revision);
  refuseErrors(id, findings);
  const wanted = { documentId: id, revision: record.revision, note, by, at: now() };
  const publication = await store.meta.publish(wanted);
  return { publication, schedules: await followPublished(services, publication) };
}

/** @throws ForgeError `not-found` */
export async function publicationsView(
  { store, kinds }: Services,
  id: string,
  limit: number,
): Promise<PublicationList> {
  const { record, document } = await readDocument(store.meta, kinds, id);
  const publications = await store.meta.listPublications(id, limit);
  const [holding] = publications;
  const { revision } = record;
  const changes = async (): Promise<number | null> => {
    if (holding === undefined || holding.revision === revision) return holding === undefined ? null : 0;
    const published = (await readRevision(store.meta, kinds, id, holding.revision)).document;
    return published === null || document === null ? null : diffDocuments(published, document).length;
  };
  return { publications, draft: { revision, changes: await changes() } };
}
