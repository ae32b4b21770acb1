import type { RevisionChoice } from '@cua-forge/spec/publication';
import { Overlap, type ScheduleRecord } from '@cua-forge/spec/schedule';
import { useId, useState } from 'react';
import { allDocuments } from '../api/documents-api.ts';
import { schedulesApi } from '../api/schedules-api.ts';
import { useLoad } from '../api/use-load.ts';
import { MakeDialog } from '../ui/make-dialog.tsx';
import { FailureNotice } from '../ui/states.tsx';
import { NumberField, numberOf } from './number-field.tsx';
import { WorkflowField } from './workflow-field.tsx';

const overlaps: Record<Overlap, string> = {
  skip: 'leave the turn out',
  wait: 'wait for its end',
  allow: 'run both',
};

interface ScheduleDialogProps {
  /** The one that is changed; null for a new one. */
  schedule: ScheduleRecord | null;
  onMade(): void;
  onClose(): void;
}

/** The texts of the fields, as a schedule has them or as a new one begins. */
function textsOf(schedule: ScheduleRecord | null) {
  if (schedule === null) return { cron: '0 6 * * 1-5', minutes: '60', count: '10', seed: '1' };
  const { timing, part, fired, advance } = schedule;
  return {
    cron: 'cron' in timing ? timing.cron : '0 6 * * 1-5',
    minutes: 'cron' in timing ? '60' : String(timing.everySeconds / 60),
    count: String(part.count),
    seed: String(advance ? part.seed + fired * part.count : part.seed),
  };
}

const zoneOf = (schedule: ScheduleRecord | null): string =>
  schedule !== null && 'cron' in schedule.timing
    ? schedule.timing.timeZone
    : Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Workflow, version, times, runs of each batch, and what happens when the batch before still runs. */
export function ScheduleDialog({ schedule, onMade, onClose }: ScheduleDialogProps) {
  const [load] = useLoad(() => allDocuments(), []);
  const [documentId, setDocumentId] = useState(schedule?.part.documentId ?? '');
  const [revision, setRevision] = useState<RevisionChoice>(
    schedule === null ? 'published' : (schedule.revision ?? schedule.part.revision ?? 'latest'),
  );
  const [kind, setKind] = useState<'cron' | 'every'>(
    schedule !== null && 'everySeconds' in schedule.timing ? 'every' : 'cron',
  );
  const [texts, setTexts] = useState(() => textsOf(schedule));
  const [zone, setZone] = useState(() => zoneOf(schedule));
  const [overlap, setOverlap] = useState<Overlap>(schedule?.overlap ?? 'skip');
  const [prove, setProve] = useState(schedule?.prove ?? false);
  const ids = {
    revision: useId(),
    kind: useId(),
    cron: useId(),
    zone: useId(),
    overlap: useId(),
  };
  const set = (name: keyof typeof texts) => (text: string) => setTexts((before) => ({ ...before, [name]: text }));

  const count = numberOf(texts.count, { whole: true, least: 1 });
  const seed = numberOf(texts.seed, { whole: true, least: Number.MIN_SAFE_INTEGER });
  const minutes = numberOf(texts.minutes, { least: 1 });
  const timed = kind === 'cron' ? texts.cron.trim() !== '' && zone.trim() !== '' : typeof minutes === 'number';
  const ready = documentId !== '' && timed && typeof count === 'number' && typeof seed === 'number';

  const make = async () => {
    if (!ready) return;
    const timing =
      kind === 'cron'
        ? { cron: texts.cron.trim(), timeZone: zone.trim() }
        : { everySeconds: Math.round((typeof minutes === 'number' ? minutes : 0) * 60) };
    const settings = { revision, count, seed, overlap, prove, timing };
    await (schedule === null
      ? schedulesApi.createSchedule({ ...settings, documentId })
      : schedulesApi.changeSchedule(schedule.id, settings));
    onMade();
  };
  return (
    <MakeDialog
      title={schedule === null ? 'New schedule' : `Change ${schedule.title}`}
      action={schedule === null ? ['Make it', 'Making it…'] : ['Change it', 'Changing it…']}
      hint={
        revision === 'published'
          ? 'Publishing a revision moves it there.'
          : 'It runs this version; later changes do not reach it.'
      }
      ready={ready}
      make={make}
      onClose={onClose}
    >
      {load.status === 'failed' && <FailureNotice failure={load.error} />}
      <WorkflowField load={load} value={documentId} onChange={setDocumentId} disabled={schedule !== null} />
      <div className="field">
        <label className="label" htmlFor={ids.revision}>
          Version
        </label>
        <select
          id={ids.revision}
          className="select"
          value={revision}
          onChange={({ target: { value } }) =>
            setRevision(value === 'published' || value === 'latest' ? value : Number(value))
          }
        >
          <option value="published">what is published, now and later</option>
          <option value="latest">the newest revision that was saved</option>
          {schedule?.part.revision !== undefined && (
            <option value={schedule.part.revision}>revision {schedule.part.revision}</option>
          )}
        </select>
      </div>
      <div className="field">
        <label className="label" htmlFor={ids.kind}>
          When
        </label>
        <select
          id={ids.kind}
          className="select"
          value={kind}
          onChange={(event) => setKind(event.target.value === 'every' ? 'every' : 'cron')}
        >
          <option value="cron">by the clock</option>
          <option value="every">each time an interval has passed</option>
        </select>
      </div>
      {kind === 'cron' ? (
        <div className="pair-fields">
          <div className="field">
            <label className="label" htmlFor={ids.cron}>
              Minute, hour, day, month, weekday
            </label>
            <input
              id={ids.cron}
              className="input code"
              value={texts.cron}
              onChange={(event) => set('cron')(event.target.value)}
            />
          </div>
          <div className="field">
            <label className="label" htmlFor={ids.zone}>
              Time zone
            </label>
            <input id={ids.zone} className="input" value={zone} onChange={(event) => setZone(event.target.value)} />
          </div>
        </div>
      ) : (
        <NumberField
          label="Minutes between"
          value={texts.minutes}
          invalid={typeof minutes !== 'number'}
          onChange={set('minutes')}
        />
      )}
      <div className="pair-fields">
        <NumberField
          label="Runs of each batch"
          value={texts.count}
          invalid={typeof count !== 'number'}
          onChange={set('count')}
        />
        <NumberField
          label={schedule === null ? 'First seed' : 'Next seed'}
          value={texts.seed}
          invalid={typeof seed !== 'number'}
          onChange={set('seed')}
        />
      </div>
      <div className="field">
        <label className="label" htmlFor={ids.overlap}>
          When the batch before still runs
        </label>
        <select
          id={ids.overlap}
          className="select"
          value={overlap}
          onChange={(event) => setOverlap(Overlap.parse(event.target.value))}
        >
          {Overlap.options.map((option) => (
            <option key={option} value={option}>
              {overlaps[option]}
            </option>
          ))}
        </select>
      </div>
      <label className="row">
        <input type="checkbox" checked={prove} onChange={(event) => setProve(event.target.checked)} />
        Packages have to prove themselves in a sandbox
      </label>
    </MakeDialog>
  );
}
