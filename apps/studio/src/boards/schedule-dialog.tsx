import { type ForgeError, toForgeError } from '@cua-forge/spec/errors';
import { Overlap } from '@cua-forge/spec/schedule';
import { useId, useState } from 'react';
import { allDocuments, api } from '../api/api-client.ts';
import { useLoad } from '../api/use-load.ts';
import { Dialog } from '../ui/dialog.tsx';
import { FailureNotice } from '../ui/states.tsx';
import { NumberField, numberOf } from './number-field.tsx';

const overlaps: Record<Overlap, string> = {
  skip: 'leave the turn out',
  wait: 'wait for its end',
  allow: 'run both',
};

/** Workflow, times, runs of each batch, and what happens when the batch before still runs. */
export function ScheduleDialog({ onMade, onClose }: { onMade(): void; onClose(): void }) {
  const [load] = useLoad(() => allDocuments(), []);
  const [documentId, setDocumentId] = useState('');
  const [kind, setKind] = useState<'cron' | 'every'>('cron');
  const [texts, setTexts] = useState({ cron: '0 6 * * 1-5', minutes: '60', count: '10', seed: '1' });
  const [zone, setZone] = useState(() => Intl.DateTimeFormat().resolvedOptions().timeZone);
  const [overlap, setOverlap] = useState<Overlap>('skip');
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<ForgeError | null>(null);
  const ids = { document: useId(), kind: useId(), cron: useId(), zone: useId(), overlap: useId() };
  const set = (name: keyof typeof texts) => (text: string) => setTexts((before) => ({ ...before, [name]: text }));

  const count = numberOf(texts.count, { whole: true, least: 1 });
  const seed = numberOf(texts.seed, { whole: true, least: Number.MIN_SAFE_INTEGER });
  const minutes = numberOf(texts.minutes, { whole: true, least: 1 });
  const timed = kind === 'cron' ? texts.cron.trim() !== '' && zone.trim() !== '' : typeof minutes === 'number';
  const ready = documentId !== '' && timed && typeof count === 'number' && typeof seed === 'number';

  const make = async () => {
    if (!ready || busy) return;
    setBusy(true);
    setError(null);
    try {
      await api.createSchedule({
        ...{ documentId, count, seed, overlap },
        timing:
          kind === 'cron'
            ? { cron: texts.cron.trim(), timeZone: zone.trim() }
            : { everySeconds: (typeof minutes === 'number' ? minutes : 0) * 60 },
      });
      onMade();
    } catch (thrown) {
      setError(toForgeError(thrown));
      setBusy(false);
    }
  };
  return (
    <Dialog
      title="New schedule"
      onClose={onClose}
      onSubmit={() => void make()}
      footer={
        <>
          <span className="grow hint">It runs the workflow as it is now; later changes do not reach it.</span>
          <button type="button" className="button" onClick={onClose}>
            Close
          </button>
          <button type="submit" className="button primary" disabled={!ready || busy}>
            {busy ? 'Making it…' : 'Make it'}
          </button>
        </>
      }
    >
      {error !== null && <FailureNotice failure={error} />}
      {load.status === 'failed' && <FailureNotice failure={load.error} />}
      <div className="field">
        <label className="label" htmlFor={ids.document}>
          Workflow
        </label>
        <select
          id={ids.document}
          className="select"
          value={documentId}
          onChange={(event) => setDocumentId(event.target.value)}
        >
          <option value="">{load.status === 'loading' ? 'Loading…' : 'Choose one'}</option>
          {load.status === 'loaded' &&
            load.value.map(({ id, title }) => (
              <option key={id} value={id}>
                {title}
              </option>
            ))}
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
        <NumberField label="First seed" value={texts.seed} invalid={typeof seed !== 'number'} onChange={set('seed')} />
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
    </Dialog>
  );
}
