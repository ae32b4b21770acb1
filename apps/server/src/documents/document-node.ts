import { type GraphDocument, type GraphNode, MAIN_GRAPH } from '@cua-forge/spec/document';
import type { KindMeta } from '@cua-forge/spec/kind';
import { kindIndex } from '@cua-forge/spec/kind-index';
import { bodyName, graphOf } from '@cua-forge/spec/ports';

/** The document's node at a node path; map items and iterations (`files[3]`, `polish#2`) count as the graph they run. Null where there is none. */
export function documentNodeAt(document: GraphDocument, kinds: readonly KindMeta[], key: string): GraphNode | null {
  let graph: string | undefined = MAIN_GRAPH;
  let found: GraphNode | null = null;
  for (const part of key.split('/')) {
    const id = part.replace(/\[\d+\]$|#\d+$/, '');
    const node: GraphNode | undefined =
      graph === undefined ? undefined : graphOf(document, graph)?.nodes.find((candidate) => candidate.id === id);
    if (node === undefined) return null;
    const kind = kindIndex(kinds).usable(node.kind, node.version);
    graph = kind === undefined ? undefined : bodyName(node, kind);
    found = node;
  }
  return found;
}
