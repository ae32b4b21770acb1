import { DocumentList, DocumentView, SaveDocument, ValidateDocument, ValidateResult } from '@cua-forge/spec/api';
import { NodeId } from '@cua-forge/spec/document';
import { serializeYaml } from '@cua-forge/spec/document-io';
import { ForgeError } from '@cua-forge/spec/errors';
import { Router } from 'express';
import { z } from 'zod';
import { refuseErrors } from '../documents/freeze-document.ts';
import { hasErrors, inspect, readDocument } from '../documents/read-document.ts';
import { endpoint, read } from '../http/endpoint.ts';
import { putJson } from '../runs/json-artifact.ts';
import type { Services } from '../services.ts';

const Path = z.object({ id: NodeId });

export function documentRoutes(services: Services): Router {
  const { store, kinds } = services;
  const router = Router();

  router.get(
    '/documents',
    endpoint(DocumentList, async () => (await store.meta.listDocuments()).map(({ source: _, ...record }) => record)),
  );

  router.get(
    '/documents/:id',
    endpoint(DocumentView, (request) => readDocument(store.meta, kinds, read(Path, request.params, 'path').id)),
  );

  router.put(
    '/documents/:id',
    endpoint(DocumentView, async (request) => {
      const { id } = read(Path, request.params, 'path');
      const body = read(SaveDocument, request.body, 'body');
      if ((body.document === undefined) === (body.source === undefined)) {
        throw new ForgeError('input.invalid', 'A document is saved from either "document" or "source", and not both.', {
          fix: 'Send one of them.',
        });
      }
      const source = body.source ?? (body.document === undefined ? '' : serializeYaml(body.document));
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
    }),
  );

  router.post(
    '/validate',
    endpoint(ValidateResult, async (request) => {
      const { source, file } = read(ValidateDocument, request.body, 'body');
      const { findings } = inspect(source, kinds, file);
      return { ok: !hasErrors(findings), findings };
    }),
  );
  return router;
}
