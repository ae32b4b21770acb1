import { MAIN_GRAPH } from '@cua-forge/spec/document';
import type { KindMeta } from '@cua-forge/spec/kind';
import { ReactFlowProvider, useReactFlow } from '@xyflow/react';
import { ChevronRight, PanelLeftOpen } from 'lucide-react';
import { type ReactNode, useMemo, useState } from 'react';
import { Canvas } from '../canvas/canvas.tsx';
import { ConnectDialog } from '../canvas/connect-dialog.tsx';
import { Palette } from '../canvas/palette.tsx';
import { useCrumb, useView } from '../canvas/view-store.ts';
import { useDocument, useDocumentStore } from '../document/document-store.ts';
import { OUTPUTS_NODE } from '../document/edge-end.ts';
import { useProblems } from '../document/problems-store.ts';
import { ProblemList } from '../inspector/finding-list.tsx';
import { Inspector } from '../inspector/inspector.tsx';
import { RunPanel } from '../run/run-panel.tsx';
import { Tabs } from '../ui/tabs.tsx';
import { CanvasBar } from './canvas-bar.tsx';
import { editorActions } from './editor-actions.ts';
import { KeyHelp } from './key-help.tsx';
import { useShortcuts } from './use-shortcuts.ts';

interface WorkbenchProps {
  /** Left part of the bar above the canvas. */
  head: ReactNode;
  onSave?(): void;
  onRun?(): void;
}

/** Canvas with palette, inspector and run panel around it. Expects a document store and a followed run, if any. */
export function Workbench(props: WorkbenchProps) {
  return (
    <ReactFlowProvider>
      <Inside {...props} />
    </ReactFlowProvider>
  );
}

const nothing = () => {};

function Inside({ head, onSave = nothing, onRun = nothing }: WorkbenchProps) {
  const store = useDocumentStore();
  const flow = useReactFlow();
  const readOnly = useDocument((state) => state.readOnly);
  const documentId = useDocument((state) => state.document.id);
  const tab = useView((state) => state.tab);
  const { setTab } = useView.getState();
  const [paletteOpen, setPaletteOpen] = useState(true);
  const [problemsOpen, setProblemsOpen] = useState(false);
  const [connecting, setConnecting] = useState<string | null>(null);
  const [helping, setHelping] = useState(false);
  const errors = useProblems((state) => state.findings.filter((finding) => finding.severity === 'error').length);
  const warnings = useProblems((state) => state.findings.length) - errors;
  const actions = useMemo(() => editorActions(store), [store]);

  const add = (kind: KindMeta) => {
    const area = document.querySelector('.canvas')?.getBoundingClientRect();
    const center =
      area === undefined
        ? { x: 0, y: 0 }
        : flow.screenToFlowPosition({ x: area.left + area.width / 2, y: area.top + area.height / 2 });
    const id = actions.add(kind, center);
    requestAnimationFrame(() => bringIntoView(flow, id));
    setTab('inspect');
  };
  const connectSelected = () => {
    const [id] = store.getState().selection;
    if (store.getState().selection.size === 1 && id !== undefined && id !== OUTPUTS_NODE && !readOnly)
      setConnecting(id);
  };
  const fit = () => void flow.fitView({ padding: 0.12, maxZoom: 1, duration: 200 });
  const findKind = () => {
    setPaletteOpen(true);
    requestAnimationFrame(() => document.getElementById('palette-search')?.focus());
  };
  useShortcuts({
    'Ctrl+z': actions.undo,
    'Ctrl+Shift+z': actions.redo,
    'Ctrl+y': actions.redo,
    'Ctrl+c': actions.copy,
    'Ctrl+x': actions.cut,
    'Ctrl+v': () => void actions.paste(),
    'Ctrl+d': actions.duplicate,
    'Ctrl+a': actions.selectAll,
    'Ctrl+s': onSave,
    'Ctrl+Enter': onRun,
    Delete: actions.removeSelected,
    Backspace: actions.removeSelected,
    Escape: actions.clearSelection,
    a: findKind,
    c: connectSelected,
    f: fit,
    l: () => void actions.layout(),
    '?': () => setHelping(true),
  });

  return (
    <div className="workbench">
      <div className="bar">
        {head}
        <CanvasBar actions={actions} onFit={fit} onHelp={() => setHelping(true)} />
      </div>
      <div className="workbench-body">
        {!readOnly && paletteOpen && <Palette onAdd={add} onHide={() => setPaletteOpen(false)} />}
        <div className="canvas-column">
          <Crumbs />
          {!readOnly && !paletteOpen && (
            <button
              type="button"
              className="button square palette-open"
              aria-label="Show node kinds"
              title="Show node kinds"
              onClick={() => setPaletteOpen(true)}
            >
              <PanelLeftOpen size={15} aria-hidden />
            </button>
          )}
          <Canvas />
          {problemsOpen && <ProblemList onClose={() => setProblemsOpen(false)} />}
          {!readOnly && !problemsOpen && (
            <button
              type="button"
              className="problems-toggle"
              aria-expanded={false}
              onClick={() => setProblemsOpen(true)}
            >
              <span className={errors > 0 ? 'badge bad' : 'badge ok'}>
                <span className="dot" aria-hidden />
                {errors === 0 ? 'No errors' : errors === 1 ? '1 error' : `${errors} errors`}
              </span>
              {warnings > 0 && (
                <span className="badge warn">{warnings === 1 ? '1 warning' : `${warnings} warnings`}</span>
              )}
            </button>
          )}
        </div>
        <aside className="side" aria-label="Details">
          <Tabs
            label="Details"
            value={tab}
            onChange={setTab}
            tabs={[
              { id: 'inspect', label: readOnly ? 'Definition' : 'Inspector' },
              { id: 'run', label: 'Run' },
            ]}
          />
          <div className="side-body">
            {tab === 'inspect' ? <Inspector /> : <RunPanel documentId={documentId} onRun={onRun} />}
          </div>
        </aside>
      </div>
      {connecting !== null && <ConnectDialog node={connecting} onClose={() => setConnecting(null)} />}
      {helping && <KeyHelp onClose={() => setHelping(false)} />}
    </div>
  );
}

type Flow = ReturnType<typeof useReactFlow>;

/** Pans so far that the card is seen; the zoom stays. */
function bringIntoView(flow: Flow, id: string): void {
  const node = flow.getNode(id);
  const area = document.querySelector('.canvas')?.getBoundingClientRect();
  if (node === undefined || area === undefined) return;
  const { x, y, zoom } = flow.getViewport();
  const [left, top] = [node.position.x * zoom + x, node.position.y * zoom + y];
  const [right, bottom] = [left + (node.width ?? 240) * zoom, top + (node.height ?? 140) * zoom];
  const by = (low: number, high: number, size: number) =>
    low < 20 ? 20 - low : high > size - 20 ? size - 20 - high : 0;
  const [dx, dy] = [by(left, right, area.width), by(top, bottom, area.height)];
  if (dx !== 0 || dy !== 0) void flow.setViewport({ x: x + dx, y: y + dy, zoom }, { duration: 150 });
}

function Crumbs() {
  const crumbs = useView((state) => state.crumbs);
  const store = useDocumentStore();
  const { graph } = useCrumb();
  if (crumbs.length < 2) return null;
  return (
    <nav className="crumbs" aria-label="Where you are">
      {crumbs.map((crumb, index) => (
        <span key={`${crumb.graph}${crumb.prefix}`} className="row tight">
          {index > 0 && <ChevronRight size={13} aria-hidden />}
          <button
            type="button"
            className="button quiet compact"
            aria-current={index === crumbs.length - 1 ? 'page' : undefined}
            onClick={() => {
              useView.getState().backTo(index);
              store.getState().select([]);
            }}
          >
            {crumb.label}
          </button>
        </span>
      ))}
      {graph !== MAIN_GRAPH && <code className="muted">{graph}</code>}
    </nav>
  );
}
