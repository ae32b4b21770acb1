import { RunState } from '@cua-forge/spec/store-port';
import { useDeferredValue, useMemo, useState } from 'react';
import type { BatchRuns } from './batch-runs.ts';
import { RunList } from './run-list.tsx';

/** The runs of a batch, by state, failure, and what is typed. */
export function FilteredRuns({ batchRuns, total }: { batchRuns: BatchRuns; total: number }) {
  const { runs, loading, more, loadMore } = batchRuns;
  const [state, setState] = useState<RunState | ''>('');
  const [code, setCode] = useState('');
  const [query, setQuery] = useState('');
  const words = useDeferredValue(query.trim().toLowerCase());
  const codes = useMemo(
    () => [...new Set(runs.flatMap(({ failure }) => (failure === null ? [] : [failure.code])))].sort(),
    [runs],
  );
  const shown = useMemo(
    () =>
      runs.filter(
        (run) =>
          (state === '' || run.state === state) &&
          (code === '' || run.failure?.code === code) &&
          (words === '' ||
            `${run.title} ${run.id} ${run.seed} ${run.failure?.message ?? ''}`.toLowerCase().includes(words)),
      ),
    [runs, state, code, words],
  );
  return (
    <section className="stack" aria-labelledby="batch-runs">
      <div className="row wrap">
        <h2 id="batch-runs">Runs</h2>
        <span className="muted small grow" role="status">
          {loading
            ? `Reading: ${runs.length} of about ${total}`
            : shown.length === runs.length
              ? `${runs.length}`
              : `${shown.length} of ${runs.length}`}
        </span>
        <input
          className="input filter"
          type="search"
          placeholder="Seed, title, message…"
          aria-label="Filter runs"
          value={query}
          onChange={(event) => setQuery(event.target.value)}
        />
        <select
          className="select filter"
          aria-label="State"
          value={state}
          onChange={(event) => setState(RunState.safeParse(event.target.value).data ?? '')}
        >
          <option value="">every state</option>
          {RunState.options.map((each) => (
            <option key={each}>{each}</option>
          ))}
        </select>
        <select
          className="select filter"
          aria-label="Failure"
          value={code}
          onChange={(event) => setCode(event.target.value)}
        >
          <option value="">any outcome</option>
          {codes.map((each) => (
            <option key={each}>{each}</option>
          ))}
        </select>
      </div>
      {shown.length === 0 ? (
        <p className="hint pad">
          {runs.length === 0 ? (loading ? 'Reading…' : 'No run has begun yet.') : 'No run is like that.'}
        </p>
      ) : (
        <RunList runs={shown} />
      )}
      {more && !loading && (
        <button type="button" className="button" onClick={loadMore}>
          Read older runs
        </button>
      )}
    </section>
  );
}
