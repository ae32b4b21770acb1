import { Annotation, type GraphDocument, GraphEdge, GraphNode, Position } from '@cua-forge/spec/document';
import { z } from 'zod';
import { annotationCardId } from './annotation-id.ts';
import { type Command, graphOf } from './command.ts';
import { formatEnd, parseEnd } from './edge-end.ts';
import { freshId, nodeIds } from './edits.ts';

/** What copied nodes look like as text, so that they can go from one document, tab or person to another. */
const Clipping = z.strictObject({
  forgeClipboard: z.literal(1),
  nodes: z.array(GraphNode),
  edges: z.array(GraphEdge),
  positions: z.record(z.string(), Position),
  /** Notes and frames by id. */
  annotations: z.record(z.string(), Annotation).optional(),
});

const none: ReadonlySet<string> = new Set();

/** The nodes with the edges among them, and notes and frames; null when none of the ids is there. */
export function copyNodes(
  document: GraphDocument,
  graphName: string,
  ids: ReadonlySet<string>,
  annotationIds: ReadonlySet<string> = none,
): string | null {
  const graph = graphOf(document, graphName);
  const nodes = graph.nodes.filter((node) => ids.has(node.id));
  const annotations = Object.fromEntries(
    Object.entries(document.annotations?.[graphName] ?? {}).filter(([id]) => annotationIds.has(id)),
  );
  const annotated = Object.keys(annotations).length > 0;
  if (nodes.length === 0 && !annotated) return null;
  const edges = graph.edges.filter((edge) => ids.has(parseEnd(edge.from).node) && ids.has(parseEnd(edge.to).node));
  const all = document.layout[graphName] ?? {};
  const positions = Object.fromEntries(Object.entries(all).filter(([id]) => nodes.some((node) => node.id === id)));
  return JSON.stringify({ forgeClipboard: 1, nodes, edges, positions, ...(annotated ? { annotations } : {}) }, null, 2);
}

/** A paste as one step with fresh ids, which are those of the cards; null when the text is no clipping. Nodes land `offset` from where they were. */
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
  const { nodes, edges, positions, annotations = {} } = clipping.data;
  if (nodes.length + Object.keys(annotations).length === 0) return null;
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
  const cards = [...renamed.values()];
  const takenAnnotations = new Set(Object.keys(document.annotations?.[graph] ?? {}));
  for (const [id, annotation] of Object.entries(annotations)) {
    const fresh = freshId(id.replace(/-\d+$/, ''), takenAnnotations);
    takenAnnotations.add(fresh);
    const placed = { ...annotation, x: annotation.x + offset.x, y: annotation.y + offset.y };
    commands.push({ type: 'set-annotation', graph, id: fresh, annotation: placed });
    cards.push(annotationCardId(fresh));
  }
  return { command: { type: 'batch', commands }, ids: cards };
}
