import type { Delivery, WebhookRecord } from '@cua-forge/spec/webhook';
import { CirclePause, CirclePlay, Plus, Send, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useLoad } from '../api/use-load.ts';
import { webhooksApi } from '../api/webhooks-api.ts';
import { LoadFailed, Loading } from '../ui/states.tsx';
import { toastError, toastOk } from '../ui/toast.tsx';
import { Deliveries, DeliveryBadge } from './deliveries.tsx';
import { useEvery } from './use-every.ts';
import { WebhookDialog } from './webhook-dialog.tsx';

/** Milliseconds between two looks at what was sent, while something waits. */
const LOOK_MS = 1_500;

/** Addresses that are told when runs and batches end, and what was sent to each. */
export function OutgoingWebhooks() {
  const [load, again] = useLoad(() => webhooksApi.webhooks({}), []);
  const [making, setMaking] = useState(false);
  const webhooks = load.status === 'loaded' ? load.value.webhooks : [];
  useEvery(LOOK_MS, again, webhooks.length > 0);
  return (
    <section className="panel stack" aria-labelledby="outgoing">
      <div className="row">
        <h2 id="outgoing" className="grow">
          Outgoing: who is told when runs and batches end
        </h2>
        <button type="button" className="button primary" onClick={() => setMaking(true)}>
          <Plus size={14} aria-hidden /> New webhook
        </button>
      </div>
      {load.status === 'loading' && <Loading what="webhooks" />}
      {load.status === 'failed' && <LoadFailed error={load.error} onRetry={again} />}
      {load.status === 'loaded' && webhooks.length === 0 && (
        <p className="hint">
          A webhook is an address that gets a signed message when a run is accepted, rejected or fails, and when a batch
          ends.
        </p>
      )}
      {webhooks.map(({ webhook, recent }) => (
        <Webhook key={webhook.id} webhook={webhook} recent={recent} onChanged={again} />
      ))}
      {making && (
        <WebhookDialog
          onClose={() => setMaking(false)}
          onMade={() => {
            setMaking(false);
            toastOk('It is told from now on. A test says whether it can be reached.');
            again();
          }}
        />
      )}
    </section>
  );
}

interface WebhookProps {
  webhook: WebhookRecord;
  recent: readonly Delivery[];
  onChanged(): void;
}

function Webhook({ webhook, recent, onChanged }: WebhookProps) {
  const { id, title, url, events, documentId, secret, paused } = webhook;
  const [open, setOpen] = useState(false);
  const [last] = recent;
  const act = async (done: string, work: () => Promise<unknown>) => {
    try {
      await work();
      toastOk(done);
    } catch (thrown) {
      toastError(thrown);
    }
    onChanged();
  };
  const end = () => {
    if (window.confirm(`End the webhook "${title}"? What was sent to it is forgotten.`))
      void act('The webhook has ended.', () => webhooksApi.deleteWebhook(id));
  };
  return (
    <article className="stack tight" aria-label={title}>
      <div className="row">
        <div className="grow">
          <div className="row">
            <strong className="truncate">{title}</strong>
            {paused && <span className="badge warn">paused</span>}
            {last !== undefined && <DeliveryBadge delivery={last} />}
          </div>
          <div className="row wrap small muted facts-line">
            <code className="truncate">{url}</code>
            <span>{events.join(', ')}</span>
            <span>{documentId ?? 'all workflows'}</span>
            <span>{secret === null ? 'not signed' : `signed with ${secret}`}</span>
          </div>
        </div>
        <button
          type="button"
          className="button"
          onClick={() => void act('A ping is on its way.', () => webhooksApi.testWebhook(id))}
        >
          <Send size={14} aria-hidden /> Test
        </button>
        <button
          type="button"
          className="button"
          onClick={() =>
            void act(paused ? 'It is told again from now on.' : 'It is told nothing until it is resumed.', () =>
              webhooksApi.changeWebhook(id, { paused: !paused }),
            )
          }
        >
          {paused ? <CirclePlay size={14} aria-hidden /> : <CirclePause size={14} aria-hidden />}{' '}
          {paused ? 'Resume' : 'Pause'}
        </button>
        <button type="button" className="button quiet square" aria-label={`End ${title}`} onClick={end}>
          <Trash2 size={14} aria-hidden />
        </button>
      </div>
      <details className="details" open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>Deliveries</summary>
        {open && <Deliveries webhookId={id} newest={recent} />}
      </details>
    </article>
  );
}
