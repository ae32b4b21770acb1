import '../styles/boards.css';
import { Ban } from 'lucide-react';
import { evaluationsApi } from '../api/evaluations-api.ts';
import { useLive } from '../api/use-live.ts';
import { isOpenBatch } from '../boards/batch-parts.tsx';
import { StaleNotice } from '../boards/stale-notice.tsx';
import { SeedTable } from '../evaluations/seed-table.tsx';
import { VariantPlot } from '../evaluations/variant-plot.tsx';
import { VariantTable } from '../evaluations/variant-table.tsx';
import { dateTime } from '../ui/format.ts';
import { Link } from '../ui/link.tsx';
import { May } from '../ui/may.tsx';
import { LoadFailed, Loading } from '../ui/states.tsx';
import { toastError, toastOk } from '../ui/toast.tsx';

/** Versions or models of a workflow on the same seeds, side by side. */
export function EvaluationPage({ id }: { id: string }) {
  const { load, stale, stream, again } = useLive(() => evaluationsApi.evaluation(id), [id], {
    feed: {},
    wants: ({ type }) => type === 'batch' || type === 'run',
    paceMs: 1_500,
  });
  if (load.status === 'loading') return <Loading what="the evaluation" />;
  if (load.status === 'failed') return <LoadFailed error={load.error} onRetry={again} />;
  const { evaluation, variants } = load.value;
  const cancel = async () => {
    if (!window.confirm('Cancel what has not ended of this evaluation?')) return;
    try {
      await evaluationsApi.cancelEvaluation(id);
      toastOk('The evaluation is being cancelled.');
      again();
    } catch (thrown) {
      toastError(thrown);
    }
  };
  return (
    <div className="page wide stack board">
      <div className="page-head">
        <div className="grow">
          <h1 className="truncate" title={evaluation.title}>
            {evaluation.title}
          </h1>
          <div className="row wrap muted small facts-line">
            <Link to={{ page: 'document', id: evaluation.documentId }}>{evaluation.documentId}</Link>
            <span>
              seeds {evaluation.seed} to {evaluation.seed + evaluation.count - 1}
            </span>
            <span>started {dateTime(evaluation.createdAt)}</span>
            {evaluation.by !== '' && <span>by {evaluation.by}</span>}
          </div>
        </div>
        <May needs="operator">
          {variants.some(({ batch }) => isOpenBatch(batch.batch.state)) && (
            <button type="button" className="button danger" onClick={() => void cancel()}>
              <Ban size={14} aria-hidden /> Cancel
            </button>
          )}
        </May>
      </div>
      <StaleNotice stale={stale} stream={stream} />
      <VariantTable variants={variants} />
      <section className="panel" aria-labelledby="shares">
        <h2 id="shares">Accepted, rejected, failed</h2>
        <VariantPlot variants={variants} />
      </section>
      <SeedTable view={load.value} />
    </div>
  );
}
