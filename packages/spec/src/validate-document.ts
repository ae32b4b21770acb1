import type { Finding, GraphDocument, GraphNode } from './document.ts';
import type { KindMeta } from './kind.ts';
import { type KindIndex, kindIndex } from './kind-index.ts';
import { bodyName, graphOf, own, PortResolver } from './ports.ts';
import { checkGraph } from './validate-graph.ts';
import { checkReferences, graphNames } from './validate-graphs.ts';

/**
 * Everything that is wrong with a document, all at once; an empty list means that it compiles without a warning. What
 * follows from another finding (ports of an unknown kind, say) is not reported again. Templates and expressions inside
 * params are checked where they run.
 */
export function validateDocument(document: GraphDocument, kinds: readonly KindMeta[]): Finding[] {
  const index = kindIndex(kinds);
  const ports = new PortResolver(document, kinds);
  const effects = effectsOf(document, index);
  return [
    ...graphNames(document).flatMap((name) => {
      const graph = graphOf(document, name);
      return graph === undefined ? [] : checkGraph(name, graph, index, ports, effects);
    }),
    ...checkReferences(document, index),
  ];
}

/** Whether a node matters even when nothing uses its outputs: it acts outside, judges, packs, or runs a graph that does. */
function effectsOf(document: GraphDocument, kinds: KindIndex): (node: GraphNode) => boolean {
  const known = new Map<string, boolean>();
  const inGraph = (name: string): boolean => {
    const found = known.get(name);
    if (found !== undefined) return found;
    // Stands for the graph while it is looked at, so that one that contains itself ends here.
    known.set(name, false);
    const result = own(document.graphs, name)?.nodes.some(acts) ?? true;
    known.set(name, result);
    return result;
  };
  const acts = (node: GraphNode): boolean => {
    const kind = kinds.usable(node.kind, node.version);
    if (kind === undefined || kind.gate || kind.policy.effects !== 'none' || kind.id.startsWith('package.'))
      return true;
    const body = bodyName(node, kind);
    return body === undefined ? false : inGraph(body);
  };
  return acts;
}
