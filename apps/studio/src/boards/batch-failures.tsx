import type { BatchView } from '@cua-forge/spec/api/batches';
import { RotateCw } from 'lucide-react';
import { useState } from 'react';
import { batchesApi } from '../api/batches-api.ts';
import { useMay } from '../api/session-store.ts';
import { toastError, toastOk } from '../ui/toast.tsx';

/** What runs failed with, most often first; each kind can be run again at once. */
export function BatchFailures({ view, onChanged }: { view: BatchView; onChanged(): void }) {
  const [busy, setBusy] = useState<string | null>(null);
  const mayAct = useMay('operator');
  const failures = Object.entries(view.failures).sort(([, a], [, b]) => b - a);
  const most = failures[0]?.[1] ?? 1;
  const retry = async (code: string | undefined) => {
    setBusy(code ?? '');
    try {
      const { runs } = await batchesApi.retryBatch(view.batch.id, code === undefined ? {} : { failureCode: code });
      toastOk(`${runs.length === 1 ? 'One run runs' : `${runs.length} runs run`} again.`);
      onChanged();
    } catch (thrown) {
      toastError(thrown);
    } finally {
      setBusy(null);
    }
  };
  return (
    <section className="panel" aria-labelledby="failure-kinds">
      <div className="row">
        <h2 id="failure-kinds" className="grow">
          Failures by kind
        </h2>
        {mayAct && failures.length > 1 && (
          <button
            type="button"
            className="button compact"
            disabled={busy !== null}
            onClick={() => void retry(undefined)}
          >
            <RotateCw size={12} aria-hidden /> Retry all
          </button>
        )}
      </div>
      {failures.length === 0 && <p className="hint">Nothing has failed.</p>}
      <ul className="plain-list failure-kinds">
        {failures.map(([code, times]) => (
          <li key={code}>
            <div className="row">
              <code className="grow truncate">{code}</code>
              <strong>{times}</strong>
              {mayAct && (
                <button
                  type="button"
                  className="button compact"
                  aria-label={`Retry ${code}`}
                  disabled={busy !== null}
                  onClick={() => void retry(code)}
                >
                  <RotateCw size={12} aria-hidden /> {busy === code ? 'Retrying…' : 'Retry'}
                </button>
              )}
            </div>
            <div className="meter bad" aria-hidden>
              <span style={{ width: `${(times / most) * 100}%` }} />
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}
