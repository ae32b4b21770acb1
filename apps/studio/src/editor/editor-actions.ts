import { MAIN_GRAPH } from '@cua-forge/spec/document';
import type { KindMeta } from '@cua-forge/spec/kind';
import { useServer } from '../api/server-store.ts';
import { autoLayout } from '../canvas/auto-layout.ts';
import { unwire } from '../canvas/connecting.ts';
import { type Box, CARD } from '../canvas/geometry.ts';
import { graphModel } from '../canvas/graph-model.ts';
import { useView } from '../canvas/view-store.ts';
import { annotationCardId, annotationIdOf } from '../document/annotation-id.ts';
import { copyNodes, pasteNodes } from '../document/clipboard.ts';
import type { Command } from '../document/command.ts';
import type { DocumentStore } from '../document/document-store.ts';
import { parseEnd } from '../document/edge-end.ts';
import { addNode, removeNodes } from '../document/edits.ts';
import { toastError, toastOk } from '../ui/toast.tsx';

const graphName = (): string => useView.getState().crumbs.at(-1)?.graph ?? MAIN_GRAPH;

/** Clipboard of this tab, for where the browser gives no access to the system's. */
let ownClipboard = '';

/** What the toolbar and the keys do with the open document. */
export function editorActions(store: DocumentStore) {
  const state = () => store.getState();
  const removeSelected = () => {
    const { document, selection, selectedEdges } = state();
    const graph = graphName();
    const wires = [...selectedEdges].map((id) => {
      const at = id.indexOf('>');
      return { from: id.slice(0, at), to: id.slice(at + 1) };
    });
    const gone = (end: string) => selection.has(parseEnd(end).node);
    const loose = wires.filter(({ from, to }) => !gone(from) && !gone(to));
    if (selection.size === 0 && loose.length === 0) return;
    state().perform({
      type: 'batch',
      commands: [
        unwire(document, graph, loose),
        ...[...selection].flatMap((id): Command[] => {
          const annotation = annotationIdOf(id);
          return annotation === undefined
            ? []
            : [{ type: 'set-annotation', graph, id: annotation, annotation: undefined }];
        }),
        ...(selection.size > 0 ? [removeNodes(document, graph, selection)] : []),
      ],
    });
    state().select([]);
  };
  /** Ids of the selected nodes, and of the selected notes and frames. */
  const chosen = (): [Set<string>, Set<string>] => {
    const ids = [...state().selection];
    const annotations = ids.map(annotationIdOf).filter((id) => id !== undefined);
    return [new Set(ids), new Set(annotations)];
  };
  const paste = (text: string, offset?: { x: number; y: number }) => {
    const pasted = pasteNodes(state().document, graphName(), text, offset);
    if (pasted === null) return false;
    state().perform(pasted.command);
    state().select(pasted.ids);
    return true;
  };
  return {
    undo: () => state().undo(),
    redo: () => state().redo(),
    removeSelected,
    clearSelection: () => state().select([]),
    copy: () => {
      const text = copyNodes(state().document, graphName(), ...chosen());
      if (text === null) return;
      ownClipboard = text;
      void navigator.clipboard?.writeText(text).catch(() => {});
    },
    cut: () => {
      const text = copyNodes(state().document, graphName(), ...chosen());
      if (text === null) return;
      ownClipboard = text;
      void navigator.clipboard?.writeText(text).catch(() => {});
      removeSelected();
    },
    paste: async () => {
      const text = await navigator.clipboard?.readText().catch(() => '');
      if (text === undefined || text === '' || !paste(text)) paste(ownClipboard);
    },
    duplicate: () => {
      const text = copyNodes(state().document, graphName(), ...chosen());
      if (text !== null) paste(text);
    },
    selectAll: () => {
      const { document } = state();
      const graph = graphName() === MAIN_GRAPH ? document : document.graphs[graphName()];
      state().select([
        ...(graph?.nodes.map((node) => node.id) ?? []),
        ...Object.keys(document.annotations?.[graphName()] ?? {}).map(annotationCardId),
      ]);
    },
    /** Puts a node right of the selected one, else at `center`. */
    add: (kind: KindMeta, center: { x: number; y: number }) => {
      const { document, selection } = state();
      const graph = graphName();
      const model = graphModel(document, graph, useServer.getState().kinds, false, null);
      const [anchor] = selection.size === 1 ? model.nodes.filter((node) => selection.has(node.id)) : [];
      const wish =
        anchor === undefined
          ? { x: center.x - CARD.width / 2, y: center.y - 60 }
          : { x: anchor.position.x + CARD.width + 64, y: anchor.position.y };
      const { command, id } = addNode(document, graph, kind, freePlace(wish, model.nodes));
      state().perform(command);
      state().select([id]);
      return id;
    },
    layout: async () => {
      const { document, selection } = state();
      const graph = graphName();
      if (useView.getState().arranging !== null) return;
      const model = graphModel(document, graph, useServer.getState().kinds, false, null);
      const cards = selection.size > 1 ? selection.size : model.nodes.length;
      useView.setState({ arranging: { cards, since: Date.now() } });
      try {
        const positions = await autoLayout(model, selection);
        if (state().document === document) state().perform({ type: 'move', graph, positions });
        else toastOk('The workflow was edited meanwhile; nothing was moved. Arrange again.');
      } catch (error) {
        if (!(error instanceof DOMException && error.name === 'AbortError')) toastError(error);
      } finally {
        useView.setState({ arranging: null });
      }
    },
  };
}

/** The wish, moved down until no card lies under it. */
export function freePlace(wish: { x: number; y: number }, boxes: readonly Box[]): { x: number; y: number } {
  const x = Math.round(wish.x);
  let y = Math.round(wish.y);
  const width = CARD.width;
  const height = 150;
  for (let tries = 0; tries < boxes.length + 1; tries += 1) {
    const hit = boxes.find(
      (box) =>
        x < box.position.x + (box.width ?? width) + 20 &&
        x + width + 20 > box.position.x &&
        y < box.position.y + (box.height ?? height) &&
        y + height > box.position.y,
    );
    if (hit === undefined) break;
    y = hit.position.y + (hit.height ?? height) + 34;
  }
  return { x, y };
}
