import type { HookMade, HookRecord } from '@cua-forge/spec/hook';
import { Plus, RefreshCw, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { hooksApi } from '../api/hooks-api.ts';
import { useLoad } from '../api/use-load.ts';
import { Dialog } from '../ui/dialog.tsx';
import { dateTime } from '../ui/format.ts';
import { Link } from '../ui/link.tsx';
import { LoadFailed, Loading } from '../ui/states.tsx';
import { toastError, toastOk } from '../ui/toast.tsx';
import { HookDialog } from './hook-dialog.tsx';

/** Addresses that start a batch for whoever calls them: made, given a new token, ended. */
export function IncomingHooks() {
  const [load, again] = useLoad(() => hooksApi.hooks({}), []);
  const [making, setMaking] = useState(false);
  const [made, setMade] = useState<HookMade | null>(null);
  const hooks = load.status === 'loaded' ? load.value.hooks : [];
  const rotate = async ({ id, title }: HookRecord) => {
    if (!window.confirm(`Give "${title}" a new address? The one that callers have now ends at once.`)) return;
    try {
      setMade(await hooksApi.rotateHook(id));
    } catch (thrown) {
      toastError(thrown);
    }
  };
  const end = async ({ id, title }: HookRecord) => {
    if (!window.confirm(`End the hook "${title}"? Its address stops working; batches that it started go on.`)) return;
    try {
      await hooksApi.deleteHook(id);
      toastOk('The hook has ended.');
    } catch (thrown) {
      toastError(thrown);
    }
    again();
  };
  return (
    <section className="panel stack" aria-labelledby="incoming">
      <div className="row">
        <h2 id="incoming" className="grow">
          Incoming: calls that start batches
        </h2>
        <button type="button" className="button primary" onClick={() => setMaking(true)}>
          <Plus size={14} aria-hidden /> New hook
        </button>
      </div>
      {load.status === 'loading' && <Loading what="hooks" />}
      {load.status === 'failed' && <LoadFailed error={load.error} onRetry={again} />}
      {load.status === 'loaded' && hooks.length === 0 && (
        <p className="hint">A hook is an address that starts a batch of a workflow for whoever calls it.</p>
      )}
      {hooks.length > 0 && (
        <table className="list" aria-label="Incoming hooks">
          <thead>
            <tr>
              <th>Hook</th>
              <th>Version</th>
              <th className="number">Runs a call</th>
              <th>Open inputs</th>
              <th>Made</th>
              <th>
                <span className="visually-hidden">Change</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {hooks.map((hook) => (
              <tr key={hook.id}>
                <td>
                  <span className="list-main">{hook.title}</span>
                  <div className="small muted">
                    <Link to={{ page: 'document', id: hook.documentId }}>{hook.documentId}</Link>
                  </div>
                </td>
                <td className="muted">
                  {typeof hook.revision === 'number' ? `revision ${hook.revision}` : hook.revision}
                </td>
                <td className="number">{hook.count}</td>
                <td>
                  <code>{hook.open.join(', ')}</code>
                </td>
                <td className="muted nowrap">
                  {dateTime(hook.createdAt)}
                  {hook.by !== '' && <div className="small">by {hook.by}</div>}
                </td>
                <td>
                  <div className="row">
                    <button type="button" className="button" onClick={() => void rotate(hook)}>
                      <RefreshCw size={14} aria-hidden /> New address
                    </button>
                    <button
                      type="button"
                      className="button quiet square"
                      aria-label={`End ${hook.title}`}
                      onClick={() => void end(hook)}
                    >
                      <Trash2 size={14} aria-hidden />
                    </button>
                  </div>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {making && (
        <HookDialog
          onClose={() => setMaking(false)}
          onMade={(hook) => {
            setMaking(false);
            setMade(hook);
            again();
          }}
        />
      )}
      {made !== null && <ShownOnce made={made} onClose={() => setMade(null)} />}
    </section>
  );
}

/** The address of a hook: the only time that it is shown. */
function ShownOnce({ made: { hook, path }, onClose }: { made: HookMade; onClose(): void }) {
  const address = `${location.origin}${path}`;
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(address);
      toastOk('Copied.');
    } catch (thrown) {
      toastError(thrown);
    }
  };
  return (
    <Dialog
      title={`The address of ${hook.title}`}
      onClose={onClose}
      footer={
        <>
          <span className="grow" />
          <button type="button" className="button" onClick={() => void copy()}>
            Copy
          </button>
          <button type="button" className="button primary" onClick={onClose}>
            Close
          </button>
        </>
      }
    >
      <p>A POST to this address starts a batch. It is shown once: whoever has it can call it.</p>
      <code className="text-value" data-testid="hook-address">
        {address}
      </code>
    </Dialog>
  );
}
