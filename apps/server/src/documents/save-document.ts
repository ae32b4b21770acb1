import type { SaveDocument } from '@cua-forge/spec/api/documents';
import { serializeYaml } from '@cua-forge/spec/document-io';
import { ForgeError } from '@cua-forge/spec/errors';
import { putJson } from '../runs/json-artifact.ts';
import type { Services } from '../services.ts';
import { refuseErrors } from './freeze-document.ts';
import { inspect } from './read-document.ts';

/**
 * Stores a document as its next revision. One with findings is stored too; one that is no document is not.
 * @throws ForgeError `input.invalid`, `document.invalid`, `document.conflict`
 */
export async function saveDocument(services: Services, id: string, body: SaveDocument) {
  const { store, kinds, redactor } = services;
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
    throw new ForgeError('input.invalid', `The document calls itself "${document.id}", and the address says "${id}".`, {
      fix: 'Make them equal.',
    });
  }
  const hash = await putJson(store.artifacts, document);
  const record = await store.meta.saveDocument(id, document.title, source, hash, body.expectedRevision, services.now());
  return { record, document, findings };
}
