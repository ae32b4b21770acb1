import type { Finding, GraphDocument } from '@cua-forge/spec/document';
import { parseDocument } from '@cua-forge/spec/document-io';
import { ForgeError } from '@cua-forge/spec/errors';
import type { KindMeta } from '@cua-forge/spec/kind';
import { locateFindings } from '@cua-forge/spec/locate-findings';
import type { DocumentRecord, MetaStore } from '@cua-forge/spec/store-port';
import { validateDocument } from '@cua-forge/spec/validate-document';

export interface ReadDocument {
  record: DocumentRecord;
  /** Null when its text is not a document of this build's format. */
  document: GraphDocument | null;
  findings: Finding[];
}

/** Reads a document's text and says everything that is wrong with it. */
export function inspect(
  source: string,
  kinds: readonly KindMeta[],
  file?: string,
): { document: GraphDocument | null; findings: Finding[] } {
  const { document, findings } = parseDocument(source, file === undefined ? {} : { file });
  if (document === null) return { document, findings };
  const meaning = locateFindings(validateDocument(document, kinds), document, source, file);
  return { document, findings: [...findings, ...meaning] };
}

export const hasErrors = (findings: readonly Finding[]): boolean =>
  findings.some((finding) => finding.severity === 'error');

export const noDocument = (id: string): ForgeError =>
  new ForgeError('not-found', `There is no document "${id}".`, { fix: 'GET /api/documents lists them.' });

/** @throws ForgeError `not-found` */
export async function readDocument(meta: MetaStore, kinds: readonly KindMeta[], id: string): Promise<ReadDocument> {
  const record = await meta.getDocument(id);
  if (record === null) throw noDocument(id);
  return { record, ...inspect(record.source, kinds) };
}
