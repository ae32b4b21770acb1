import { RunState } from '@cua-forge/spec/store-port';
import { useDeferredValue, useMemo } from 'react';
import { RunList } from './run-list.tsx';
import type { Runs } from './use-runs.ts';

export interface RunFilter {
  state: RunState | '';
  code: string;
  query: string;
}
export const noFilter: RunFilter = { state: '', code: '', query: '' };

interface FilteredRunsProps {
  title?: string;
  runs: Runs;
  /** How many there are in all, where that is known before they have been read. */
  total?: number;
  filter: RunFilter;
  onFilter(filter: RunFilter): void;
}

/** Runs, by state, failure, and what is typed. */
export function FilteredRuns({
  title = 'Runs',
  runs: { runs, loading, more, loadMore },
  total,
  filter,
  onFilter,
}: FilteredRunsProps) {
  const { state, code, query } = filter;
  const words = useDeferredValue(query.trim().toLowerCase());
  const codes = useMemo(() => {
    const found = runs.flatMap(({ failure }) => (failure === null ? [] : [failure.code]));
    return [...new Set(code === '' ? found : [...found, code])].sort();
  }, [runs, code]);
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
    <section className="stack" aria-labelledby="filtered-runs">
      <div className="row wrap">
        <h2 id="filtered-runs">{title}</h2>
        <span className="muted small grow" role="status">
          {loading
            ? `Reading: ${runs.length}${total === undefined ? '' : ` of about ${total}`}`
            : shown.length === runs.length
              ? `${runs.length}${more ? ' newest' : ''}`
              : `${shown.length} of ${runs.length}`}
        </span>
        <input
          className="input filter"
          type="search"
          placeholder="Seed, title, message…"
          aria-label="Filter runs"
          value={query}
          onChange={(event) => onFilter({ ...filter, query: event.target.value })}
        />
        <select
          className="select filter"
          aria-label="State"
          value={state}
          onChange={(event) => onFilter({ ...filter, state: RunState.safeParse(event.target.value).data ?? '' })}
        >
          <option value="">every state</option>
          {RunState.options.map((each) => (
            <option key={each} value={each}>
              {each.replaceAll('-', ' ')}
            </option>
          ))}
        </select>
        <select
          className="select filter"
          aria-label="Failure"
          value={code}
          onChange={(event) => onFilter({ ...filter, code: event.target.value })}
        >
          <option value="">any outcome</option>
          {codes.map((each) => (
            <option key={each}>{each}</option>
          ))}
        </select>
      </div>
      {shown.length === 0 ? (
        <p className="hint pad">
          {loading
            ? 'Reading…'
            : runs.length === 0 && state === '' && code === ''
              ? 'No run has begun yet.'
              : 'No run is like that.'}
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
