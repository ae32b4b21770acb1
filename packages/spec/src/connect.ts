import type { GraphDocument } from './document.ts';
import { checkEdge } from './edge-check.ts';
import { linksOf, reachable, splitEnd } from './graph-order.ts';
import type { KindMeta } from './kind.ts';
import { graphOf, own, PortResolver } from './ports.ts';
import { takenPort } from './validate-graph.ts';

export type Connection = { ok: true } | { ok: false; reason: string };

/** Whether an edge `from` → `to` (`node.port` or `$inputs.name`) may be added to a graph; `reason` is a sentence for people. */
export function mayConnect(
  document: GraphDocument,
  graphName: string,
  from: string,
  to: string,
  kinds: readonly KindMeta[],
): Connection {
  const graph = graphOf(document, graphName);
  if (graph === undefined) return { ok: false, reason: `There is no graph "${graphName}".` };
  const ports = new PortResolver(document, kinds);
  const [fault] = checkEdge(graph, { from, to }, ports).faults;
  if (fault !== undefined) return { ok: false, reason: fault.message };
  const source = splitEnd(from).node;
  const target = splitEnd(to);
  if (target.node === null) return { ok: false, reason: 'Inputs of the graph are fed from the outside.' };
  const existing = graph.edges.filter((edge) => edge.to === to);
  if (existing.some((edge) => edge.from === from)) return { ok: false, reason: 'These ports are connected already.' };
  const node = ports.nodeOf(graph, target.node);
  const port = node && own(ports.portsOf(node).inputs, target.port);
  const [first] = existing;
  if (first !== undefined && port?.multiple === false) {
    return { ok: false, reason: takenPort(to, first.from, from).message };
  }
  if (source !== null && reachable([target.node], linksOf(graph).after).has(source)) {
    return { ok: false, reason: `"${source}" depends on "${target.node}" already, so this edge would close a circle.` };
  }
  return { ok: true };
}
