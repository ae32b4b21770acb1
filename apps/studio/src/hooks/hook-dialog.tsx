import type { HookMade } from '@cua-forge/spec/hook';
import { useId, useState } from 'react';
import { allDocuments } from '../api/documents-api.ts';
import { hooksApi } from '../api/hooks-api.ts';
import { useLoad } from '../api/use-load.ts';
import { NumberField, numberOf } from '../boards/number-field.tsx';
import { WorkflowField } from '../boards/workflow-field.tsx';
import { MakeDialog } from '../ui/make-dialog.tsx';
import { FailureNotice } from '../ui/states.tsx';

/** Workflow, version, runs of each call, and the inputs that callers may give. */
export function HookDialog({ onMade, onClose }: { onMade(made: HookMade): void; onClose(): void }) {
  const [load] = useLoad(() => allDocuments(), []);
  const [texts, setTexts] = useState({ title: '', documentId: '', open: '', count: '1', perMinute: '30' });
  const [revision, setRevision] = useState<'published' | 'latest'>('published');
  const ids = { title: useId(), revision: useId(), open: useId() };
  const set = (name: keyof typeof texts) => (text: string) => setTexts((before) => ({ ...before, [name]: text }));
  const count = numberOf(texts.count, { whole: true, least: 1 });
  const perMinute = numberOf(texts.perMinute, { whole: true, least: 1 });
  const { documentId } = texts;
  const ready =
    documentId !== '' && texts.title.trim() !== '' && typeof count === 'number' && typeof perMinute === 'number';
  const make = async () => {
    if (!ready) return;
    const open = texts.open.split(/[\s,]+/).filter((name) => name !== '');
    onMade(await hooksApi.createHook({ title: texts.title.trim(), documentId, revision, open, count, perMinute }));
  };
  return (
    <MakeDialog
      title="New hook"
      action={['Make it', 'Making it…']}
      hint="Its address is shown once."
      ready={ready}
      make={make}
      onClose={onClose}
    >
      {load.status === 'failed' && <FailureNotice failure={load.error} />}
      <div className="field">
        <label className="label" htmlFor={ids.title}>
          What it is for
        </label>
        <input
          id={ids.title}
          className="input"
          maxLength={200}
          value={texts.title}
          onChange={(event) => set('title')(event.target.value)}
        />
      </div>
      <WorkflowField load={load} value={documentId} onChange={set('documentId')} />
      <div className="field">
        <label className="label" htmlFor={ids.revision}>
          Version
        </label>
        <select
          id={ids.revision}
          className="select"
          value={revision}
          onChange={(event) => setRevision(event.target.value === 'latest' ? 'latest' : 'published')}
        >
          <option value="published">what is published when it is called</option>
          <option value="latest">the newest revision when it is called</option>
        </select>
      </div>
      <div className="pair-fields">
        <NumberField
          label="Runs of each call"
          value={texts.count}
          invalid={typeof count !== 'number'}
          onChange={set('count')}
        />
        <NumberField
          label="Calls a minute"
          value={texts.perMinute}
          invalid={typeof perMinute !== 'number'}
          onChange={set('perMinute')}
        />
      </div>
      <div className="field">
        <label className="label" htmlFor={ids.open}>
          Inputs that callers may give, separated by commas
        </label>
        <input
          id={ids.open}
          className="input code"
          placeholder="none"
          value={texts.open}
          onChange={(event) => set('open')(event.target.value)}
        />
      </div>
    </MakeDialog>
  );
}
