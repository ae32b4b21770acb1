import { serializeYaml } from '@cua-forge/spec/document-io';
import { ForgeError } from '@cua-forge/spec/errors';
import { refuseErrors } from '../documents/freeze-document.ts';
import { hasErrors, inspect, noDocument, readDocument } from '../documents/read-document.ts';
import { readTitleCursor, titleCursorOf } from '../http/cursor.ts';
import { given } from '../http/given.ts';
import type { HandlersOf } from '../http/handlers.ts';
import { putJson } from '../runs/json-artifact.ts';
import type { Services } from '../services.ts';

export function documentRoutes(
  services: Services,
): HandlersOf<'documents' | 'document' | 'revisions' | 'revision' | 'saveDocument' | 'validate'> {
  const { store, kinds, redactor } = services;
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

    saveDocument: async ({ params: { id }, body }) => {
      if ((body.document === undefined) === (body.source === undefined)) {
        throw new ForgeError('input.invalid', 'A document is saved from either "document" or "source", and not both.', {
          fix: 'Send one of them.',
        });
      }
      const source = body.source ?? (body.document === undefined ? '' : serializeYaml(body.document));
      if (redactor.text(source) !== source) {
        throw new ForgeError('input.invalid', `Document "${id}" holds the value of a secret.`, {
          fix: 'Write {{secret:NAME}} where a node takes it; the value stays with the worker.',
        });
      }
      const { document, findings } = inspect(source, kinds);
      if (document === null) {
        refuseErrors(id, findings);
        throw new ForgeError('document.invalid', `The text is no document.`, {
          fix: 'See docs/authoring/document-format.md.',
        });
      }
      if (document.id !== id) {
        throw new ForgeError(
          'input.invalid',
          `The document calls itself "${document.id}", and the address says "${id}".`,
          { fix: 'Make them equal.' },
        );
      }
      const hash = await putJson(store.artifacts, document);
      const record = await store.meta.saveDocument(
        id,
        document.title,
        source,
        hash,
        body.expectedRevision,
        services.now(),
      );
      return { record, document, findings };
    },

    validate: async ({ body: { source, file } }) => {
      const { findings } = inspect(source, kinds, file);
      return { ok: !hasErrors(findings), findings };
    },
  };
}
