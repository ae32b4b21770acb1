import { Package } from 'lucide-react';
import { useState } from 'react';
import { allPackages } from '../api/api-client.ts';
import { useLoad } from '../api/use-load.ts';
import { dateTime } from '../ui/format.ts';
import { Link } from '../ui/link.tsx';
import { Empty, LoadFailed, Loading } from '../ui/states.tsx';

export function PackagesPage() {
  const [load, again] = useLoad(() => allPackages(), []);
  const [query, setQuery] = useState('');
  const records = load.status === 'loaded' ? load.value : [];
  const shown = records.filter((record) =>
    `${record.title} ${record.skill} ${record.outcomeKind} ${record.seed}`.toLowerCase().includes(query.toLowerCase()),
  );
  return (
    <div className="page">
      <div className="page-head">
        <h1>Task packages</h1>
        <span className="grow" />
        <input
          className="input filter"
          type="search"
          placeholder="Filter…"
          aria-label="Filter packages"
          value={query}
          onChange={(event) => setQuery(event.target.value)}
        />
      </div>
      {load.status === 'loading' && <Loading what="packages" />}
      {load.status === 'failed' && <LoadFailed error={load.error} onRetry={again} />}
      {load.status === 'loaded' && records.length === 0 && (
        <Empty icon={<Package size={28} aria-hidden />} title="No packages yet">
          <p>A run that passes its gates leaves a task package here.</p>
        </Empty>
      )}
      {records.length > 0 && (
        <table className="list">
          <thead>
            <tr>
              <th>Title</th>
              <th>Skill</th>
              <th>Outcome</th>
              <th>Seed</th>
              <th>Made</th>
            </tr>
          </thead>
          <tbody>
            {shown.map((record) => (
              <tr key={record.id}>
                <td>
                  <Link to={{ page: 'package', id: record.id }} className="list-main">
                    {record.title}
                  </Link>
                </td>
                <td>
                  <code className="muted">{record.skill}</code>
                </td>
                <td className="muted">{record.outcomeKind}</td>
                <td className="muted">{record.seed}</td>
                <td className="muted">{dateTime(record.createdAt)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </div>
  );
}
