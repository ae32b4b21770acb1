import type { GraphDocument } from '@cua-forge/spec/document';
import { diffDocuments } from '@cua-forge/spec/document-diff';
import { applyEdits } from '@cua-forge/spec/document-edits';
import { ForgeError } from '@cua-forge/spec/errors';
import { kindIndex } from '@cua-forge/spec/kind-index';
import { type Proposal, type ProposeChange, WorkerProposal } from '@cua-forge/spec/proposals';
import { validateDocument } from '@cua-forge/spec/validate-document';
import type { Response } from 'express';
import { consult } from '../models/consult.ts';
import { putJson } from '../runs/json-artifact.ts';
import type { Services } from '../services.ts';
import { refuseErrors } from './freeze-document.ts';
import { hasErrors, readDocument } from './read-document.ts';
import { saveDocument } from './save-document.ts';

/** What is to be changed, and the revision that a save would have to find. */
async function baseOf(
  services: Services,
  id: string,
  { document: draft, accept }: ProposeChange,
): Promise<{ document: GraphDocument; revision: number | null }> {
  if (draft !== undefined) {
    if (accept === 'if-valid')
      throw new ForgeError('input.invalid', 'A proposal for a draft is not saved by itself.', {
        fix: 'Save the draft first, or leave "accept" out.',
      });
    if (draft.id !== id)
      throw new ForgeError('input.invalid', `The draft calls itself "${draft.id}", and the address says "${id}".`, {
        fix: 'Make them equal.',
      });
    return { document: draft, revision: null };
  }
  const { record, document, findings } = await readDocument(services.store.meta, services.kinds, id);
  if (document === null) {
    refuseErrors(id, findings);
    throw new ForgeError('document.invalid', `Document "${id}" cannot be read.`);
  }
  return { document, revision: record.revision };
}

/**
 * Has a worker ask a model how a document is to change, makes the edits here, and answers with the outcome and its difference. Saves nothing,
 * unless the request accepts what is valid; then a revision that somebody saved meanwhile is a conflict as in any save.
 * @throws ForgeError `model.*`, `input.invalid`, `document.conflict`, `temporal.unreachable`
 */
export async function proposeChange(
  services: Services,
  id: string,
  request: ProposeChange,
  response: Response,
): Promise<Proposal> {
  const { store, kinds, redactor } = services;
  const { document: before, revision } = await baseOf(services, id, request);
  const question = await putJson(store.artifacts, { document: before, words: redactor.text(request.words) });
  const model = request.model ?? null;
  const proposed = await consult(services, { what: 'propose', question, model }, WorkerProposal, response);
  const index = kindIndex(kinds);
  const document = applyEdits(before, proposed.edits, (kind) => index.newest(kind)?.version ?? 1);
  const findings = validateDocument(document, kinds);
  // The worker has checked it with its own kinds; another build may have others.
  if (hasErrors(findings)) refuseErrors(id, findings);
  const changes = diffDocuments(before, document);
  const accepted =
    request.accept === 'if-valid'
      ? (await saveDocument(services, id, { document, expectedRevision: revision })).record.revision
      : null;
  return { ...proposed, documentId: id, revision, document, changes, findings, accepted };
}
