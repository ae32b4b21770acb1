import type { EvaluationRecord } from '@cua-forge/spec/evaluation';
import { useId, useState } from 'react';
import { documentsApi, documentsWithPublished } from '../api/documents-api.ts';
import { evaluationsApi } from '../api/evaluations-api.ts';
import { useLoad } from '../api/use-load.ts';
import { NumberField, numberOf } from '../boards/number-field.tsx';
import { WorkflowField } from '../boards/workflow-field.tsx';
import { MakeDialog } from '../ui/make-dialog.tsx';
import { FailureNotice } from '../ui/states.tsx';

/** Revisions of a workflow that are offered. */
const OFFERED = 30;

interface StartEvaluationDialogProps {
  onStarted(evaluation: EvaluationRecord): void;
  onClose(): void;
}

/** Workflow, its revisions, models, and the seeds that each of them gets. */
export function StartEvaluationDialog({ onStarted, onClose }: StartEvaluationDialogProps) {
  const [documents] = useLoad(() => documentsWithPublished(), []);
  const [documentId, setDocumentId] = useState('');
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set());
  const [models, setModels] = useState('');
  const [texts, setTexts] = useState({ count: '20', seed: '1', window: '4', usd: '' });
  const ids = { models: useId() };
  const set = (name: keyof typeof texts) => (text: string) => setTexts((before) => ({ ...before, [name]: text }));
  const count = numberOf(texts.count, { whole: true, least: 1 });
  const seed = numberOf(texts.seed, { whole: true, least: Number.MIN_SAFE_INTEGER });
  const window = numberOf(texts.window, { whole: true, least: 1 });
  const usd = numberOf(texts.usd);
  const named = models.split('\n').map((line) => line.trim());
  const asked = named.filter((line) => line !== '');
  const variants = chosen.size * Math.max(1, asked.length);
  const ready =
    documentId !== '' &&
    chosen.size > 0 &&
    typeof count === 'number' &&
    count <= 500 &&
    typeof seed === 'number' &&
    typeof window === 'number' &&
    usd !== undefined;

  const start = async () => {
    if (!ready) return;
    const evaluation = await evaluationsApi.startEvaluation({
      ...{ documentId, count, seed, window, revisions: [...chosen], budget: { usd, tokens: null } },
      models: asked.length === 0 ? [null] : asked.map((model) => (model === 'as-is' ? null : model)),
    });
    onStarted(evaluation);
  };
  const choose = (id: string) => {
    setDocumentId(id);
    setChosen(new Set());
  };
  const toggle = (revision: number) =>
    setChosen((before) => {
      const next = new Set(before);
      if (!next.delete(revision)) next.add(revision);
      return next;
    });
  return (
    <MakeDialog
      title="Evaluate a workflow"
      action={['Start', 'Starting…']}
      hint={
        !ready
          ? 'Choose a workflow and at least one revision.'
          : `${variants} × ${count} runs. Each is made anew: nothing is taken from earlier runs.`
      }
      ready={ready}
      make={start}
      onClose={onClose}
    >
      {documents.status === 'failed' && <FailureNotice failure={documents.error} />}
      <WorkflowField load={documents} value={documentId} onChange={choose} />
      {documentId !== '' && <Revisions key={documentId} id={documentId} chosen={chosen} onToggle={toggle} />}
      <div className="field">
        <label className="label" htmlFor={ids.models}>
          Models, one a line
        </label>
        <textarea
          id={ids.models}
          className="textarea code"
          rows={2}
          placeholder="left empty: those that the workflow names. as-is stands for these"
          value={models}
          onChange={(event) => setModels(event.target.value)}
        />
      </div>
      <div className="trio-fields">
        <NumberField
          label="Seeds"
          value={texts.count}
          invalid={typeof count !== 'number' || count > 500}
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
      <NumberField
        label="Budget of each variant in US dollars"
        placeholder="no bound"
        value={texts.usd}
        invalid={usd === undefined}
        onChange={set('usd')}
      />
    </MakeDialog>
  );
}

interface RevisionsProps {
  id: string;
  chosen: ReadonlySet<number>;
  onToggle(revision: number): void;
}

function Revisions({ id, chosen, onToggle }: RevisionsProps) {
  const [load] = useLoad(
    async () => ({
      ...(await documentsApi.revisions(id, { limit: OFFERED })),
      ...(await documentsApi.publications(id, { limit: 1 })),
    }),
    [id],
  );
  return (
    <fieldset className="choose">
      <legend className="label">Revisions</legend>
      {load.status === 'loading' && <span className="hint">Loading…</span>}
      {load.status === 'failed' && <FailureNotice failure={load.error} />}
      {load.status === 'loaded' &&
        load.value.revisions.map(({ revision, title }) => (
          <label key={revision} className="row choose-one">
            <input type="checkbox" checked={chosen.has(revision)} onChange={() => onToggle(revision)} />
            <span className="grow truncate">
              Revision {revision} <span className="muted">{title}</span>
            </span>
            {revision === load.value.publications[0]?.revision && <span className="badge ok">published</span>}
          </label>
        ))}
    </fieldset>
  );
}
