import type { RunRecord } from '@cua-forge/spec/store-port';
import { RunState } from '@cua-forge/spec/store-port';
import { History } from 'lucide-react';
import { useEffect, useState } from 'react';
import { api } from '../api/api-client.ts';
import { useLoad } from '../api/use-load.ts';
import { isOpen, RunBadge } from '../run/status.tsx';
import { dateTime, duration } from '../ui/format.ts';
import { Link } from '../ui/link.tsx';
import { Empty, LoadFailed, Loading } from '../ui/states.tsx';
import { toastError } from '../ui/toast.tsx';

const REFRESH_MS = 3_000;

export function RunsPage() {
  const [state, setState] = useState<RunState | ''>('');
  const [load, again] = useLoad(() => api.runs(state === '' ? {} : { state }), [state]);
  const [older, setOlder] = useState<{ runs: readonly RunRecord[]; next: string | null } | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another filter starts the list anew
  useEffect(() => setOlder(null), [state]);
  const first = load.status === 'loaded' ? load.value.runs : [];
  const anyOpen = first.some((run) => isOpen(run.state));
  useEffect(() => {
    if (!anyOpen) return;
    const timer = setInterval(again, REFRESH_MS);
    return () => clearInterval(timer);
  }, [anyOpen, again]);

  const next = older === null ? (load.status === 'loaded' ? load.value.next : null) : older.next;
  const more = async () => {
    if (next === null) return;
    try {
      const page = await api.runs({ ...(state === '' ? {} : { state }), cursor: next });
      setOlder((before) => ({ runs: [...(before?.runs ?? []), ...page.runs], next: page.next }));
    } catch (error) {
      toastError(error);
    }
  };
  const seen = new Set(first.map((run) => run.id));
  const runs = [...first, ...(older?.runs ?? []).filter((run) => !seen.has(run.id))];
  return (
    <div className="page">
      <div className="page-head">
        <h1>Runs</h1>
        <span className="grow" />
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
      </div>
      {load.status === 'loading' && <Loading what="runs" />}
      {load.status === 'failed' && <LoadFailed error={load.error} onRetry={again} />}
      {load.status === 'loaded' && runs.length === 0 && (
        <Empty icon={<History size={28} aria-hidden />} title={state === '' ? 'No runs yet' : `No run is ${state}`}>
          <p>Open a workflow and run it.</p>
        </Empty>
      )}
      {runs.length > 0 && (
        <table className="list">
          <thead>
            <tr>
              <th>Workflow</th>
              <th>State</th>
              <th>Seed</th>
              <th>Started</th>
              <th>Took</th>
              <th>What went wrong</th>
            </tr>
          </thead>
          <tbody>
            {runs.map((run) => (
              <tr key={run.id}>
                <td>
                  <Link to={{ page: 'run', id: run.id }} className="list-main">
                    {run.title}
                  </Link>
                  <div>
                    <code className="muted">{run.id}</code>
                  </div>
                </td>
                <td>
                  <RunBadge state={run.state} />
                </td>
                <td className="muted">{run.seed}</td>
                <td className="muted">{dateTime(run.createdAt)}</td>
                <td className="muted">
                  {run.startedAt !== null && run.endedAt !== null ? duration(run.endedAt - run.startedAt) : ''}
                </td>
                <td className="list-failure">{run.failure?.message}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {next !== null && (
        <button type="button" className="button" onClick={() => void more()}>
          Older runs
        </button>
      )}
    </div>
  );
}
