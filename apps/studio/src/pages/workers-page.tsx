import '../styles/boards.css';
import type { PendingProblem, QueueSituation, WorkerBuild, WorkersView } from '@cua-forge/spec/operations';
import type { RunRecord } from '@cua-forge/spec/store-port';
import { Server } from 'lucide-react';
import { useEffect } from 'react';
import { operationsApi } from '../api/operations-api.ts';
import { runsApi } from '../api/runs-api.ts';
import { useMay } from '../api/session-store.ts';
import { useLive } from '../api/use-live.ts';
import { StaleNotice } from '../boards/stale-notice.tsx';
import { dateTime, duration } from '../ui/format.ts';
import { Link } from '../ui/link.tsx';
import { Empty, LoadFailed, Loading } from '../ui/states.tsx';
import { toastError, toastOk } from '../ui/toast.tsx';

/** Temporal tells of its queues and workers only when it is asked. */
const ASK_MS = 5_000;
const RECENT = 200;

/** Queues, workers, builds, activities in trouble, and what runs failed with lately. */
export function WorkersPage() {
  const { load, stale, stream, again } = useLive(() => operationsApi.workers(), [], {
    feed: {},
    wants: () => false,
  });
  useEffect(() => {
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') again();
    }, ASK_MS);
    return () => clearInterval(timer);
  }, [again]);
  return (
    <div className="page wide stack board">
      <div className="page-head">
        <h1>Workers</h1>
      </div>
      {load.status === 'loading' && <Loading what="queues and workers" />}
      {load.status === 'failed' && <LoadFailed error={load.error} onRetry={again} />}
      {load.status === 'loaded' && (
        <>
          <StaleNotice stale={stale} stream={stream} />
          <Situation view={load.value} onChanged={again} />
        </>
      )}
      <RecentFailures />
    </div>
  );
}

function Situation({ view, onChanged }: { view: WorkersView; onChanged(): void }) {
  const anybody = view.queues.some(({ workers }) => workers.length > 0);
  return (
    <>
      {!anybody && (
        <div className="notice warn" role="alert">
          <Server size={16} aria-hidden />
          <span>
            <strong>No worker takes tasks.</strong> Runs wait until one is started: <code>npm start</code>, or the
            worker of a deployment.
          </span>
        </div>
      )}
      <section className="stack tight" aria-labelledby="queues">
        <h2 id="queues">Queues</h2>
        <table className="list">
          <thead>
            <tr>
              <th>Queue</th>
              <th className="number">Backlog</th>
              <th className="number">Oldest waits</th>
              <th className="number">Added / s</th>
              <th className="number">Taken / s</th>
              <th>Workers</th>
            </tr>
          </thead>
          <tbody>
            {view.queues.map((queue) => (
              <Queue key={queue.queue} queue={queue} />
            ))}
          </tbody>
        </table>
      </section>
      <Builds builds={view.builds} onChanged={onChanged} />
      <Problems view={view} />
    </>
  );
}

function Queue({ queue }: { queue: QueueSituation }) {
  return (
    <tr>
      <td>
        <code>{queue.queue}</code>
      </td>
      <td className="number">
        <strong className={queue.backlog > 0 ? 'warn-text waits' : ''}>{queue.backlog}</strong>
      </td>
      <td className="number">{queue.backlog === 0 ? '–' : duration(queue.backlogAgeMs)}</td>
      <td className="number">{queue.addedPerSecond.toFixed(1)}</td>
      <td className="number">{queue.takenPerSecond.toFixed(1)}</td>
      <td>
        {queue.workers.length === 0 && <span className="badge bad">no worker</span>}
        {queue.workers.map(({ identity, lastSeen, build }) => (
          <div key={identity} className="row small">
            <span className="dot ok-text" aria-hidden />
            <code className="truncate">{identity}</code>
            {build !== null && <span className="badge">{build}</span>}
            <span className="muted nowrap">seen {duration(Math.max(0, Date.now() - lastSeen))} ago</span>
          </div>
        ))}
      </td>
    </tr>
  );
}

const tones: Record<WorkerBuild['status'], string> = {
  current: 'ok',
  ramping: 'run',
  inactive: '',
  draining: 'warn',
  drained: '',
  unknown: '',
};

function Builds({ builds, onChanged }: { builds: readonly WorkerBuild[]; onChanged(): void }) {
  const mayAct = useMay('operator');
  if (builds.length === 0) return null;
  const use = async (build: string) => {
    try {
      await operationsApi.setCurrentBuild({ build });
      toastOk(`New runs start on ${build}.`);
      onChanged();
    } catch (thrown) {
      toastError(thrown);
    }
  };
  return (
    <section className="stack tight" aria-labelledby="builds">
      <h2 id="builds">Builds</h2>
      <table className="list">
        <thead>
          <tr>
            <th>Build</th>
            <th>State</th>
            <th>Seen first</th>
            <th aria-label="Actions" />
          </tr>
        </thead>
        <tbody>
          {builds.map(({ build, status, createdAt }) => (
            <tr key={build}>
              <td>
                <code>{build}</code>
              </td>
              <td>
                <span className={`badge ${tones[status]}`}>{status}</span>
              </td>
              <td className="muted">{dateTime(createdAt)}</td>
              <td className="number">
                {mayAct && status !== 'current' && (
                  <button type="button" className="button compact" onClick={() => void use(build)}>
                    Use for new runs
                  </button>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Problems({ view }: { view: WorkersView }) {
  const { problems, examined, open } = view;
  return (
    <section className="stack tight" aria-labelledby="problems">
      <div className="row">
        <h2 id="problems">Activities in trouble</h2>
        <span className="muted small">
          {examined} of {open} open workflows looked at
        </span>
      </div>
      {problems.length === 0 ? (
        <p className="hint">Every activity of an open run gets on.</p>
      ) : (
        <table className="list">
          <thead>
            <tr>
              <th>Run</th>
              <th>Activity</th>
              <th>Queue</th>
              <th className="number">Try</th>
              <th>Since</th>
              <th>What the last try failed with</th>
            </tr>
          </thead>
          <tbody>
            {problems.map((problem) => (
              <tr key={`${problem.workflowId} ${problem.activity} ${problem.scheduledAt}`}>
                <td>
                  <ProblemRun problem={problem} />
                </td>
                <td>
                  <code>{problem.activity}</code>
                </td>
                <td className="muted">{problem.queue}</td>
                <td className="number">
                  {problem.attempt}
                  {problem.attempts > 0 && ` of ${problem.attempts}`}
                </td>
                <td className="muted nowrap">{dateTime(problem.scheduledAt)}</td>
                <td className="list-failure">{problem.failure ?? 'No worker has taken it up.'}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}

function ProblemRun({ problem: { runId, workflowId } }: { problem: PendingProblem }) {
  if (runId === null) return <code className="muted">{workflowId}</code>;
  return (
    <Link to={{ page: 'run', id: runId }} className="list-main">
      {runId}
    </Link>
  );
}

interface Kind {
  code: string;
  runs: RunRecord[];
}

/** Failed runs by failure, most often first. */
async function readFailures(): Promise<{ kinds: Kind[]; read: number }> {
  const pages = await Promise.all(
    (['failed', 'needs-attention'] as const).map((state) => runsApi.runs({ state, limit: RECENT })),
  );
  const runs = pages.flatMap((page) => page.runs);
  const byCode = new Map<string, RunRecord[]>();
  for (const run of runs) {
    const code = run.failure?.code ?? 'waits for a person';
    byCode.set(code, [...(byCode.get(code) ?? []), run]);
  }
  const kinds = [...byCode].map(([code, found]) => ({ code, runs: found.sort((a, b) => b.createdAt - a.createdAt) }));
  return { kinds: kinds.sort((a, b) => b.runs.length - a.runs.length), read: runs.length };
}

function RecentFailures() {
  const { load, again } = useLive(readFailures, [], {
    feed: {},
    wants: ({ type }) => type === 'run',
    paceMs: 2_000,
  });
  return (
    <section className="stack tight" aria-labelledby="recent">
      <h2 id="recent">Recent failures by kind</h2>
      {load.status === 'loading' && <Loading what="failures" />}
      {load.status === 'failed' && <LoadFailed error={load.error} onRetry={again} />}
      {load.status === 'loaded' && load.value.kinds.length === 0 && <Empty title="No run has failed" />}
      {load.status === 'loaded' && load.value.kinds.length > 0 && (
        <table className="list">
          <thead>
            <tr>
              <th>Failure</th>
              <th className="number">Runs</th>
              <th>Latest</th>
              <th>What it said</th>
            </tr>
          </thead>
          <tbody>
            {load.value.kinds.map(({ code, runs }) => {
              const [latest] = runs;
              return (
                <tr key={code}>
                  <td>
                    <code>{code}</code>
                  </td>
                  <td className="number">{runs.length}</td>
                  <td>
                    {latest !== undefined && (
                      <Link to={{ page: 'run', id: latest.id }} className="list-main">
                        {latest.title}
                      </Link>
                    )}
                  </td>
                  <td className="list-failure">{latest?.failure?.message}</td>
                </tr>
              );
            })}
          </tbody>
        </table>
      )}
    </section>
  );
}
