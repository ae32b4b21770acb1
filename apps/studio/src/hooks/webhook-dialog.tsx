import { WebhookEvent } from '@cua-forge/spec/webhook';
import { useId, useState } from 'react';
import { allDocuments } from '../api/documents-api.ts';
import { useLoad } from '../api/use-load.ts';
import { webhooksApi } from '../api/webhooks-api.ts';
import { MakeDialog } from '../ui/make-dialog.tsx';

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
  const ids = { title: useId(), url: useId(), document: useId(), secret: useId() };
  const set = (name: keyof typeof texts) => (text: string) => setTexts((before) => ({ ...before, [name]: text }));
  const ready = texts.title.trim() !== '' && URL.canParse(texts.url.trim()) && events.size > 0;
  const make = async () => {
    await webhooksApi.createWebhook({
      title: texts.title.trim(),
      url: texts.url.trim(),
      events: WebhookEvent.options.filter((event) => events.has(event)),
      documentId: texts.documentId === '' ? null : texts.documentId,
      secret: texts.secret.trim() === '' ? null : texts.secret.trim(),
    });
    onMade();
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
    <MakeDialog
      title="New webhook"
      action={['Make it', 'Making it…']}
      hint="The worker must be allowed to reach the host: FORGE_HTTP_ALLOW."
      ready={ready}
      make={make}
      onClose={onClose}
    >
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
    </MakeDialog>
  );
}
