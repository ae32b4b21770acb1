import type { RecordedActions } from '@cua-forge/spec/solution';
import { Download, Save } from 'lucide-react';
import { useId, useMemo, useState } from 'react';
import { packagesApi } from '../api/packages-api.ts';
import { navigate } from '../route.ts';
import { toastError, toastOk } from '../ui/toast.tsx';
import { actionWords } from './action-words.ts';

/** What a recording amounts to, to be looked at, downloaded, or kept as the reference solution of a package. */
export function RecordedPanel({ recorded, packageId }: { recorded: RecordedActions; packageId: string | null }) {
  const id = useId();
  const [target, setTarget] = useState(packageId ?? '');
  const [busy, setBusy] = useState(false);
  const href = useMemo(
    () => `data:application/json;charset=utf-8,${encodeURIComponent(JSON.stringify(recorded, null, 2))}`,
    [recorded],
  );
  const keep = async () => {
    setBusy(true);
    try {
      await packagesApi.keepDemonstration(target.trim(), { recording: recorded });
      toastOk('Kept as the reference solution.');
      navigate({ page: 'package', id: target.trim() });
    } catch (thrown) {
      toastError(thrown);
      setBusy(false);
    }
  };
  return (
    <section className="panel" aria-labelledby={`${id}-title`}>
      <div className="row">
        <h2 id={`${id}-title`}>What was done</h2>
        <span className="muted small">
          {recorded.actions.length} {recorded.actions.length === 1 ? 'action' : 'actions'}
        </span>
        <span className="grow" />
        <a className="button" href={href} download="actions.json">
          <Download size={14} aria-hidden /> Download
        </a>
        <input
          className="input"
          aria-label="Package"
          placeholder="Id of a package"
          value={target}
          onChange={(event) => setTarget(event.target.value)}
        />
        <button
          type="button"
          className="button primary"
          disabled={busy || target.trim() === ''}
          onClick={() => void keep()}
        >
          <Save size={14} aria-hidden /> Keep as reference solution
        </button>
      </div>
      <ol className="recorded-actions">
        {recorded.actions.map((action, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes
          <li key={index}>
            <span className="muted small nowrap">{(action.at / 1000).toFixed(1)} s</span> {actionWords(action)}
          </li>
        ))}
      </ol>
    </section>
  );
}
