import '../styles/boards.css';
import { FlaskConical, Plus } from 'lucide-react';
import { useState } from 'react';
import { evaluationsApi } from '../api/evaluations-api.ts';
import { useLive } from '../api/use-live.ts';
import { StaleNotice } from '../boards/stale-notice.tsx';
import { StartEvaluationDialog } from '../evaluations/start-evaluation-dialog.tsx';
import { variantText } from '../evaluations/variant-text.ts';
import { navigate } from '../route.ts';
import { dateTime } from '../ui/format.ts';
import { Link } from '../ui/link.tsx';
import { May } from '../ui/may.tsx';
import { Empty, LoadFailed, Loading } from '../ui/states.tsx';

/** Comparisons of versions and models, newest first. */
export function EvaluationsPage() {
  const [starting, setStarting] = useState(false);
  const { load, stale, stream, again } = useLive(() => evaluationsApi.evaluations({}), [], {
    feed: {},
    wants: ({ type }) => type === 'batch' || type === 'run',
    paceMs: 2_000,
  });
  const list = load.status === 'loaded' ? load.value.evaluations : [];
  const start = (
    <May needs="operator">
      <button type="button" className="button primary" onClick={() => setStarting(true)}>
        <Plus size={14} aria-hidden /> Evaluate a workflow
      </button>
    </May>
  );
  return (
    <div className="page wide">
      <div className="page-head">
        <h1>Evaluations</h1>
        <span className="grow" />
        {list.length > 0 && start}
      </div>
      {load.status === 'loading' && <Loading what="evaluations" />}
      {load.status === 'failed' && <LoadFailed error={load.error} onRetry={again} />}
      {load.status === 'loaded' && <StaleNotice stale={stale} stream={stream} />}
      {load.status === 'loaded' && list.length === 0 && (
        <Empty icon={<FlaskConical size={28} aria-hidden />} title="No evaluations yet">
          <p>An evaluation runs versions or models of a workflow on the same seeds, and compares what came of them.</p>
          {start}
        </Empty>
      )}
      {list.length > 0 && (
        <table className="list board-list">
          <thead>
            <tr>
              <th>Evaluation</th>
              <th>Variants</th>
              <th className="number">Seeds</th>
              <th className="number">Runs that ended</th>
              <th>Started</th>
            </tr>
          </thead>
          <tbody>
            {list.map(({ evaluation: { id, title, documentId, variants, count, createdAt, by }, done }) => (
              <tr key={id}>
                <td>
                  <Link to={{ page: 'evaluation', id }} className="list-main">
                    {title}
                  </Link>
                  <div className="small muted">
                    <code>{documentId}</code>
                    {by !== '' && ` · by ${by}`}
                  </div>
                </td>
                <td>{variants.map(variantText).join('; ')}</td>
                <td className="number">{count}</td>
                <td className="number">
                  {done} of {variants.length * count}
                </td>
                <td className="muted nowrap">{dateTime(createdAt)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {starting && (
        <StartEvaluationDialog
          onClose={() => setStarting(false)}
          onStarted={({ id }) => navigate({ page: 'evaluation', id })}
        />
      )}
    </div>
  );
}
