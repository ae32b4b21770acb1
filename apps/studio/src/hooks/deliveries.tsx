import type { Delivery } from '@cua-forge/spec/webhook';
import { RotateCcw } from 'lucide-react';
import { useLoad } from '../api/use-load.ts';
import { webhooksApi } from '../api/webhooks-api.ts';
import { dateTime } from '../ui/format.ts';
import { Link } from '../ui/link.tsx';
import { LoadFailed, Loading } from '../ui/states.tsx';
import { toastError, toastOk } from '../ui/toast.tsx';

const tones = { delivered: 'ok', waiting: 'run', failed: 'bad' } as const;

export function DeliveryBadge({ delivery: { state, attempts, status } }: { delivery: Delivery }) {
  const how = state === 'delivered' ? ` · ${status}` : attempts === 0 ? '' : ` after ${attempts}`;
  return (
    <span className={`badge ${tones[state]}`}>
      {state}
      {how}
    </span>
  );
}

const LIMIT = 100;

/** What was sent to a webhook, newest first; any of it can be sent once more. `newest` are those that were seen last: others make it look again. */
export function Deliveries({ webhookId, newest }: { webhookId: string; newest: readonly Delivery[] }) {
  const seen = newest.map(({ id, state, attempts }) => `${id} ${state} ${attempts}`).join();
  const [load, again] = useLoad(() => webhooksApi.deliveries(webhookId, { limit: LIMIT }), [webhookId, seen]);
  if (load.status === 'loading') return <Loading what="deliveries" />;
  if (load.status === 'failed') return <LoadFailed error={load.error} onRetry={again} />;
  const { deliveries } = load.value;
  if (deliveries.length === 0) return <p className="hint">Nothing was sent yet.</p>;
  const redeliver = async (id: string) => {
    try {
      await webhooksApi.redeliver(webhookId, id);
      toastOk('It is sent once more.');
    } catch (thrown) {
      toastError(thrown);
    }
    again();
  };
  return (
    <table className="list" aria-label="Deliveries">
      <thead>
        <tr>
          <th>Event</th>
          <th>About</th>
          <th>When</th>
          <th>Outcome</th>
          <th>
            <span className="visually-hidden">Again</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {deliveries.map((delivery) => (
          <tr key={delivery.id}>
            <td>
              <code>{delivery.event}</code>
            </td>
            <td>
              <About delivery={delivery} />
            </td>
            <td className="muted nowrap">{dateTime(delivery.createdAt)}</td>
            <td>
              <DeliveryBadge delivery={delivery} />
              {delivery.failure !== null && <div className="small">{delivery.failure.message}</div>}
              {delivery.failure?.fix !== undefined && <div className="small muted">{delivery.failure.fix}</div>}
              {delivery.attempts > 0 && delivery.nextAt !== null && (
                <div className="small muted">again {dateTime(delivery.nextAt)}</div>
              )}
            </td>
            <td>
              {delivery.state !== 'waiting' && (
                <button type="button" className="button compact" onClick={() => void redeliver(delivery.id)}>
                  <RotateCcw size={13} aria-hidden /> Send again
                </button>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function About({ delivery: { event, subject } }: { delivery: Delivery }) {
  if (event === 'ping') return <span className="muted">a test</span>;
  return <Link to={{ page: event === 'batch.ended' ? 'batch' : 'run', id: subject }}>{subject}</Link>;
}
