import type { Finding } from '@cua-forge/spec/document';
import type { ReadDocument } from './read-document.ts';

type Graph = Pick<ReadDocument, 'document'> & { record: Omit<ReadDocument['record'], 'source'> };
const graphs = new WeakMap<ReadDocument, Graph>();
const lists = new WeakMap<ReadDocument, { findings: Finding[] }>();

/** A document without its text and findings; the same object for the same document. */
export function graphOf(read: ReadDocument): Graph {
  const { source: _, ...record } = read.record;
  const graph = graphs.get(read) ?? { record, document: read.document };
  graphs.set(read, graph);
  return graph;
}

/** What stands against a document; the same object for the same document. */
export function findingsOf(read: ReadDocument): { findings: Finding[] } {
  const list = lists.get(read) ?? { findings: read.findings };
  lists.set(read, list);
  return list;
}
