import { JsonObject } from '@cua-forge/spec/json';
import type { BatchRecord } from '@cua-forge/spec/store-port';
import { useId, useState } from 'react';
import { batchesApi } from '../api/batches-api.ts';
import { documentsWithPublished } from '../api/documents-api.ts';
import { useLoad } from '../api/use-load.ts';
import { MakeDialog } from '../ui/make-dialog.tsx';
import { FailureNotice } from '../ui/states.tsx';
import { NumberField, numberOf } from './number-field.tsx';

interface StartBatchDialogProps {
  onStarted(batch: BatchRecord): void;
  onClose(): void;
}

/** Workflows, number of runs, first seed, runs at once and budget of a new batch. */
export function StartBatchDialog({ onStarted, onClose }: StartBatchDialogProps) {
  const [load] = useLoad(() => documentsWithPublished(), []);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [texts, setTexts] = useState({ count: '20', seed: '1', window: '4', usd: '', tokens: '' });
  const [inputs, setInputs] = useState('');
  const [revision, setRevision] = useState<'published' | 'latest'>('published');
  const inputsId = useId();
  const revisionId = useId();
  const set = (name: keyof typeof texts) => (text: string) => setTexts((before) => ({ ...before, [name]: text }));

  const count = numberOf(texts.count, { whole: true, least: 1 });
  const seed = numberOf(texts.seed, { whole: true, least: Number.MIN_SAFE_INTEGER });
  const window = numberOf(texts.window, { whole: true, least: 1 });
  const usd = numberOf(texts.usd);
  const tokens = numberOf(texts.tokens, { whole: true, least: 1 });
  const given = readInputs(inputs);
  const ready =
    chosen.size > 0 &&
    typeof count === 'number' &&
    typeof seed === 'number' &&
    typeof window === 'number' &&
    window <= 200 &&
    usd !== undefined &&
    tokens !== undefined &&
    given !== null;

  const start = async () => {
    if (!ready) return;
    const ids = [...chosen];
    const [only] = ids;
    const batch = await batchesApi.startBatch({
      ...(ids.length === 1 && only !== undefined
        ? { documentId: only, inputs: given }
        : { parts: ids.map((documentId) => ({ documentId, inputs: given })) }),
      ...{ count, seed, window, revision },
      budget: { usd, tokens },
    });
    onStarted(batch);
  };
  const toggle = (id: string) =>
    setChosen((before) => {
      const next = new Set(before);
      if (!next.delete(id)) next.add(id);
      return next;
    });
  return (
    <MakeDialog
      title="Start a batch"
      action={['Start', 'Starting…']}
      hint={
        chosen.size === 0
          ? 'Choose at least one workflow.'
          : typeof count === 'number'
            ? `${count * chosen.size} runs in all.`
            : ''
      }
      ready={ready}
      make={start}
      onClose={onClose}
    >
      <fieldset className="choose">
        <legend className="label">Workflows</legend>
        {load.status === 'loading' && <span className="hint">Loading…</span>}
        {load.status === 'failed' && <FailureNotice failure={load.error} />}
        {load.status === 'loaded' && load.value.length === 0 && <span className="hint">There are none yet.</span>}
        {load.status === 'loaded' &&
          load.value.map(({ id, title, published, revision: newest }) => (
            <label key={id} className="row choose-one">
              <input type="checkbox" checked={chosen.has(id)} onChange={() => toggle(id)} />
              <span className="grow truncate">{title}</span>
              <span className="muted small">
                revision {revision === 'published' && published !== null ? published : newest}
              </span>
              <code className="muted">{id}</code>
            </label>
          ))}
      </fieldset>
      <div className="field">
        <label className="label" htmlFor={revisionId}>
          Version
        </label>
        <select
          id={revisionId}
          className="select"
          value={revision}
          onChange={(event) => setRevision(event.target.value === 'latest' ? 'latest' : 'published')}
        >
          <option value="published">the published one; the newest where none is</option>
          <option value="latest">the newest revision that was saved</option>
        </select>
      </div>
      <div className="trio-fields">
        <NumberField
          label={chosen.size > 1 ? 'Runs of each' : 'Runs'}
          value={texts.count}
          invalid={typeof count !== 'number'}
          onChange={set('count')}
        />
        <NumberField label="First seed" value={texts.seed} invalid={typeof seed !== 'number'} onChange={set('seed')} />
        <NumberField
          label="At once"
          value={texts.window}
          invalid={typeof window !== 'number' || window > 200}
          onChange={set('window')}
        />
      </div>
      <div className="pair-fields">
        <NumberField
          label="Budget in US dollars"
          placeholder="no bound"
          value={texts.usd}
          invalid={usd === undefined}
          onChange={set('usd')}
        />
        <NumberField
          label="Budget in tokens"
          placeholder="no bound"
          value={texts.tokens}
          invalid={tokens === undefined}
          onChange={set('tokens')}
        />
      </div>
      <details className="details">
        <summary>Inputs</summary>
        <div className="field">
          <label className="label" htmlFor={inputsId}>
            Inputs of every run, as JSON
          </label>
          <textarea
            id={inputsId}
            className="textarea code"
            placeholder="{}: each workflow's defaults"
            value={inputs}
            aria-invalid={given === null}
            onChange={(event) => setInputs(event.target.value)}
          />
        </div>
      </details>
    </MakeDialog>
  );
}

/** Inputs by name; null when the text is no JSON object. */
function readInputs(text: string): JsonObject | null {
  if (text.trim() === '') return {};
  try {
    return JsonObject.parse(JSON.parse(text));
  } catch {
    return null;
  }
}
