import '../styles/boards.css';
import type { AuditEntry } from '@cua-forge/spec/access-port';
import { AuditAction } from '@cua-forge/spec/api-route';
import { ScrollText } from 'lucide-react';
import { useState } from 'react';
import { accessApi } from '../api/access-api.ts';
import { useMay } from '../api/session-store.ts';
import { useLoad } from '../api/use-load.ts';
import { dateTime } from '../ui/format.ts';
import { Empty, LoadFailed, Loading } from '../ui/states.tsx';
import { toastError } from '../ui/toast.tsx';

const PAGE = 100;

interface Filter {
  user: string;
  action: AuditAction | '';
  target: string;
}

const queryOf = ({ user, action, target }: Filter) => ({
  limit: PAGE,
  ...(user.trim() === '' ? {} : { user: user.trim() }),
  ...(action === '' ? {} : { action }),
  ...(target.trim() === '' ? {} : { target: target.trim() }),
});

/** Who did what to what, newest first. Values and secrets are in no entry. */
export function AuditPage() {
  const may = useMay('operator');
  const [filter, setFilter] = useState<Filter>({ user: '', action: '', target: '' });
  const set = (change: Partial<Filter>) => setFilter((before) => ({ ...before, ...change }));
  return (
    <div className="page wide">
      <div className="page-head">
        <h1>Audit trail</h1>
        <span className="grow" />
        <input
          className="input filter"
          type="search"
          placeholder="User"
          aria-label="User"
          value={filter.user}
          onChange={(event) => set({ user: event.target.value })}
        />
        <select
          className="select filter"
          aria-label="Action"
          value={filter.action}
          onChange={(event) => set({ action: AuditAction.safeParse(event.target.value).data ?? '' })}
        >
          <option value="">every action</option>
          {AuditAction.options.map((action) => (
            <option key={action}>{action}</option>
          ))}
        </select>
        <input
          className="input filter"
          type="search"
          placeholder="Id of what was changed"
          aria-label="Target"
          value={filter.target}
          onChange={(event) => set({ target: event.target.value })}
        />
      </div>
      {may ? <Entries key={JSON.stringify(filter)} filter={filter} /> : <p className="hint">Operators read it.</p>}
    </div>
  );
}

function Entries({ filter }: { filter: Filter }) {
  const [load, again] = useLoad(() => accessApi.audit(queryOf(filter)), []);
  const [older, setOlder] = useState<{ entries: AuditEntry[]; next: string | null } | null>(null);
  if (load.status === 'loading') return <Loading what="the audit trail" />;
  if (load.status === 'failed') return <LoadFailed error={load.error} onRetry={again} />;
  const entries = [...load.value.entries, ...(older?.entries ?? [])];
  const next = older === null ? load.value.next : older.next;
  const more = async () => {
    if (next === null) return;
    try {
      const page = await accessApi.audit({ ...queryOf(filter), cursor: next });
      setOlder({ entries: [...(older?.entries ?? []), ...page.entries], next: page.next });
    } catch (error) {
      toastError(error);
    }
  };
  if (entries.length === 0)
    return (
      <Empty icon={<ScrollText size={28} aria-hidden />} title="Nothing like that was done">
        <p>Every change of documents, runs, batches, schedules, hooks and packages is written down here.</p>
      </Empty>
    );
  return (
    <>
      <table className="list" aria-label="Audit trail">
        <thead>
          <tr>
            <th>When</th>
            <th>Who</th>
            <th>Did</th>
            <th>To</th>
            <th>Detail</th>
          </tr>
        </thead>
        <tbody>
          {entries.map(({ id, at, user, action, target, detail }) => (
            <tr key={id}>
              <td className="muted nowrap">{dateTime(at)}</td>
              <td>{user}</td>
              <td>
                <code>{action}</code>
              </td>
              <td>
                <code className="muted">{target}</code>
              </td>
              <td className="muted small">{detail}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {next !== null && (
        <button type="button" className="button" onClick={() => void more()}>
          Older ones
        </button>
      )}
    </>
  );
}
