import { MAIN_GRAPH } from '@cua-forge/spec/document';
import { useServer } from '../api/server-store.ts';
import { graphModel } from '../canvas/graph-model.ts';
import { boxesOf, moveCommand, type Spot } from '../canvas/moving.ts';
import { useView } from '../canvas/view-store.ts';
import { annotationCardId } from '../document/annotation-id.ts';
import { type Alignment, type Axis, align, around, distribute, type Placed, snap } from '../document/arrange.ts';
import type { DocumentStore } from '../document/document-store.ts';
import { freshId } from '../document/edits.ts';

const graphName = (): string => useView.getState().crumbs.at(-1)?.graph ?? MAIN_GRAPH;

const NOTE = { width: 240, height: 120 };
const FRAME = { width: 520, height: 320 };

/** What places cards, notes and frames; each is one step of undo. */
export function arrangeActions(store: DocumentStore) {
  const state = () => store.getState();
  const model = () => graphModel(state().document, graphName(), useServer.getState().kinds, state().readOnly, null);
  const selected = (): Placed[] => boxesOf(model()).filter((box) => state().selection.has(box.id));
  const move = (moves: Record<string, Spot>) => {
    const command = moveCommand(state().document, graphName(), model(), Object.entries(moves));
    if (command !== null) state().perform(command);
  };
  const annotate = (type: 'note' | 'frame', box: Omit<Placed, 'id'>) => {
    const graph = graphName();
    const id = freshId(type, new Set(Object.keys(state().document.annotations?.[graph] ?? {})));
    const annotation = { type, text: type === 'frame' ? 'Frame' : '', ...box };
    state().perform({ type: 'set-annotation', graph, id, annotation });
    state().select([annotationCardId(id)]);
  };
  const centered = ({ x, y }: Spot, size: { width: number; height: number }) => ({
    x: Math.round(x - size.width / 2),
    y: Math.round(y - size.height / 2),
    ...size,
  });
  return {
    /** Cards and wires of the graph that is open. */
    model,
    align: (to: Alignment) => move(align(selected(), to)),
    distribute: (along: Axis) => move(distribute(selected(), along)),
    /** The selected cards, else all. */
    snapToGrid: () => move(snap(state().selection.size > 0 ? selected() : boxesOf(model()))),
    addNote: (center: Spot) => annotate('note', centered(center, NOTE)),
    /** Around what is selected, else an empty one. */
    addFrame: (center: Spot) => annotate('frame', around(selected()) ?? centered(center, FRAME)),
  };
}
