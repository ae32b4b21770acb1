import '../styles/boards.css';
import type { ScheduleRecord, ScheduleView, Timing } from '@cua-forge/spec/schedule';
import { CalendarClock, CirclePause, CirclePlay, Pencil, Plus, Trash2, Zap } from 'lucide-react';
import { useState } from 'react';
import { schedulesApi } from '../api/schedules-api.ts';
import { useLive } from '../api/use-live.ts';
import { ScheduleDialog } from '../boards/schedule-dialog.tsx';
import { StaleNotice } from '../boards/stale-notice.tsx';
import { dateTime, duration } from '../ui/format.ts';
import { Link } from '../ui/link.tsx';
import { May } from '../ui/may.tsx';
import { Empty, LoadFailed, Loading } from '../ui/states.tsx';
import { toastError, toastOk } from '../ui/toast.tsx';

/** Next times and last batches that are shown of each schedule. */
const SHOWN = 3;

/** Batches that start by themselves: when, which came of it, and what steers them. */
export function SchedulesPage() {
  const [dialog, setDialog] = useState<'new' | ScheduleRecord | null>(null);
  const { load, stale, stream, again } = useLive(() => schedulesApi.schedules({}), [], {
    feed: {},
    wants: ({ type }) => type === 'batch',
    paceMs: 2_000,
  });
  const views = load.status === 'loaded' ? load.value.schedules : [];
  const make = (
    <May needs="operator">
      <button type="button" className="button primary" onClick={() => setDialog('new')}>
        <Plus size={14} aria-hidden /> New schedule
      </button>
    </May>
  );
  return (
    <div className="page wide">
      <div className="page-head">
        <h1>Schedules</h1>
        <span className="grow" />
        {views.length > 0 && make}
      </div>
      {load.status === 'loading' && <Loading what="schedules" />}
      {load.status === 'failed' && <LoadFailed error={load.error} onRetry={again} />}
      {load.status === 'loaded' && <StaleNotice stale={stale} stream={stream} />}
      {load.status === 'loaded' && views.length === 0 && (
        <Empty icon={<CalendarClock size={28} aria-hidden />} title="No schedules yet">
          <p>A schedule starts batches of a workflow by the clock or at intervals, each with seeds of its own.</p>
          {make}
        </Empty>
      )}
      {views.length > 0 && (
        <table className="list board-list">
          <thead>
            <tr>
              <th>Schedule</th>
              <th>When</th>
              <th>State</th>
              <th>Next</th>
              <th>Began last</th>
              <th>
                <span className="visually-hidden">Steer</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {views.map((view) => (
              <ScheduleRow key={view.schedule.id} view={view} onChange={setDialog} onChanged={again} />
            ))}
          </tbody>
        </table>
      )}
      {dialog !== null && (
        <ScheduleDialog
          schedule={dialog === 'new' ? null : dialog}
          onClose={() => setDialog(null)}
          onMade={() => {
            setDialog(null);
            again();
          }}
        />
      )}
    </div>
  );
}

interface ScheduleRowProps {
  view: ScheduleView;
  onChange(schedule: ScheduleRecord): void;
  onChanged(): void;
}

function ScheduleRow({ view: { schedule, situation }, onChange, onChanged }: ScheduleRowProps) {
  const [busy, setBusy] = useState(false);
  const act = async (done: string, work: () => Promise<unknown>) => {
    setBusy(true);
    try {
      await work();
      toastOk(done);
    } catch (thrown) {
      toastError(thrown);
    }
    setBusy(false);
    onChanged();
  };
  const { id, title, part, fired, timing } = schedule;
  const paused = situation?.paused === true;
  const state = situation === null ? 'not in Temporal' : paused ? 'paused' : 'active';
  const began = (situation?.recent ?? []).flatMap(({ at, batchId }) => (batchId === null ? [] : [{ at, batchId }]));
  const remove = () => {
    if (window.confirm(`End the schedule "${title}"? Batches that it began go on.`))
      void act('The schedule has ended.', () => schedulesApi.deleteSchedule(id));
  };
  return (
    <tr>
      <td>
        <Link to={{ page: 'document', id: part.documentId }} className="list-main">
          {title}
        </Link>
        <div className="small muted">
          <code>{part.documentId}</code> · {part.count} {part.count === 1 ? 'run' : 'runs'} a batch · {fired} begun
        </div>
        <div className="small muted">
          {versionText(schedule)}
          {schedule.prove === true && ' · proved in a sandbox'}
        </div>
      </td>
      <td className="nowrap">
        <When timing={timing} />
      </td>
      <td>
        <span className={situation === null || paused ? 'badge warn' : 'badge ok'}>{state}</span>
        {situation !== null && situation.running > 0 && <div className="small muted">{situation.running} running</div>}
      </td>
      <td className="muted nowrap">
        {!paused && situation?.next.slice(0, SHOWN).map((at) => <div key={at}>{dateTime(at)}</div>)}
      </td>
      <td className="muted nowrap">
        {began.slice(0, SHOWN).map(({ at, batchId }) => (
          <div key={batchId}>
            <Link to={{ page: 'batch', id: batchId }}>{dateTime(at)}</Link>
          </div>
        ))}
      </td>
      <td>
        <May needs="operator">
          <div className="row">
            <button
              type="button"
              className="button"
              disabled={busy || situation === null}
              onClick={() => void act('A batch begins.', () => schedulesApi.triggerSchedule(id))}
            >
              <Zap size={14} aria-hidden /> Run now
            </button>
            <button
              type="button"
              className="button"
              disabled={busy || situation === null}
              onClick={() =>
                void (paused
                  ? act('The schedule acts again.', () => schedulesApi.resumeSchedule(id))
                  : act('The schedule is paused.', () => schedulesApi.pauseSchedule(id)))
              }
            >
              {paused ? <CirclePlay size={14} aria-hidden /> : <CirclePause size={14} aria-hidden />}{' '}
              {paused ? 'Resume' : 'Pause'}
            </button>
            <button
              type="button"
              className="button quiet square"
              aria-label={`Change ${title}`}
              disabled={busy || situation === null}
              onClick={() => onChange(schedule)}
            >
              <Pencil size={14} aria-hidden />
            </button>
            <button
              type="button"
              className="button quiet square"
              aria-label={`End ${title}`}
              disabled={busy}
              onClick={remove}
            >
              <Trash2 size={14} aria-hidden />
            </button>
          </div>
        </May>
      </td>
    </tr>
  );
}

function versionText({ part, revision }: ScheduleRecord): string {
  if (part.revision === undefined) return 'the version of when it was made';
  return `revision ${part.revision}${revision === 'published' ? ', what is published' : ''}`;
}

function When({ timing }: { timing: Timing }) {
  if (!('cron' in timing)) return <>every {duration(timing.everySeconds * 1_000)}</>;
  return (
    <>
      <code>{timing.cron}</code>
      <div className="small muted">{timing.timeZone}</div>
    </>
  );
}
