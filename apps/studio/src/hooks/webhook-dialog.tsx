import { type ForgeError, toForgeError } from '@cua-forge/spec/errors';
import { WebhookEvent } from '@cua-forge/spec/webhook';
import { useId, useState } from 'react';
import { allDocuments, api } from '../api/api-client.ts';
import { useLoad } from '../api/use-load.ts';
import { Dialog } from '../ui/dialog.tsx';
import { FailureNotice } from '../ui/states.tsx';

const labels: Record<WebhookEvent, string> = {
  'run.accepted': 'a run is accepted',
  'run.rejected': 'a run is rejected by a gate',
  'run.failed': 'a run fails',
  'batch.ended': 'a batch ends',
};

/** Address, events, workflow and secret of a new webhook. */
export function WebhookDialog({ onMade, onClose }: { onMade(): void; onClose(): void }) {
  const [load] = useLoad(() => allDocuments(), []);
  const [texts, setTexts] = useState({ title: '', url: '', documentId: '', secret: '' });
  const [events, setEvents] = useState<ReadonlySet<WebhookEvent>>(new Set(WebhookEvent.options));
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<ForgeError | null>(null);
  const ids = { title: useId(), url: useId(), document: useId(), secret: useId() };
  const set = (name: keyof typeof texts) => (text: string) => setTexts((before) => ({ ...before, [name]: text }));
  const ready = texts.title.trim() !== '' && URL.canParse(texts.url.trim()) && events.size > 0;
  const make = async () => {
    if (!ready || busy) return;
    setBusy(true);
    setError(null);
    try {
      await api.createWebhook({
        title: texts.title.trim(),
        url: texts.url.trim(),
        events: WebhookEvent.options.filter((event) => events.has(event)),
        documentId: texts.documentId === '' ? null : texts.documentId,
        secret: texts.secret.trim() === '' ? null : texts.secret.trim(),
      });
      onMade();
    } catch (thrown) {
      setError(toForgeError(thrown));
      setBusy(false);
    }
  };
  const toggle = (event: WebhookEvent) =>
    setEvents((before) => {
      const next = new Set(before);
      if (!next.delete(event)) next.add(event);
      return next;
    });
  const field = (name: 'title' | 'url' | 'secret', label: string, placeholder: string, code: boolean) => (
    <div className="field">
      <label className="label" htmlFor={ids[name]}>
        {label}
      </label>
      <input
        id={ids[name]}
        className={code ? 'input code' : 'input'}
        placeholder={placeholder}
        value={texts[name]}
        onChange={(event) => set(name)(event.target.value)}
      />
    </div>
  );
  return (
    <Dialog
      title="New webhook"
      onClose={onClose}
      onSubmit={() => void make()}
      footer={
        <>
          <span className="grow hint">The worker must be allowed to reach the host: FORGE_HTTP_ALLOW.</span>
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
      {field('title', 'What it is for', 'Tell the tracker', false)}
      {field('url', 'Address', 'https://tracker.example/hooks/forge', true)}
      <fieldset className="choose">
        <legend className="label">It is told when</legend>
        {WebhookEvent.options.map((event) => (
          <label key={event} className="row choose-one">
            <input type="checkbox" checked={events.has(event)} onChange={() => toggle(event)} />
            <span className="grow">{labels[event]}</span>
            <code className="muted">{event}</code>
          </label>
        ))}
      </fieldset>
      <div className="field">
        <label className="label" htmlFor={ids.document}>
          Of
        </label>
        <select
          id={ids.document}
          className="select"
          value={texts.documentId}
          onChange={(event) => set('documentId')(event.target.value)}
        >
          <option value="">all workflows</option>
          {load.status === 'loaded' &&
            load.value.map(({ id, title }) => (
              <option key={id} value={id}>
                {title}
              </option>
            ))}
        </select>
      </div>
      {field('secret', 'Name of the secret that messages are signed with', 'none: they are not signed', true)}
    </Dialog>
  );
}
