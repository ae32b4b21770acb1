import { z } from 'zod';
import {
  DocumentFindings,
  DocumentGraph,
  DocumentList,
  DocumentView,
  RevisionList,
  SaveDocument,
  SetPin,
  ValidateDocument,
  ValidateResult,
} from '../api/documents.ts';
import { Done } from '../api/done.ts';
import type { ApiRoute } from '../api-route.ts';
import { Proposal, ProposeChange } from '../proposals.ts';
import { PublicationList, PublishDocument, PublishResult } from '../publication.ts';
import { ValueRef } from '../value.ts';
import { cursor, limit, ofDocument, whole } from './params.ts';

const revision = z.string().regex(/^[1-9]\d{0,8}$/, 'the number of a revision');

/** Workflow documents, their revisions and pins. */
export const documentsRoutes = {
  documents: {
    method: 'GET',
    path: '/documents',
    summary: 'Documents by title, without their text; `next` is the cursor of the next page.',
    role: 'viewer',
    query: z.strictObject({ limit: limit.default(1000), cursor }),
    answers: DocumentList,
  },
  document: {
    method: 'GET',
    path: '/documents/:id',
    summary:
      'One document: record, parsed document, findings; its newest revision, or with `revision=published` the one that batches run.',
    role: 'viewer',
    params: ofDocument,
    query: z.strictObject({ revision: z.enum(['latest', 'published']).default('latest') }),
    answers: DocumentView,
  },
  documentGraph: {
    method: 'GET',
    path: '/documents/:id/graph',
    summary:
      'The newest revision of a document, parsed, without its text and findings: the part that is quickly there.',
    role: 'viewer',
    params: ofDocument,
    answers: DocumentGraph,
  },
  revisions: {
    method: 'GET',
    path: '/documents/:id/revisions',
    summary: 'Every revision of a document, newest first; `next` is the `before` of the next page.',
    role: 'viewer',
    params: ofDocument,
    query: z.strictObject({ limit: limit.default(100), before: whole.optional() }),
    answers: RevisionList,
  },
  revision: {
    method: 'GET',
    path: '/documents/:id/revisions/:revision',
    summary: 'One revision of a document, as it was stored.',
    role: 'viewer',
    params: { ...ofDocument, revision },
    answers: DocumentView,
  },
  revisionFindings: {
    method: 'GET',
    path: '/documents/:id/revisions/:revision/findings',
    summary: 'What stands against one revision of a document, with lines.',
    role: 'viewer',
    params: { ...ofDocument, revision },
    answers: DocumentFindings,
  },
  publications: {
    method: 'GET',
    path: '/documents/:id/publications',
    summary: 'What was published of a document, newest first, and how far the draft is from it.',
    role: 'viewer',
    params: ofDocument,
    query: z.strictObject({ limit: limit.default(100) }),
    answers: PublicationList,
  },
  publishDocument: {
    method: 'POST',
    path: '/documents/:id/publish',
    summary:
      'Makes a revision the one that batches, schedules and hooks run; an older one rolls back. Schedules that follow what is published are moved to it.',
    role: 'author',
    params: ofDocument,
    body: PublishDocument,
    answers: PublishResult,
    repeatable: true,
    audit: { action: 'document.publish', keep: ['revision'] },
  },
  proposeChange: {
    method: 'POST',
    path: '/documents/:id/proposals',
    summary:
      'Asks a model how a document is to change for what a person says; answers with the difference, and saves it only with `accept: "if-valid"`.',
    role: 'author',
    body: ProposeChange,
    answers: Proposal,
    audit: { action: 'document.propose', keep: ['model', 'accept'] },
  },
  saveDocument: {
    method: 'PUT',
    path: '/documents/:id',
    summary: 'Saves a document. Unfinished ones may be saved; the findings come back.',
    role: 'author',
    params: ofDocument,
    body: SaveDocument,
    answers: DocumentView,
    audit: { action: 'document.save', keep: ['expectedRevision'] },
  },
  validate: {
    method: 'POST',
    path: '/validate',
    summary: 'Findings about a text, with lines.',
    role: 'viewer',
    body: ValidateDocument,
    answers: ValidateResult,
    repeatable: true,
  },
  pins: {
    method: 'GET',
    path: '/documents/:id/pins',
    summary: 'Values that stand in for outputs in runs with `usePins`: node path → port → value.',
    role: 'viewer',
    params: ofDocument,
    answers: z.record(z.string(), z.record(z.string(), ValueRef)),
  },
  setPin: {
    method: 'PUT',
    path: '/documents/:id/pins/:key',
    summary: "Pins a node's outputs, or removes the pin with null.",
    role: 'author',
    params: ofDocument,
    body: SetPin,
    answers: Done,
    repeatable: true,
    audit: { action: 'pin.set' },
  },
} as const satisfies Record<string, ApiRoute>;
