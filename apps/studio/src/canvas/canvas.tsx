import '@xyflow/react/dist/style.css';
import { MAIN_GRAPH } from '@cua-forge/spec/document';
import { kindIndex } from '@cua-forge/spec/kind-index';
import { bodyName } from '@cua-forge/spec/ports';
import {
  type Connection,
  type EdgeChange,
  type EdgeTypes,
  type NodeChange,
  type NodeTypes,
  ReactFlow,
  useReactFlow,
  useStore,
} from '@xyflow/react';
import { type DragEvent, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useServer } from '../api/server-store.ts';
import { GRID } from '../document/arrange.ts';
import { useDocument, useDocumentStore } from '../document/document-store.ts';
import { addNode } from '../document/edits.ts';
import { useTheme } from '../ui/theme.ts';
import { toastError } from '../ui/toast.tsx';
import { AnnotationView } from './annotation-view.tsx';
import type { AnnotationCard } from './annotations.ts';
import { mayWire, wire } from './connecting.ts';
import { isFar, isMany } from './far.ts';
import { FarKeys } from './far-keys.tsx';
import { FarLayer } from './far-layer.tsx';
import { CARD, firstView } from './geometry.ts';
import { type Card, type GraphModel, graphModel, type Wire } from './graph-model.ts';
import { Ground } from './ground.tsx';
import { moveCommand, withMembers } from './moving.ts';
import { BorderCardView, NodeCardView } from './node-card.tsx';
import { Overview } from './overview.tsx';
import { KIND_DRAG_TYPE } from './palette.tsx';
import { useOpening } from './use-opening.ts';
import { useCrumb, useView } from './view-store.ts';
import { goNear } from './views.ts';
import { Refusal, WireInHand, WireView } from './wire.tsx';

type Shown = Card | AnnotationCard;

const nodeTypes: NodeTypes = { node: NodeCardView, border: BorderCardView, annotation: AnnotationView };
const edgeTypes: EdgeTypes = { wire: WireView };
const NO_KEY = null;
const nothing = { nodes: [], edges: [] };
const SNAP: [number, number] = [GRID, GRID];

/** The graph that is open, as cards and wires. Edits go to the document store as commands; nothing is kept here but a drag. */
export function Canvas() {
  const store = useDocumentStore();
  const document = useDocument((state) => state.document);
  const readOnly = useDocument((state) => state.readOnly);
  const selection = useDocument((state) => state.selection);
  const selectedEdges = useDocument((state) => state.selectedEdges);
  const kinds = useServer((state) => state.kinds);
  const theme = useTheme((state) => state.theme);
  const { graph } = useCrumb();
  const snapping = useView((state) => state.snapping);
  const flow = useReactFlow<Shown, Wire>();
  const last = useRef<GraphModel | null>(null);
  const [dragged, setDragged] = useState<ReadonlyMap<string, { x: number; y: number }>>(new Map());

  const model = useMemo(() => {
    last.current = graphModel(document, graph, kinds, readOnly, last.current);
    return last.current;
  }, [document, graph, kinds, readOnly]);
  const far = useStore(isFar);
  const painted = far && isMany(model.nodes.length);

  const shown = useRef(new Map<Shown, Shown>());
  const nodes = useMemo(() => {
    const next = new Map<Shown, Shown>();
    const list = [...model.annotations, ...model.nodes].map((node) => {
      const position = dragged.get(node.id) ?? node.position;
      const selected = selection.has(node.id);
      if (!selected && position === node.position) return node;
      const before = shown.current.get(node);
      const same =
        before !== undefined &&
        before.selected === selected &&
        before.position.x === position.x &&
        before.position.y === position.y;
      const card: Shown = same ? before : { ...node, position, selected };
      next.set(node, card);
      return card;
    });
    shown.current = next;
    return list;
  }, [model.nodes, model.annotations, selection, dragged]);
  const edges = useMemo(
    () =>
      selectedEdges.size === 0
        ? model.edges
        : model.edges.map((edge) => (selectedEdges.has(edge.id) ? { ...edge, selected: true } : edge)),
    [model.edges, selectedEdges],
  );

  const onNodesChange = useCallback(
    (changes: NodeChange<Shown>[]) => {
      const chosen = new Set(store.getState().selection);
      let selects = false;
      const moving = new Map<string, { x: number; y: number }>();
      const moved = new Map<string, { x: number; y: number }>();
      for (const change of changes) {
        if (change.type === 'select') {
          selects = true;
          if (change.selected) chosen.add(change.id);
          else chosen.delete(change.id);
        } else if (change.type === 'position' && change.position !== undefined) {
          (change.dragging === true ? moving : moved).set(change.id, change.position);
        }
      }
      if (selects) store.getState().select(chosen, store.getState().selectedEdges);
      const now = last.current;
      if (now === null) return;
      if (moving.size > 0) setDragged((before) => new Map([...before, ...withMembers(now, moving)]));
      if (moved.size > 0) {
        setDragged((before) => (before.size === 0 ? before : new Map()));
        const command = moveCommand(store.getState().document, graph, now, withMembers(now, moved));
        if (command !== null) store.getState().perform(command, `move:${[...moved.keys()].join()}`);
      }
    },
    [store, graph],
  );
  const onEdgesChange = useCallback(
    (changes: EdgeChange<Wire>[]) => {
      const chosen = new Set(store.getState().selectedEdges);
      for (const change of changes) {
        if (change.type !== 'select') continue;
        if (change.selected) chosen.add(change.id);
        else chosen.delete(change.id);
      }
      store.getState().select(store.getState().selection, chosen);
    },
    [store],
  );

  const isValidConnection = useCallback(
    (connection: Connection | Wire) => mayWire(store.getState().document, graph, ...ends(connection), kinds).ok,
    [store, graph, kinds],
  );
  const onConnect = useCallback(
    (connection: Connection) => store.getState().perform(wire(store.getState().document, graph, ...ends(connection))),
    [store, graph],
  );

  const onDrop = (event: DragEvent) => {
    const dropped = event.dataTransfer.getData(KIND_DRAG_TYPE);
    const kind = kindIndex(kinds).newest(dropped);
    if (kind === undefined || readOnly) return;
    event.preventDefault();
    const at = flow.screenToFlowPosition({ x: event.clientX, y: event.clientY });
    const { command, id } = addNode(store.getState().document, graph, kind, {
      x: Math.round(at.x - CARD.width / 2),
      y: Math.round(at.y - CARD.header / 2),
    });
    store.getState().perform(command);
    store.getState().select([id]);
  };

  /** Opens what has a graph inside; else goes near. */
  const openFar = (id: string) => {
    const { crumbs } = useView.getState();
    openBody(id);
    if (useView.getState().crumbs === crumbs) goNear(flow, model, id);
  };
  const onNodeDoubleClick = (_event: unknown, node: Shown) => {
    if (node.type === 'node') openBody(node.id);
  };
  const openBody = (id: string) => {
    try {
      enterBody(id);
    } catch (error) {
      toastError(error);
    }
  };
  const enterBody = (id: string) => {
    const card = model.nodes.find((node) => node.id === id);
    if (card?.type !== 'node' || card.data.card.kind === undefined) return;
    const body = bodyName(card.data.card.node, card.data.card.kind);
    if (body === undefined || document.graphs[body] === undefined) return;
    const { prefix } = useView.getState().crumbs.at(-1) ?? { prefix: null };
    const inside = card.data.card.kind.flow === 'subgraph' && prefix !== null ? `${prefix}${id}/` : null;
    useView.getState().enter({ graph: body, prefix: inside, label: card.data.card.node.title ?? id });
    store.getState().select([]);
  };

  const area = useRef<HTMLElement>(null);
  const part = useOpening(graph, model, area);
  const mounted = useMemo((): { nodes: Shown[]; edges: Wire[] } => {
    if (painted || part === undefined) return nothing;
    if (part === null) return { nodes, edges };
    return { nodes: nodes.filter(({ id }) => part.cards.has(id)), edges: edges.filter(({ id }) => part.wires.has(id)) };
  }, [painted, part, nodes, edges]);

  const startZoom = useRef(1);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another graph is another picture; edits leave the view alone
  useEffect(() => {
    const size = area.current?.getBoundingClientRect();
    if (size !== undefined) void flow.setViewport(firstView(model.nodes, size));
  }, [graph, flow, kinds]);

  // After the first view of a graph, which it may take the place of.
  const wanted = useView((state) => state.wanted);
  useEffect(() => {
    if (wanted === null) return;
    store.getState().select([wanted.node]);
    if (last.current !== null) goNear(flow, last.current, wanted.node);
  }, [wanted, flow, store]);

  const selectNothing = () => store.getState().select([]);

  return (
    <section
      ref={area}
      className="canvas"
      aria-label="Canvas"
      onDragOver={(event) => event.dataTransfer.types.includes(KIND_DRAG_TYPE) && event.preventDefault()}
      onDrop={onDrop}
    >
      <ReactFlow<Shown, Wire>
        key={graph}
        nodes={mounted.nodes}
        edges={mounted.edges}
        nodeTypes={nodeTypes}
        edgeTypes={edgeTypes}
        onNodesChange={onNodesChange}
        onEdgesChange={onEdgesChange}
        onConnect={onConnect}
        isValidConnection={isValidConnection}
        onNodeDoubleClick={onNodeDoubleClick}
        {...(painted ? { onPaneClick: selectNothing } : {})}
        onMoveStart={(_event, view) => {
          startZoom.current = view.zoom;
        }}
        onMove={(_event, view) => area.current?.classList.toggle('panning', view.zoom === startZoom.current)}
        onMoveEnd={() => area.current?.classList.remove('panning')}
        connectionLineComponent={WireInHand}
        connectionRadius={22}
        nodesDraggable={!readOnly}
        nodesConnectable={!readOnly}
        snapToGrid={snapping}
        snapGrid={SNAP}
        onlyRenderVisibleElements
        elevateNodesOnSelect={false}
        colorMode={theme}
        minZoom={0.05}
        maxZoom={2}
        deleteKeyCode={NO_KEY}
        multiSelectionKeyCode={['Shift', 'Meta', 'Control']}
        selectionKeyCode="Shift"
        proOptions={{ hideAttribution: true }}
        aria-label={graph === MAIN_GRAPH ? 'Workflow' : `Graph ${graph}`}
      >
        <Ground />
        {painted && <FarLayer model={model} area={area} onOpen={openFar} />}
        {painted && <FarKeys model={model} onNear={(id) => goNear(flow, model, id)} />}
        <Overview model={model} />
        <Refusal />
      </ReactFlow>
    </section>
  );
}

function ends(connection: Connection | Wire): [string, string] {
  return [`${connection.source}.${connection.sourceHandle}`, `${connection.target}.${connection.targetHandle}`];
}
