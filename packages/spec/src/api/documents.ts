import { z } from 'zod';
import { Finding, GraphDocument } from '../document.ts';
import { Json } from '../json.ts';
import { Publication } from '../publication.ts';
import { DocumentRecord } from '../store-port.ts';

/** GET /api/documents */
export const DocumentList = z.strictObject({
  documents: z.array(DocumentRecord.omit({ source: true })),
  /** What is published of them, by their ids. */
  published: z.record(z.string(), Publication),
  next: z.string().nullable(),
});

/** GET /api/documents/:id */
export const DocumentView = z.strictObject({
  record: DocumentRecord,
  document: GraphDocument.nullable(),
  findings: z.array(Finding),
});
export type DocumentView = z.infer<typeof DocumentView>;

/** GET /api/documents/:id/graph: what an editor needs before it can show anything. Where `document` is null, `GET /api/documents/:id` tells why. */
export const DocumentGraph = z.strictObject({
  record: DocumentRecord.omit({ source: true }),
  document: GraphDocument.nullable(),
});
export type DocumentGraph = z.infer<typeof DocumentGraph>;
/** GET /api/documents/:id/revisions/:revision/findings */
export const DocumentFindings = z.strictObject({ findings: z.array(Finding) });
/** GET /api/documents/:id/revisions?limit=&before= . Newest first, without their text; `next` is the `before` of the next page. */
export const RevisionList = z.strictObject({
  revisions: z.array(DocumentRecord.omit({ source: true })),
  next: z.number().int().positive().nullable(),
});
export type RevisionList = z.infer<typeof RevisionList>;

/** PUT /api/documents/:id: `document` or its `source` as YAML; `expectedRevision` null for a new one. 409 when another revision is there. */
export const SaveDocument = z.strictObject({
  document: GraphDocument.optional(),
  source: z.string().optional(),
  expectedRevision: z.number().int().positive().nullable(),
});
export type SaveDocument = z.infer<typeof SaveDocument>;

/** POST /api/validate */
export const ValidateDocument = z.strictObject({ source: z.string(), file: z.string().optional() });

export const ValidateResult = z.strictObject({ ok: z.boolean(), findings: z.array(Finding) });

/** PUT /api/documents/:id/pins/:key: outputs by port (plain values), or null to remove. GET /api/documents/:id/pins: key → outputs. */
export const SetPin = z.strictObject({ outputs: z.record(z.string(), Json).nullable() });
