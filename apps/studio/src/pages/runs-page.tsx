import '../styles/boards.css';
import { Columns2, History } from 'lucide-react';
import { useEffect, useState } from 'react';
import { followFeed, type Stream } from '../api/event-feed.ts';
import { checkHealthNow } from '../api/server-store.ts';
import { FilteredRuns, noFilter, type RunFilter } from '../boards/filtered-runs.tsx';
import { StaleNotice } from '../boards/stale-notice.tsx';
import { useRuns } from '../boards/use-runs.ts';
import { navigate } from '../route.ts';
import { Link } from '../ui/link.tsx';
import { Empty, LoadFailed, Loading } from '../ui/states.tsx';

const AT_ONCE = 200;

/** Every run, newest first, as it begins and ends. */
export function RunsPage() {
  const [filter, setFilter] = useState<RunFilter>(noFilter);
  const { state, code } = filter;
  const runs = useRuns({
    ...(state === '' ? {} : { state }),
    ...(code === '' ? {} : { failureCode: code }),
    atOnce: AT_ONCE,
  });
  const stream = useStream(runs);
  const nothing = runs.runs.length === 0;
  const unfiltered = state === '' && code === '';
  return (
    <div className="page wide">
      <div className="page-head">
        <h1>Runs</h1>
        <span className="grow" />
        {runs.runs.length > 1 && <CompareNewest runs={runs.runs} />}
      </div>
      {nothing && runs.loading && <Loading what="runs" />}
      {nothing && runs.error !== null && <LoadFailed error={runs.error} onRetry={runs.loadMore} />}
      {(!nothing || runs.error === null) && <StaleNotice stale={nothing ? null : runs.error} stream={stream} />}
      {nothing && !runs.loading && runs.error === null && unfiltered && (
        <Empty icon={<History size={28} aria-hidden />} title="No runs yet">
          <p>Open a workflow and run it; what happens shows here as it happens.</p>
          <Link to={{ page: 'documents' }} className="button">
            Workflows
          </Link>
        </Empty>
      )}
      {(!nothing || (!unfiltered && runs.error === null)) && (
        <FilteredRuns title="Newest first" runs={runs} filter={filter} onFilter={setFilter} />
      )}
    </div>
  );
}

/** Follows everything that happens and hands it to the list; answers how the connection is. */
function useStream({ take, refresh }: Pick<ReturnType<typeof useRuns>, 'take' | 'refresh'>): Stream {
  const [stream, setStream] = useState<Stream>('connecting');
  useEffect(
    () =>
      followFeed({ inside: '' }, take, (next) => {
        setStream(next);
        // Something may have changed before the stream was there.
        if (next === 'live') refresh();
        if (next === 'reconnecting') checkHealthNow();
      }),
    [take, refresh],
  );
  return stream;
}

type Runs = ReturnType<typeof useRuns>['runs'];

/** Leads to the comparison of the newest run with the one of the same workflow before it. */
function CompareNewest({ runs }: { runs: Runs }) {
  const [newest] = runs;
  const before = runs.find(({ id, documentId }) => id !== newest?.id && documentId === newest?.documentId);
  if (newest === undefined || before === undefined) return null;
  return (
    <button
      type="button"
      className="button"
      title={`${newest.title}: the newest run beside the one before it`}
      onClick={() => navigate({ page: 'compare-runs', id: before.id, with: newest.id })}
    >
      <Columns2 size={14} aria-hidden /> Compare the newest two
    </button>
  );
}
