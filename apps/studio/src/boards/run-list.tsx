import type { RunRecord } from '@cua-forge/spec/store-port';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useRef } from 'react';
import { RunBadge } from '../run/status.tsx';
import { dateTime, duration } from '../ui/format.ts';
import { Link } from '../ui/link.tsx';

const ROW = 38;

/** Any number of runs: only the rows in view are drawn, between two that stand for the others. */
export function RunList({ runs }: { runs: readonly RunRecord[] }) {
  const scroller = useRef<HTMLElement>(null);
  const virtual = useVirtualizer({
    count: runs.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW,
    overscan: 12,
  });
  const rows = virtual.getVirtualItems();
  const above = rows[0]?.start ?? 0;
  const below = virtual.getTotalSize() - (rows.at(-1)?.end ?? 0);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <section ref={scroller} className="run-scroll" tabIndex={0} aria-label="List of runs">
      <table className="run-list" aria-rowcount={runs.length + 1}>
        <thead>
          <tr>
            <th>Run</th>
            <th className="run-state">State</th>
            <th className="run-seed">Seed</th>
            <th className="run-started">Started</th>
            <th className="run-took">Took</th>
            <th>What went wrong</th>
          </tr>
        </thead>
        <tbody>
          {above > 0 && (
            <tr aria-hidden>
              <td colSpan={6} style={{ height: above }} />
            </tr>
          )}
          {rows.map(({ index }) => {
            const run = runs[index];
            return run === undefined ? null : <Row key={run.id} run={run} index={index} />;
          })}
          {below > 0 && (
            <tr aria-hidden>
              <td colSpan={6} style={{ height: below }} />
            </tr>
          )}
        </tbody>
      </table>
    </section>
  );
}

function Row({ run, index }: { run: RunRecord; index: number }) {
  const { failure } = run;
  const wrong = failure === null ? '' : `${failure.code}: ${failure.message}`;
  return (
    <tr className="run-row" aria-rowindex={index + 2}>
      <td className="truncate">
        <Link to={{ page: 'run', id: run.id }} className="list-main">
          {run.title}
        </Link>
      </td>
      <td>
        <RunBadge state={run.state} />
      </td>
      <td className="muted">{run.seed}</td>
      <td className="muted">{dateTime(run.startedAt ?? run.createdAt)}</td>
      <td className="muted">
        {run.startedAt !== null && run.endedAt !== null ? duration(run.endedAt - run.startedAt) : ''}
      </td>
      <td className="muted truncate" title={wrong}>
        {wrong}
      </td>
    </tr>
  );
}
