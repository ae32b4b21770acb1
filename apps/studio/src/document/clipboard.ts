import { type GraphDocument, GraphEdge, GraphNode, Position } from '@cua-forge/spec/document';
import { z } from 'zod';
import { type Command, graphOf } from './command.ts';
import { formatEnd, parseEnd } from './edge-end.ts';
import { freshId, nodeIds } from './edits.ts';

/** What copied nodes look like as text, so that they can go from one document, tab or person to another. */
const Clipping = z.strictObject({
  forgeClipboard: z.literal(1),
  nodes: z.array(GraphNode).min(1),
  edges: z.array(GraphEdge),
  positions: z.record(z.string(), Position),
});

/** The nodes with the edges among them; null when none of the ids is a node. */
export function copyNodes(document: GraphDocument, graphName: string, ids: ReadonlySet<string>): string | null {
  const graph = graphOf(document, graphName);
  const nodes = graph.nodes.filter((node) => ids.has(node.id));
  if (nodes.length === 0) return null;
  const edges = graph.edges.filter((edge) => ids.has(parseEnd(edge.from).node) && ids.has(parseEnd(edge.to).node));
  const all = document.layout[graphName] ?? {};
  const positions = Object.fromEntries(Object.entries(all).filter(([id]) => nodes.some((node) => node.id === id)));
  return JSON.stringify({ forgeClipboard: 1, nodes, edges, positions }, null, 2);
}

/** A paste as one step with fresh ids; null when the text is no clipping. Nodes land `offset` from where they were. */
export function pasteNodes(
  document: GraphDocument,
  graph: string,
  text: string,
  offset = { x: 40, y: 40 },
): { command: Command; ids: string[] } | null {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    return null;
  }
  const clipping = Clipping.safeParse(parsed);
  if (!clipping.success) return null;
  const { nodes, edges, positions } = clipping.data;
  const taken = nodeIds(document, graph);
  const renamed = new Map<string, string>();
  for (const node of nodes) {
    const id = freshId(node.id.replace(/-\d+$/, ''), taken);
    taken.add(id);
    renamed.set(node.id, id);
  }
  const target = graphOf(document, graph);
  const commands: Command[] = nodes.map((node, index) => {
    const { repair, ...rest } = node;
    const repairTarget = repair && renamed.get(repair.target);
    const at = positions[node.id] ?? { x: 0, y: index * 140 };
    return {
      type: 'insert-node',
      graph,
      index: target.nodes.length + index,
      node: {
        ...rest,
        id: renamed.get(node.id) ?? node.id,
        ...(repair && repairTarget ? { repair: { ...repair, target: repairTarget } } : {}),
      },
      position: { ...at, x: at.x + offset.x, y: at.y + offset.y },
    };
  });
  let index = target.edges.length;
  for (const edge of edges) {
    const [from, to] = [parseEnd(edge.from), parseEnd(edge.to)];
    const [source, sink] = [renamed.get(from.node), renamed.get(to.node)];
    if (source === undefined || sink === undefined) continue;
    const fresh = { from: formatEnd({ node: source, port: from.port }), to: formatEnd({ node: sink, port: to.port }) };
    commands.push({ type: 'insert-edge', graph, index, edge: fresh });
    index += 1;
  }
  return { command: { type: 'batch', commands }, ids: [...renamed.values()] };
}
