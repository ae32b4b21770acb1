import type { GraphDocument, GraphNode } from './document.ts';
import type { KindMeta } from './kind.ts';
import { kindIndex } from './kind-index.ts';

/** Whether a node's kind asks a model that its params may name. */
function namesModel(node: GraphNode, kinds: ReturnType<typeof kindIndex>): boolean {
  const kind = kinds.usable(node.kind, node.version);
  const { properties } = kind?.params ?? {};
  return (
    kind?.policy.callsModel === true && typeof properties === 'object' && properties !== null && 'model' in properties
  );
}

/** The document with one model in the place of every one that its nodes name, in its subgraphs too. What it means otherwise stays as it is. */
export function withModel(document: GraphDocument, kinds: readonly KindMeta[], model: string): GraphDocument {
  const index = kindIndex(kinds);
  const asking = (nodes: readonly GraphNode[]): GraphNode[] =>
    nodes.map((node) => (namesModel(node, index) ? { ...node, params: { ...node.params, model } } : node));
  return {
    ...document,
    nodes: asking(document.nodes),
    graphs: Object.fromEntries(
      Object.entries(document.graphs).map(([name, graph]) => [name, { ...graph, nodes: asking(graph.nodes) }]),
    ),
  };
}
