import '../styles/boards.css';
import type { BatchView } from '@cua-forge/spec/api/batches';
import { Ban, ExternalLink, Pause, Play, SlidersHorizontal } from 'lucide-react';
import { useMemo, useState } from 'react';
import { batchesApi } from '../api/batches-api.ts';
import { useServer } from '../api/server-store.ts';
import { useMay } from '../api/session-store.ts';
import { useLive } from '../api/use-live.ts';
import { BatchFailures } from '../boards/batch-failures.tsx';
import { BatchFigures } from '../boards/batch-figures.tsx';
import { BatchBadge, BatchBar, isOpenBatch } from '../boards/batch-parts.tsx';
import { FilteredRuns, noFilter } from '../boards/filtered-runs.tsx';
import { Plot } from '../boards/plot.tsx';
import { SpendingPlot } from '../boards/spending-plot.tsx';
import { StaleNotice } from '../boards/stale-notice.tsx';
import { SteerDialog } from '../boards/steer-dialog.tsx';
import { endsOverTime, useRuns } from '../boards/use-runs.ts';
import { Dialog } from '../ui/dialog.tsx';
import { dateTime } from '../ui/format.ts';
import { Link } from '../ui/link.tsx';
import { FailureNotice, LoadFailed, Loading } from '../ui/states.tsx';
import { toastError, toastOk } from '../ui/toast.tsx';

/** One batch: how far it is, what it costs, what fails, its runs; and the means to steer it. */
export function BatchPage({ id }: { id: string }) {
  const runs = useRuns({ batchId: id });
  const { load, stale, stream, again } = useLive(() => batchesApi.batch(id), [id], {
    feed: { batch: id },
    wants: ({ type }) => type === 'batch' || type === 'run' || type === 'outcome',
    onEvent: runs.take,
    paceMs: 1_500,
  });
  const [filter, setFilter] = useState(noFilter);
  const from = load.status === 'loaded' ? load.value.batch.createdAt : 0;
  const series = useMemo(() => endsOverTime(runs.runs, from), [runs.runs, from]);
  const lines = useMemo(
    () => [
      { label: 'accepted', color: '--ok', values: series.accepted },
      { label: 'rejected', color: '--warn', values: series.rejected },
      { label: 'failed', color: '--bad', values: series.failed },
    ],
    [series],
  );
  if (load.status === 'loading') return <Loading what="the batch" />;
  if (load.status === 'failed') return <LoadFailed error={load.error} onRetry={again} />;
  const view = load.value;
  const { batch, counts } = view;
  const refresh = () => {
    again();
    runs.refresh();
  };
  return (
    <div className="page wide stack board">
      <BatchHead view={view} onChanged={refresh} />
      <StaleNotice stale={stale} stream={stream} />
      <BatchBar counts={counts} total={batch.count} />
      <BatchFigures view={view} />
      <div className="board-split">
        <section className="panel" aria-labelledby="over-time">
          <h2 id="over-time">Runs that ended, over time</h2>
          {series.times.length < 2 ? (
            <p className="hint">No run has ended yet.</p>
          ) : (
            <Plot
              times={series.times}
              lines={lines}
              summary={`${counts.accepted} accepted, ${counts.rejected} rejected and ${counts.failed} failed since ${dateTime(batch.createdAt)}.`}
            />
          )}
          {runs.more && <p className="hint">Of the newest {runs.runs.length} runs.</p>}
        </section>
        <BatchFailures view={view} onChanged={refresh} />
      </div>
      <section className="panel" aria-labelledby="spending-over-time">
        <h2 id="spending-over-time">Tokens and money, over time</h2>
        <SpendingPlot
          of={{ batch: batch.id }}
          from={batch.createdAt}
          change={view.usage.calls}
          budget={batch.budget.usd}
        />
      </section>
      {runs.error !== null && <FailureNotice failure={runs.error} />}
      <FilteredRuns runs={runs} total={batch.count} filter={filter} onFilter={setFilter} />
    </div>
  );
}

function BatchHead({ view, onChanged }: { view: BatchView; onChanged(): void }) {
  const { batch } = view;
  const [dialog, setDialog] = useState<'steer' | 'cancel' | null>(null);
  const mayAct = useMay('operator');
  const health = useServer((state) => state.health);
  const temporal =
    health?.temporalUi == null
      ? null
      : `${health.temporalUi}/namespaces/${encodeURIComponent(health.temporal.namespace)}/workflows/${encodeURIComponent(batch.workflowId)}`;
  const act = async (what: string, action: () => Promise<unknown>) => {
    try {
      await action();
      toastOk(what);
      onChanged();
    } catch (thrown) {
      toastError(thrown);
    }
  };
  const runs = batch.state === 'running' || batch.state === 'queued';
  const open = isOpenBatch(batch.state);
  const unfinished = batch.state === 'cancelled' || batch.state === 'terminated';
  return (
    <div className="page-head">
      <div className="grow">
        <div className="row">
          <h1 className="truncate" title={batch.title}>
            {batch.title}
          </h1>
          <BatchBadge state={batch.state} />
          {view.rehearsed && <span className="badge warn">rehearsal</span>}
        </div>
        <div className="row wrap muted small facts-line">
          <code>{batch.id}</code>
          <span>
            {batch.parts.length === 1 ? `seeds from ${batch.parts[0]?.seed}` : `${batch.parts.length} workflows`}
          </span>
          {batch.parts.length === 1 && batch.parts[0]?.revision !== undefined && (
            <span>revision {batch.parts[0].revision}</span>
          )}
          {batch.evaluationId !== undefined && (
            <Link to={{ page: 'evaluation', id: batch.evaluationId }}>evaluation</Link>
          )}
          <span>started {dateTime(batch.createdAt)}</span>
          {batch.endedAt !== null && <span>ended {dateTime(batch.endedAt)}</span>}
        </div>
      </div>
      {temporal !== null && (
        <a className="button" href={temporal} target="_blank" rel="noreferrer">
          <ExternalLink size={14} aria-hidden /> Temporal
        </a>
      )}
      {mayAct && (open || unfinished) && (
        <button type="button" className="button" onClick={() => setDialog('steer')}>
          <SlidersHorizontal size={14} aria-hidden /> Budget and window
        </button>
      )}
      {mayAct && runs && (
        <button
          type="button"
          className="button"
          onClick={() => void act('Paused: no more runs start.', () => batchesApi.pauseBatch(batch.id))}
        >
          <Pause size={14} aria-hidden /> Pause
        </button>
      )}
      {mayAct && !runs && (open || unfinished) && (
        <button
          type="button"
          className="button primary"
          onClick={() => void act('The batch goes on.', () => batchesApi.resumeBatch(batch.id, {}))}
        >
          <Play size={14} aria-hidden /> Resume
        </button>
      )}
      {mayAct && open && (
        <button type="button" className="button danger" onClick={() => setDialog('cancel')}>
          <Ban size={14} aria-hidden /> Cancel
        </button>
      )}
      {dialog === 'steer' && (
        <SteerDialog
          batch={batch}
          onClose={() => setDialog(null)}
          onDone={() => {
            setDialog(null);
            toastOk('Budget and window are changed.');
            onChanged();
          }}
        />
      )}
      {dialog === 'cancel' && (
        <Dialog
          title="Cancel the batch?"
          onClose={() => setDialog(null)}
          onSubmit={() => {
            setDialog(null);
            void act('The batch is being cancelled.', () => batchesApi.cancelBatch(batch.id));
          }}
          footer={
            <>
              <button type="button" className="button" onClick={() => setDialog(null)}>
                Keep it
              </button>
              <button type="submit" className="button danger">
                Cancel the batch
              </button>
            </>
          }
        >
          <p>
            {view.counts.running} runs in progress are cancelled, and {view.counts.waiting} that wait do not start. It
            can be resumed later.
          </p>
        </Dialog>
      )}
    </div>
  );
}
