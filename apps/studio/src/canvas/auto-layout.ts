import type { ELK, ElkNode } from 'elkjs/lib/elk-api.js';
import elkWorker from 'elkjs/lib/elk-worker.min.js?url';
import { CARD } from './geometry.ts';
import type { GraphModel } from './graph-model.ts';

let engine: Promise<ELK> | undefined;
let giveUp: ((reason: Error) => void) | undefined;

/** Ends the layout in progress, with the worker that computes it; the next one starts a new worker. */
export function stopLayout(): void {
  const running = engine;
  engine = undefined;
  void running?.then((elk) => elk.terminateWorker());
  giveUp?.(new DOMException('The layout was stopped.', 'AbortError'));
}

/** The layout engine is large and rarely wanted: it loads with the first use, and works in a worker of its own. */
function elk(): Promise<ELK> {
  engine ??= import('elkjs/lib/elk-api.js').then(
    ({ default: Engine }) => new Engine({ workerFactory: () => new Worker(elkWorker) }),
  );
  return engine;
}

/** Layered places, left to right, for the given cards (all, when there are fewer than two). Other cards stay. Fails with an AbortError when it is stopped. */
export async function autoLayout(
  model: GraphModel,
  only: ReadonlySet<string>,
): Promise<Record<string, { x: number; y: number }>> {
  const cards = only.size > 1 ? model.nodes.filter((node) => only.has(node.id)) : model.nodes;
  const ids = new Set(cards.map((card) => card.id));
  const graph: ElkNode = {
    id: 'root',
    layoutOptions: {
      'elk.algorithm': 'layered',
      'elk.direction': 'RIGHT',
      'elk.layered.spacing.nodeNodeBetweenLayers': '64',
      'elk.spacing.nodeNode': '34',
      'elk.layered.nodePlacement.strategy': 'NETWORK_SIMPLEX',
      'elk.layered.considerModelOrder.strategy': 'NODES_AND_EDGES',
      'elk.portConstraints': 'FIXED_ORDER',
    },
    children: cards.map((card) => ({
      id: card.id,
      width: card.width ?? CARD.width,
      height: card.height ?? 100,
      layoutOptions: { 'elk.portConstraints': 'FIXED_POS' },
      ports: (card.handles ?? []).map((handle) => ({
        id: `${card.id}/${handle.type}/${handle.id}`,
        x: handle.type === 'source' ? (card.width ?? CARD.width) : 0,
        y: handle.y + CARD.handle / 2,
        width: 0,
        height: 0,
        layoutOptions: { 'elk.port.side': handle.type === 'source' ? 'EAST' : 'WEST' },
      })),
    })),
    edges: model.edges
      .filter((edge) => ids.has(edge.source) && ids.has(edge.target))
      .map((edge) => ({
        id: edge.id,
        sources: [`${edge.source}/source/${edge.sourceHandle}`],
        targets: [`${edge.target}/target/${edge.targetHandle}`],
      })),
  };
  const stopped = new Promise<never>((_, reject) => {
    giveUp = reject;
  });
  const placed = await Promise.race([elk().then((engine) => engine.layout(graph)), stopped]);
  const before = cards.map((card) => card.position);
  const corner =
    only.size > 1
      ? { x: Math.min(...before.map(({ x }) => x)), y: Math.min(...before.map(({ y }) => y)) }
      : { x: 0, y: 0 };
  return Object.fromEntries(
    (placed.children ?? []).map((child) => [
      child.id,
      { x: Math.round((child.x ?? 0) + corner.x), y: Math.round((child.y ?? 0) + corner.y) },
    ]),
  );
}
