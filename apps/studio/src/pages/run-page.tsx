import '../styles/gantt.css';
import { MAIN_GRAPH } from '@cua-forge/spec/document';
import { ChartGantt, PencilLine, Workflow } from 'lucide-react';
import { lazy, Suspense, useEffect, useMemo, useState } from 'react';
import { runsApi } from '../api/runs-api.ts';
import { useLoad } from '../api/use-load.ts';
import { useView } from '../canvas/view-store.ts';
import { createDocumentStore, DocumentContext } from '../document/document-store.ts';
import { Workbench } from '../editor/workbench.tsx';
import { navigate } from '../route.ts';
import { RunPanel } from '../run/run-panel.tsx';
import { useRun } from '../run/run-store.ts';
import { RunBadge } from '../run/status.tsx';
import { dateTime } from '../ui/format.ts';
import { LoadFailed, Loading } from '../ui/states.tsx';

const Gantt = lazy(async () => ({ default: (await import('../run/gantt.tsx')).Gantt }));

type Look = 'canvas' | 'timeline';

/** A run on the document as it was when the run started: its canvas, or the times of its nodes. */
export function RunPage({ id }: { id: string }) {
  useEffect(() => {
    useView.getState().reset();
    useView.getState().setTab('run');
    useRun.getState().follow(id);
    return () => useRun.getState().follow(null);
  }, [id]);
  const view = useRun((state) => state.view);
  const error = useRun((state) => state.error);
  const [look, setLook] = useState<Look>('canvas');
  const hash = view?.run.id === id ? view.run.documentHash : null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the same document stays open while its run is refreshed
  const store = useMemo(
    () =>
      view === null || hash === null ? null : createDocumentStore(view.document, { revision: null, readOnly: true }),
    [hash, id],
  );
  useEffect(() => {
    const node = decodeURIComponent(location.hash.slice(1));
    if (store?.getState().document.nodes.some((each) => each.id === node)) useView.getState().show(MAIN_GRAPH, node);
  }, [store]);
  if (store === null || view === null) {
    return error === null ? (
      <Loading what="the run" />
    ) : (
      <LoadFailed error={error} onRetry={() => void useRun.getState().refresh()} />
    );
  }
  const { run } = view;
  const head = (
    <>
      <h1 className="bar-title truncate" title={run.title}>
        {run.title}
      </h1>
      <RunBadge state={run.state} />
      <fieldset className="segments look" aria-label="What to look at">
        <button type="button" aria-pressed={look === 'canvas'} onClick={() => setLook('canvas')}>
          <Workflow size={12} aria-hidden /> Canvas
        </button>
        <button type="button" aria-pressed={look === 'timeline'} onClick={() => setLook('timeline')}>
          <ChartGantt size={12} aria-hidden /> Timeline
        </button>
      </fieldset>
      <span className="grow" />
      <CompareWith runId={run.id} documentId={run.documentId} />
      <button
        type="button"
        className="button bar-actions"
        onClick={() => navigate({ page: 'document', id: run.documentId })}
      >
        <PencilLine size={14} aria-hidden /> Edit the workflow
      </button>
    </>
  );
  return (
    <DocumentContext value={store}>
      {look === 'canvas' ? (
        <Workbench head={head} />
      ) : (
        <div className="workbench">
          <div className="bar">{head}</div>
          <div className="workbench-body">
            <div className="canvas-column">
              <Suspense fallback={<Loading what="the timeline" />}>
                <Gantt />
              </Suspense>
            </div>
            <aside className="side" aria-label="Details">
              <div className="side-body">
                <RunPanel documentId={run.documentId} onRun={() => {}} />
              </div>
            </aside>
          </div>
        </div>
      )}
    </DocumentContext>
  );
}

/** Leads to the comparison with another run of the same workflow. */
function CompareWith({ runId, documentId }: { runId: string; documentId: string }) {
  const [load] = useLoad(() => runsApi.runs({ documentId, limit: 50 }), [documentId]);
  const others = load.status === 'loaded' ? load.value.runs.filter(({ id }) => id !== runId) : [];
  if (others.length === 0) return null;
  return (
    <select
      className="select compare-with"
      aria-label="Compare with"
      value=""
      onChange={(event) => navigate({ page: 'compare-runs', id: runId, with: event.target.value })}
    >
      <option value="">Compare with…</option>
      {others.map((run) => (
        <option key={run.id} value={run.id}>
          {dateTime(run.createdAt)} · seed {run.seed} · {run.state}
        </option>
      ))}
    </select>
  );
}
