import { z } from 'zod';
import { Finding, GraphDocument } from './document.ts';
import { DocumentEdit } from './document-edits.ts';
import { Json } from './json.ts';
import { Usage } from './model-port.ts';

/** POST /api/documents/:id/proposals: what a person wants of the document, in their words. */
export const ProposeChange = z.strictObject({
  words: z.string().trim().min(1).max(8_000),
  /** An unsaved draft to change instead of what is stored. */
  document: GraphDocument.optional(),
  /** As nodes name it; left out, the configured default. */
  model: z.string().min(1).max(200).optional(),
  /** `if-valid`: saves it at once when nothing is wrong with it and nobody has saved meanwhile. Not for drafts. */
  accept: z.enum(['never', 'if-valid']).default('never'),
});
export type ProposeChange = z.infer<typeof ProposeChange>;

/** What a model answers, and what a worker makes of it. */
export const ProposedEdits = z.strictObject({
  summary: z.string().min(1).max(1_000).describe('What changes and why, in one or two sentences for the person.'),
  edits: z.array(DocumentEdit).min(1).max(100),
});
export type ProposedEdits = z.infer<typeof ProposedEdits>;
export const WorkerProposal = z.strictObject({
  ...ProposedEdits.shape,
  provider: z.string(),
  model: z.string(),
  /** Calls that it took: an answer that could not be used is corrected. */
  calls: z.number().int().positive(),
  usage: Usage,
  usd: z.number().nullable(),
});
export type WorkerProposal = z.infer<typeof WorkerProposal>;

/** One difference of meaning, as `diffDocuments` names it. */
export const ShownChange = z.strictObject({
  what: z.enum(['document', 'graph', 'input', 'node', 'edge', 'output']),
  change: z.enum(['added', 'removed', 'changed']),
  graph: z.string(),
  name: z.string(),
  path: z.string().optional(),
  before: Json.optional(),
  after: Json.optional(),
});

/** A change that waits for somebody to accept it: nothing has been saved, unless `accepted` says so. */
export const Proposal = z.strictObject({
  ...WorkerProposal.shape,
  documentId: z.string(),
  /** Revision that it was made for; null for a draft. Accepting is saving `document` with it as `expectedRevision`. */
  revision: z.number().int().positive().nullable(),
  /** The whole document as it would be. */
  document: GraphDocument,
  changes: z.array(ShownChange),
  /** Warnings; a proposal has no errors. */
  findings: z.array(Finding),
  /** The revision that it became, where the request said `if-valid`. */
  accepted: z.number().int().positive().nullable(),
});
export type Proposal = z.infer<typeof Proposal>;
