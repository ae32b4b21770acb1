import { findingsOf, graphOf } from '../documents/document-parts.ts';
import { proposeChange } from '../documents/propose-change.ts';
import { publicationsView, publishDocument } from '../documents/publish-document.ts';
import { hasErrors, inspect, noDocument, readDocument } from '../documents/read-document.ts';
import { readRevision, readVersion } from '../documents/read-version.ts';
import { saveDocument } from '../documents/save-document.ts';
import { readTitleCursor, titleCursorOf } from '../http/cursor.ts';
import { given } from '../http/given.ts';
import type { HandlersOf } from '../http/handlers.ts';
import { unchanging } from '../http/unchanging.ts';
import type { Services } from '../services.ts';

export function documentRoutes(
  services: Services,
): HandlersOf<
  | 'documents'
  | 'document'
  | 'documentGraph'
  | 'revisions'
  | 'revision'
  | 'revisionFindings'
  | 'publications'
  | 'publishDocument'
  | 'saveDocument'
  | 'proposeChange'
  | 'validate'
> {
  const { store, kinds } = services;
  return {
    documents: async ({ query: { limit, cursor } }) => {
      const after = cursor === undefined ? undefined : readTitleCursor(cursor);
      const page = await store.meta.listDocuments({ limit, ...given({ after }) });
      const last = page.at(-1);
      const published = await store.meta.publicationsOf(page.map(({ id }) => id));
      return {
        published: Object.fromEntries(published.map((one) => [one.documentId, one])),
        documents: page.map(({ source: _, ...record }) => record),
        next: last !== undefined && page.length === limit ? titleCursorOf(last) : null,
      };
    },

    document: async ({ params, query }) => unchanging(await readVersion(store.meta, kinds, params.id, query.revision)),

    documentGraph: async ({ params: { id } }) => unchanging(graphOf(await readDocument(store.meta, kinds, id))),

    revisions: async ({ params: { id }, query: { limit, before } }) => {
      const page = await store.meta.listDocumentRevisions(id, { limit, ...given({ before }) });
      if (page.length === 0 && (await store.meta.getDocument(id)) === null) throw noDocument(id);
      const last = page.at(-1);
      return {
        revisions: page.map(({ source: _, ...record }) => record),
        next: last !== undefined && page.length === limit && last.revision > 1 ? last.revision : null,
      };
    },

    revision: ({ params: { id, revision } }) => readRevision(store.meta, kinds, id, Number(revision)),

    revisionFindings: async ({ params: { id, revision } }) =>
      unchanging(findingsOf(await readRevision(store.meta, kinds, id, Number(revision)))),

    publications: ({ params, query }) => publicationsView(services, params.id, query.limit),

    publishDocument: ({ params, body, user }) => publishDocument(services, params.id, body, user?.name ?? ''),

    saveDocument: ({ params: { id }, body }) => saveDocument(services, id, body),

    proposeChange: ({ params: { id }, body, response }) => proposeChange(services, id, body, response),

    validate: async ({ body: { source, file } }) => {
      const { findings } = inspect(source, kinds, file);
      return { ok: !hasErrors(findings), findings };
    },
  };
}
