import { MAIN_GRAPH } from '@cua-forge/spec/document';
import { PencilLine } from 'lucide-react';
import { useEffect, useMemo } from 'react';
import { useView } from '../canvas/view-store.ts';
import { createDocumentStore, DocumentContext } from '../document/document-store.ts';
import { Workbench } from '../editor/workbench.tsx';
import { navigate } from '../route.ts';
import { useRun } from '../run/run-store.ts';
import { RunBadge } from '../run/status.tsx';
import { LoadFailed, Loading } from '../ui/states.tsx';

/** A run on the document as it was when the run started. */
export function RunPage({ id }: { id: string }) {
  useEffect(() => {
    useView.getState().reset();
    useView.getState().setTab('run');
    useRun.getState().follow(id);
    return () => useRun.getState().follow(null);
  }, [id]);
  const view = useRun((state) => state.view);
  const error = useRun((state) => state.error);
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
  return (
    <DocumentContext value={store}>
      <Workbench
        head={
          <>
            <h1 className="bar-title truncate" title={run.title}>
              {run.title}
            </h1>
            <RunBadge state={run.state} />
            <span className="grow" />
            <button
              type="button"
              className="button bar-actions"
              onClick={() => navigate({ page: 'document', id: run.documentId })}
            >
              <PencilLine size={14} aria-hidden /> Edit the workflow
            </button>
          </>
        }
      />
    </DocumentContext>
  );
}
