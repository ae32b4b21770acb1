import type { DocumentView } from '@cua-forge/spec/api/documents';
import { ForgeError } from '@cua-forge/spec/errors';
import { documentsApi } from '../api/documents-api.ts';
import type { DocumentStore } from './document-store.ts';

export type SaveResult = { status: 'saved' } | { status: 'conflict'; theirs: DocumentView };

/**
 * Stores the document on top of the revision it was opened from (or of `over`). Edits made meanwhile stay unsaved.
 * @throws ForgeError for everything but a conflict
 */
export async function saveDocument(store: DocumentStore, over?: number): Promise<SaveResult> {
  const { document, revision } = store.getState();
  try {
    const { record } = await documentsApi.saveDocument(document.id, { document, expectedRevision: over ?? revision });
    store.getState().acceptSave(document, record.revision);
    return { status: 'saved' };
  } catch (error) {
    if (error instanceof ForgeError && error.code === 'document.conflict')
      return { status: 'conflict', theirs: await documentsApi.document(document.id) };
    throw error;
  }
}
