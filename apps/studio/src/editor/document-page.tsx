import type { DocumentGraph, DocumentView } from '@cua-forge/spec/api/documents';
import type { GraphDocument } from '@cua-forge/spec/document';
import { EllipsisVertical, FileDown, History, List, Play, Save, Sparkles } from 'lucide-react';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { documentsApi } from '../api/documents-api.ts';
import { runsApi } from '../api/runs-api.ts';
import { useServer } from '../api/server-store.ts';
import { useLoad } from '../api/use-load.ts';
import { useView } from '../canvas/view-store.ts';
import { downloadYaml } from '../document/document-file.ts';
import {
  createDocumentStore,
  DocumentContext,
  type DocumentStore,
  useDocument,
  useDocumentStore,
} from '../document/document-store.ts';
import { watchProblems } from '../document/problems-store.ts';
import { saveDocument } from '../document/save.ts';
import { guardLeaving, navigate } from '../route.ts';
import { usePins } from '../run/pins-store.ts';
import { RunDialog } from '../run/run-dialog.tsx';
import { useRunRequest } from '../run/run-request.ts';
import { useRun } from '../run/run-store.ts';
import { isOpen } from '../run/status.tsx';
import { May } from '../ui/may.tsx';
import { Menu, MenuItem } from '../ui/menu.tsx';
import { FindingNotices, LoadFailed, Loading } from '../ui/states.tsx';
import { toastError, toastOk } from '../ui/toast.tsx';
import { VersionsDialog } from '../versions/versions-dialog.tsx';
import type { EditorCommand } from './commands.ts';
import { ConflictDialog } from './conflict-dialog.tsx';
import { ProposeDialog } from './propose-dialog.tsx';
import { Workbench } from './workbench.tsx';

/** A document that is read before its page is shown. */
interface Early {
  id: string;
  reading: Promise<DocumentGraph>;
  graph?: DocumentGraph;
}
let early: Early | null = null;

/** Reads a document for the page that is shown next, and the kinds, without which cards have no ports. */
export async function readEarly(id: string): Promise<void> {
  const own: Early = { id, reading: documentsApi.documentGraph(id) };
  early = own;
  try {
    const [graph] = await Promise.all([own.reading, useServer.getState().loadKinds()]);
    own.graph = graph;
  } catch {
    // The page asks again, and tells.
    if (early === own) early = null;
  }
}

const earlyOf = (id: string): Early | null => (early?.id === id ? early : null);

/** The editor of one stored document. */
export function DocumentPage({ id }: { id: string }) {
  const [load, again] = useLoad(
    () => earlyOf(id)?.reading ?? documentsApi.documentGraph(id),
    [id],
    () => earlyOf(id)?.graph,
  );
  useEffect(() => {
    // Whoever comes back sees what is stored by then.
    early = null;
  }, []);
  if (load.status === 'loading') return <Loading what="the workflow" />;
  if (load.status === 'failed') return <LoadFailed error={load.error} onRetry={again} />;
  const { document, record } = load.value;
  if (document === null) return <UnreadableDocument id={id} />;
  return <Editor key={record.id} revision={record.revision} document={document} />;
}

/** A stored text that is no document of this build's format. */
function UnreadableDocument({ id }: { id: string }) {
  const [load, again] = useLoad(() => documentsApi.document(id), [id]);
  if (load.status === 'loading') return <Loading what="the workflow" />;
  if (load.status === 'failed') return <LoadFailed error={load.error} onRetry={again} />;
  const { record, findings } = load.value;
  return (
    <div className="page stack">
      <h1>{record.title}</h1>
      <p>This document cannot be opened as a graph; this is what stands against it, and its text.</p>
      <FindingNotices findings={findings} />
      <pre className="text-value">{record.source}</pre>
    </div>
  );
}

function Editor({ revision, document }: { revision: number; document: GraphDocument }) {
  const [store] = useState(() => createDocumentStore(document, { revision }));
  useEffect(() => {
    useView.getState().reset();
    void usePins.getState().open(document.id);
    const stop = watchProblems(
      store,
      async () => (await documentsApi.revisionFindings(document.id, String(revision))).findings,
    );
    void followOpenRun(document.id);
    return () => {
      stop();
      useRun.getState().follow(null);
      useRunRequest.getState().close();
      void usePins.getState().open(null);
    };
  }, [store, document.id, revision]);
  useLeaveGuard(store);
  return (
    <DocumentContext value={store}>
      <OpenDocument />
    </DocumentContext>
  );
}

/** A run of this document that is still going on is shown at once. */
async function followOpenRun(documentId: string): Promise<void> {
  try {
    const { runs } = await runsApi.runs({ documentId });
    const open = runs.find((run) => isOpen(run.state));
    if (open !== undefined && useRun.getState().runId === null) useRun.getState().follow(open.id);
  } catch {
    // The list of runs says so itself when it is opened.
  }
}

function useLeaveGuard(store: DocumentStore): void {
  useEffect(() => {
    guardLeaving(() => !store.getState().dirty || window.confirm('There are unsaved changes. Leave and lose them?'));
    const onUnload = (event: BeforeUnloadEvent) => {
      if (store.getState().dirty) event.preventDefault();
    };
    window.addEventListener('beforeunload', onUnload);
    return () => {
      guardLeaving(null);
      window.removeEventListener('beforeunload', onUnload);
    };
  }, [store]);
}

function OpenDocument() {
  const store = useDocumentStore();
  const [conflict, setConflict] = useState<DocumentView | null>(null);
  const [saving, setSaving] = useState(false);
  const [versions, setVersions] = useState(false);
  const [proposing, setProposing] = useState(false);
  const request = useRunRequest((state) => state.selection);
  const runId = useRun((state) => state.runId);

  const save = useCallback(async () => {
    if (saving || !store.getState().dirty) return;
    setSaving(true);
    try {
      const result = await saveDocument(store);
      if (result.status === 'conflict') setConflict(result.theirs);
      else toastOk('Saved.');
    } catch (error) {
      toastError(error);
    } finally {
      setSaving(false);
    }
  }, [store, saving]);
  const run = useCallback(() => useRunRequest.getState().ask({ mode: 'all' }), []);
  const onSave = useMemo(() => () => void save(), [save]);
  const showVersions = useCallback(() => setVersions(true), []);
  const propose = useCallback(() => setProposing(true), []);
  const more = useMemo(
    (): EditorCommand[] => [
      { id: 'propose', title: 'Propose a change in words', group: 'Edit', run: propose },
      { id: 'versions', title: 'Versions: compare, go back, publish', group: 'File', run: showVersions },
      {
        id: 'export',
        title: 'Export as YAML',
        group: 'File',
        run: () => void downloadYaml(store.getState().document).catch(toastError),
      },
    ],
    [store, showVersions, propose],
  );

  return (
    <>
      <Workbench
        head={
          <DocumentHead saving={saving} onSave={onSave} onRun={run} onVersions={showVersions} onPropose={propose} />
        }
        onSave={onSave}
        onRun={run}
        more={more}
      />
      {proposing && <ProposeDialog onClose={() => setProposing(false)} />}
      {versions && <VersionsDialog onClose={() => setVersions(false)} />}
      {conflict !== null && <ConflictDialog theirs={conflict} onClose={() => setConflict(null)} />}
      {request !== null && (
        <RunDialog
          selection={request}
          baseRun={runId}
          onClose={() => useRunRequest.getState().close()}
          onStarted={(record) => {
            useRunRequest.getState().close();
            useRun.getState().follow(record.id);
            useView.getState().setTab('run');
          }}
        />
      )}
    </>
  );
}

interface DocumentHeadProps {
  saving: boolean;
  onSave(): void;
  onRun(): void;
  onVersions(): void;
  onPropose(): void;
}

function DocumentHead({ saving, onSave, onRun, onVersions, onPropose }: DocumentHeadProps) {
  const store = useDocumentStore();
  const title = useDocument((state) => state.document.title);
  const dirty = useDocument((state) => state.dirty);
  const revision = useDocument((state) => state.revision);
  return (
    <>
      <h1 className="bar-title truncate" title={title}>
        {title}
      </h1>
      <span className="muted small bar-state" role="status">
        {saving ? 'Saving…' : dirty ? 'Unsaved changes' : `Saved · revision ${revision ?? '–'}`}
      </span>
      <span className="grow" />
      <div className="row tight bar-actions">
        <May needs="author">
          <button type="button" className="button" disabled={!dirty || saving} onClick={onSave}>
            <Save size={14} aria-hidden /> Save
          </button>
          <button type="button" className="button primary" onClick={onRun}>
            <Play size={14} aria-hidden /> Run
          </button>
        </May>
        <May needs="author">
          <button type="button" className="button" onClick={onPropose}>
            <Sparkles size={14} aria-hidden /> Propose
          </button>
        </May>
        <Menu label="More" className="button quiet square" trigger={<EllipsisVertical size={16} aria-hidden />}>
          <MenuItem
            icon={<FileDown size={14} aria-hidden />}
            onSelect={() => void downloadYaml(store.getState().document).catch(toastError)}
          >
            Export as YAML
          </MenuItem>
          <MenuItem icon={<History size={14} aria-hidden />} onSelect={onVersions}>
            Versions
          </MenuItem>
          <MenuItem icon={<List size={14} aria-hidden />} onSelect={() => navigate({ page: 'documents' })}>
            All workflows
          </MenuItem>
        </Menu>
      </div>
    </>
  );
}
