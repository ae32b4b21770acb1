import { isDeepStrictEqual } from 'node:util';
import type { Finding, GraphDocument } from '@cua-forge/spec/document';
import { parseDocument } from '@cua-forge/spec/document-io';
import { readSource } from '@cua-forge/spec/document-source';
import { ForgeError } from '@cua-forge/spec/errors';
import type { KindMeta } from '@cua-forge/spec/kind';
import { listedAt } from '@cua-forge/spec/listed-at';
import { locateFindings } from '@cua-forge/spec/locate-findings';
import type { DocumentRecord, MetaStore } from '@cua-forge/spec/store-port';
import { validateDocument } from '@cua-forge/spec/validate-document';

export interface ReadDocument {
  record: DocumentRecord;
  /** Null when its text is not a document of this build's format. */
  document: GraphDocument | null;
  findings: Finding[];
}

interface Inspected {
  document: GraphDocument | null;
  findings: Finding[];
}

/** Characters of the texts whose inspections are kept: large documents take a second each, and are opened again and again. */
const KEPT_LENGTH = 8_000_000;
/** By the kinds that they were checked against; of each, by text and file, the one used last at the end. */
const inspected = new WeakMap<readonly KindMeta[], Map<string, Inspected>>();

/** Reads a document's text and says everything that is wrong with it. What is returned may be shared: change none of it. */
export function inspect(text: string, kinds: readonly KindMeta[], file?: string): Inspected {
  const kept = inspected.get(kinds) ?? new Map<string, Inspected>();
  inspected.set(kinds, kept);
  const key = `${file ?? ''}\n${text}`;
  const known = kept.get(key) ?? inspectAnew(text, kinds, file);
  kept.delete(key);
  kept.set(key, known);
  let length = 0;
  for (const each of kept.keys()) length += each.length;
  for (const oldest of kept.keys()) {
    if (length <= KEPT_LENGTH) break;
    kept.delete(oldest);
    length -= oldest.length;
  }
  return known;
}

function inspectAnew(text: string, kinds: readonly KindMeta[], file?: string): Inspected {
  const source = readSource(text, file);
  const { document, findings } = parseDocument(text, { source });
  if (document === null) return { document, findings };
  return { document, findings: [...findings, ...locateFindings(validateDocument(document, kinds), document, source)] };
}

export const hasErrors = (findings: readonly Finding[]): boolean =>
  findings.some((finding) => finding.severity === 'error');

export const noDocument = (id: string): ForgeError =>
  new ForgeError('not-found', `There is no document "${id}".`, { fix: listedAt('documents') });

const views = new WeakMap<Inspected, ReadDocument>();

/** A stored text with what stands in it; the same object for as long as nothing of it has changed and its inspection is kept. */
export function inspectRecord(record: DocumentRecord, kinds: readonly KindMeta[]): ReadDocument {
  const found = inspect(record.source, kinds);
  const before = views.get(found);
  if (before !== undefined && isDeepStrictEqual(before.record, record)) return before;
  const view = { record, ...found };
  views.set(found, view);
  return view;
}

/** @throws ForgeError `not-found` */
export async function readDocument(meta: MetaStore, kinds: readonly KindMeta[], id: string): Promise<ReadDocument> {
  const record = await meta.getDocument(id);
  if (record === null) throw noDocument(id);
  return inspectRecord(record, kinds);
}
