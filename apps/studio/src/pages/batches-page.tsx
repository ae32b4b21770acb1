import '../styles/boards.css';
import type { BatchView } from '@cua-forge/spec/api/batches';
import type { BatchRecord } from '@cua-forge/spec/store-port';
import { CirclePlay, Layers } from 'lucide-react';
import { useRef, useState } from 'react';
import { batchesApi } from '../api/batches-api.ts';
import { useLive } from '../api/use-live.ts';
import { BatchBadge, BatchBar, isOpenBatch, pace, percent, spending, timeLeft } from '../boards/batch-parts.tsx';
import { StaleNotice } from '../boards/stale-notice.tsx';
import { StartBatchDialog } from '../boards/start-batch-dialog.tsx';
import { navigate } from '../route.ts';
import { dateTime } from '../ui/format.ts';
import { Link } from '../ui/link.tsx';
import { May } from '../ui/may.tsx';
import { Empty, LoadFailed, Loading } from '../ui/states.tsx';

const PAGE = 25;

/** All batches, newest first, as far as they are at this moment. */
export function BatchesPage() {
  const [limit, setLimit] = useState(PAGE);
  const [starting, setStarting] = useState(false);
  const ended = useRef(new Map<string, BatchView>());
  const { load, stale, stream, again } = useLive(() => readBoard(limit, ended.current), [limit], {
    feed: {},
    wants: ({ type }) => type === 'batch' || type === 'run' || type === 'outcome',
    paceMs: 1_500,
  });
  const views = load.status === 'loaded' ? load.value.views : [];
  const start = (
    <May needs="operator">
      <button type="button" className="button primary" onClick={() => setStarting(true)}>
        <CirclePlay size={14} aria-hidden /> Start a batch
      </button>
    </May>
  );
  return (
    <div className="page wide">
      <div className="page-head">
        <h1>Batches</h1>
        <span className="grow" />
        {start}
      </div>
      {load.status === 'loading' && <Loading what="batches" />}
      {load.status === 'failed' && <LoadFailed error={load.error} onRetry={again} />}
      {load.status === 'loaded' && <StaleNotice stale={stale} stream={stream} />}
      {load.status === 'loaded' && views.length === 0 && (
        <Empty icon={<Layers size={28} aria-hidden />} title="No batches yet">
          <p>A batch runs workflows many times, each with a seed of its own, within a budget.</p>
          {start}
        </Empty>
      )}
      {views.length > 0 && (
        <table className="list board-list">
          <thead>
            <tr>
              <th>Batch</th>
              <th>State</th>
              <th className="wide-cell">Progress</th>
              <th className="number">Acceptance</th>
              <th>Pace</th>
              <th>Spent</th>
              <th>Started</th>
            </tr>
          </thead>
          <tbody>
            {views.map((view) => (
              <BatchRow key={view.batch.id} view={view} />
            ))}
          </tbody>
        </table>
      )}
      {load.status === 'loaded' && load.value.more && (
        <button type="button" className="button" onClick={() => setLimit(limit + PAGE)}>
          Older batches
        </button>
      )}
      {starting && (
        <StartBatchDialog
          onClose={() => setStarting(false)}
          onStarted={(batch) => navigate({ page: 'batch', id: batch.id })}
        />
      )}
    </div>
  );
}

/** Batches that have ended are read once, unless somebody opens them again. */
async function readBoard(limit: number, ended: Map<string, BatchView>): Promise<{ views: BatchView[]; more: boolean }> {
  const { batches, next } = await batchesApi.batches({ limit });
  const read = async (batch: BatchRecord): Promise<BatchView> => {
    const known = ended.get(batch.id);
    if (known !== undefined && known.batch.state === batch.state && known.batch.endedAt === batch.endedAt) return known;
    const view = await batchesApi.batch(batch.id);
    if (!isOpenBatch(view.batch.state) && view.counts.running === 0) ended.set(batch.id, view);
    return view;
  };
  return { views: await Promise.all(batches.map(read)), more: next !== null };
}

function BatchRow({ view }: { view: BatchView }) {
  const { batch, counts, acceptance, progress, rehearsed } = view;
  const money = spending(view);
  return (
    <tr>
      <td>
        <Link to={{ page: 'batch', id: batch.id }} className="list-main">
          {batch.title}
        </Link>
        <div>
          <code className="muted">{batch.id}</code>
        </div>
      </td>
      <td>
        <BatchBadge state={batch.state} />
      </td>
      <td>
        <BatchBar counts={counts} total={batch.count} />
        <div className="row wrap small muted tally">
          <span>
            {counts.done} of {batch.count}
          </span>
          <span>{counts.accepted} accepted</span>
          {counts.rejected > 0 && <span className="warn-text">{counts.rejected} rejected</span>}
          {counts.failed > 0 && <span className="bad-text">{counts.failed} failed</span>}
          {counts.running > 0 && <span>{counts.running} running</span>}
        </div>
      </td>
      <td className="number">
        {rehearsed ? <span className="badge warn">rehearsal</span> : acceptance === null ? '' : percent(acceptance)}
      </td>
      <td className="muted nowrap">
        {pace(progress) || '–'}
        <div className="small">{timeLeft(progress)}</div>
      </td>
      <td className="muted nowrap">
        {money.spent}
        {money.bound !== null && <div className="small">of {money.bound}</div>}
      </td>
      <td className="muted nowrap">{dateTime(batch.createdAt)}</td>
    </tr>
  );
}
