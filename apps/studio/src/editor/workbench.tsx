import { MAIN_GRAPH } from '@cua-forge/spec/document';
import type { KindMeta } from '@cua-forge/spec/kind';
import { ReactFlowProvider, useReactFlow } from '@xyflow/react';
import { ChevronRight, PanelLeftOpen } from 'lucide-react';
import { type ReactNode, useMemo, useState } from 'react';
import { writeAnnotation } from '../canvas/annotation-view.tsx';
import { Arranging } from '../canvas/arranging.tsx';
import { Canvas } from '../canvas/canvas.tsx';
import { ConnectDialog } from '../canvas/connect-dialog.tsx';
import { Palette } from '../canvas/palette.tsx';
import { useCrumb, useView } from '../canvas/view-store.ts';
import { bringIntoView, fitAll } from '../canvas/views.ts';
import { CommandPalette } from '../command-palette/command-palette.tsx';
import { useDocument, useDocumentStore } from '../document/document-store.ts';
import { OUTPUTS_NODE } from '../document/edge-end.ts';
import { useProblems } from '../document/problems-store.ts';
import { ProblemList } from '../inspector/finding-list.tsx';
import { Inspector } from '../inspector/inspector.tsx';
import { RunPanel } from '../run/run-panel.tsx';
import { useRunRequest } from '../run/run-request.ts';
import { movement } from '../ui/motion.ts';
import { Tabs } from '../ui/tabs.tsx';
import { useTheme } from '../ui/theme.ts';
import { arrangeActions } from './arrange-actions.ts';
import { CanvasBar } from './canvas-bar.tsx';
import { type EditorCommand, editorCommands, shortcutsOf } from './commands.ts';
import { editorActions } from './editor-actions.ts';
import { KeyHelp } from './key-help.tsx';
import { useShortcuts } from './use-shortcuts.ts';

interface WorkbenchProps {
  /** Left part of the bar above the canvas. */
  head: ReactNode;
  onSave?(): void;
  onRun?(): void;
  /** Commands of the page around it. */
  more?: readonly EditorCommand[];
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
const noCommands: readonly EditorCommand[] = [];

function Inside({ head, onSave = nothing, onRun = nothing, more = noCommands }: WorkbenchProps) {
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
  const [finding, setFinding] = useState(false);
  const errors = useProblems((state) => state.findings.filter((finding) => finding.severity === 'error').length);
  const warnings = useProblems((state) => state.findings.length) - errors;
  const checking = useProblems((state) => state.checking && state.findings.length === 0);
  const actions = useMemo(() => editorActions(store), [store]);
  const arrange = useMemo(() => arrangeActions(store), [store]);

  const add = (kind: KindMeta) => {
    const id = actions.add(kind, canvasCenter(flow));
    requestAnimationFrame(() => bringIntoView(flow, arrange.model(), id));
    setTab('inspect');
  };
  const connectSelected = () => {
    const [id] = store.getState().selection;
    if (store.getState().selection.size === 1 && id !== undefined && id !== OUTPUTS_NODE && !readOnly)
      setConnecting(id);
  };
  const fit = () => fitAll(flow, arrange.model());
  const findKind = () => {
    setPaletteOpen(true);
    requestAnimationFrame(() => document.getElementById('palette-search')?.focus());
  };
  const commands: EditorCommand[] = [
    ...more,
    ...editorCommands({
      readOnly,
      store,
      edit: actions,
      arrange,
      center: () => canvasCenter(flow),
      onSave,
      onRun,
      fit,
      zoom: (by) =>
        void (by === 'in'
          ? flow.zoomIn(movement(QUICK_MS))
          : by === 'out'
            ? flow.zoomOut(movement(QUICK_MS))
            : flow.zoomTo(1, movement(QUICK_MS))),
      findKind,
      connect: connectSelected,
      write: writeAnnotation,
      toggleSnapping: () => useView.getState().toggleSnapping(),
      toggleTheme: () => useTheme.getState().toggle(),
      openPalette: () => setFinding(true),
      openHelp: () => setHelping(true),
      runPart: (mode) => {
        const [node] = store.getState().selection;
        const { prefix } = useView.getState().crumbs.at(-1) ?? { prefix: null };
        if (node !== undefined && prefix !== null) useRunRequest.getState().ask({ mode, node: prefix + node });
      },
    }),
  ];
  useShortcuts(shortcutsOf(commands));

  return (
    <div className="workbench">
      <div className="bar">
        {head}
        <CanvasBar commands={commands} />
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
          <Arranging />
          {problemsOpen && <ProblemList onClose={() => setProblemsOpen(false)} />}
          {!readOnly && !problemsOpen && (
            <button
              type="button"
              className="problems-toggle"
              aria-expanded={false}
              onClick={() => setProblemsOpen(true)}
            >
              <span className={errors > 0 ? 'badge bad' : checking ? 'badge' : 'badge ok'}>
                <span className="dot" aria-hidden />
                {errors === 0 ? (checking ? 'Checking…' : 'No errors') : errors === 1 ? '1 error' : `${errors} errors`}
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
      {helping && <KeyHelp commands={commands} onClose={() => setHelping(false)} />}
      {finding && <CommandPalette commands={commands} onAdd={add} onClose={() => setFinding(false)} />}
    </div>
  );
}

type Flow = ReturnType<typeof useReactFlow>;
const QUICK_MS = 150;

/** Middle of what is seen, in canvas units. */
function canvasCenter(flow: Flow): { x: number; y: number } {
  const area = document.querySelector('.canvas')?.getBoundingClientRect();
  return area === undefined
    ? { x: 0, y: 0 }
    : flow.screenToFlowPosition({ x: area.left + area.width / 2, y: area.top + area.height / 2 });
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
