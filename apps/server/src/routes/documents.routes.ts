import { ForgeError } from '@cua-forge/spec/errors';
import { proposeChange } from '../documents/propose-change.ts';
import { hasErrors, inspect, noDocument, readDocument } from '../documents/read-document.ts';
import { saveDocument } from '../documents/save-document.ts';
import { readTitleCursor, titleCursorOf } from '../http/cursor.ts';
import { given } from '../http/given.ts';
import type { HandlersOf } from '../http/handlers.ts';
import type { Services } from '../services.ts';

export function documentRoutes(
  services: Services,
): HandlersOf<'documents' | 'document' | 'revisions' | 'revision' | 'saveDocument' | 'proposeChange' | 'validate'> {
  const { store, kinds } = services;
  return {
    documents: async ({ query: { limit, cursor } }) => {
      const after = cursor === undefined ? undefined : readTitleCursor(cursor);
      const page = await store.meta.listDocuments({ limit, ...given({ after }) });
      const last = page.at(-1);
      return {
        documents: page.map(({ source: _, ...record }) => record),
        next: last !== undefined && page.length === limit ? titleCursorOf(last) : null,
      };
    },

    document: ({ params }) => readDocument(store.meta, kinds, params.id),

    revisions: async ({ params: { id }, query: { limit, before } }) => {
      const page = await store.meta.listDocumentRevisions(id, { limit, ...given({ before }) });
      if (page.length === 0 && (await store.meta.getDocument(id)) === null) throw noDocument(id);
      const last = page.at(-1);
      return {
        revisions: page.map(({ source: _, ...record }) => record),
        next: last !== undefined && page.length === limit && last.revision > 1 ? last.revision : null,
      };
    },

    revision: async ({ params: { id, revision: number } }) => {
      const revision = Number(number);
      const record = await store.meta.getDocumentRevision(id, revision);
      if (record !== null) return { record, ...inspect(record.source, kinds) };
      if ((await store.meta.getDocument(id)) === null) throw noDocument(id);
      throw new ForgeError('not-found', `Document "${id}" has no revision ${revision}.`, {
        fix: `GET /api/documents/${id}/revisions lists them.`,
      });
    },

    saveDocument: ({ params: { id }, body }) => saveDocument(services, id, body),

    proposeChange: ({ params: { id }, body, response }) => proposeChange(services, id, body, response),

    validate: async ({ body: { source, file } }) => {
      const { findings } = inspect(source, kinds, file);
      return { ok: !hasErrors(findings), findings };
    },
  };
}
