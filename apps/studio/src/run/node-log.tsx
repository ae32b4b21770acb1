import { allPages } from '@cua-forge/api-client/all-pages';
import { LogLine, NodeView, type RunEvent } from '@cua-forge/spec/store-port';
import { z } from 'zod';
import { runsApi } from '../api/runs-api.ts';
import { useLoad } from '../api/use-load.ts';
import { LoadFailed } from '../ui/states.tsx';
import { useRun } from './run-store.ts';

const Progress = z.object({ message: z.string(), fraction: z.number().nullish() });
const clock = new Intl.DateTimeFormat(undefined, {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  fractionalSecondDigits: 3,
});

export interface LogRow {
  id: number;
  at: number;
  tone: 'state' | 'progress' | 'info' | 'warn';
  text: string;
}

/** An event of a node as a line for people; null for one that says nothing new to them. */
export function logRow({ id, at, type, data }: RunEvent): LogRow | null {
  if (type === 'node') {
    const view = NodeView.safeParse(data);
    if (!view.success) return null;
    const { status, round, attempt, failure, note } = view.data;
    const which = `${round > 1 ? `, round ${round}` : ''}${attempt > 1 ? `, attempt ${attempt}` : ''}`;
    const why = failure === null ? (note === null ? '' : `: ${note}`) : `: ${failure.code} ${failure.message}`;
    return { id, at, tone: failure === null ? 'state' : 'warn', text: `${status}${which}${why}` };
  }
  if (type === 'log') {
    const line = LogLine.safeParse(data);
    return line.success ? { id, at, tone: line.data.level, text: line.data.line } : null;
  }
  if (type === 'progress') {
    const progress = Progress.safeParse(data);
    return progress.success ? { id, at, tone: 'progress', text: progress.data.message } : null;
  }
  return null;
}

/** What the node said while it ran: its states, its progress, and the lines it wrote. */
export function NodeLog({ runId, runKey }: { runId: string; runKey: string }) {
  const seq = useRun((state) => state.nodes.get(runKey)?.seq);
  const message = useRun((state) => state.messages.get(runKey)?.message);
  const [load, again] = useLoad(
    () =>
      allPages(
        (page) => runsApi.nodeLog(runId, { ...page, key: runKey }),
        ({ events }) => events,
      ),
    [runId, runKey, seq, message],
  );
  if (load.status === 'loading') return <p className="hint">Loading…</p>;
  if (load.status === 'failed') return <LoadFailed error={load.error} onRetry={again} />;
  const rows = load.value.flatMap((event) => logRow(event) ?? []);
  if (rows.length === 0) return <p className="hint">It has said nothing yet.</p>;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <section className="log" aria-label="Log of the node" tabIndex={0}>
      {rows.map(({ id, at, tone, text }) => (
        <div key={id} className={`log-row ${tone}`}>
          <time dateTime={new Date(at).toISOString()}>{clock.format(at)}</time>
          <span>{text}</span>
        </div>
      ))}
    </section>
  );
}
