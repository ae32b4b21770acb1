import type { PackageRecord } from '@cua-forge/spec/store-port';
import type { TaskManifest } from '@cua-forge/spec/task';
import { Link } from '../ui/link.tsx';

/** Where a package comes from: workflow, seed, run, batch, models. */
export function Lineage({ record, manifest }: { record: PackageRecord; manifest: TaskManifest }) {
  return (
    <div className="row wrap muted small facts-line">
      <code>{record.id}</code>
      <span>seed {record.seed}</span>
      <span>{manifest.outcome.kind}</span>
      {manifest.models.map((model) => (
        <span key={model} className={model === 'rehearsal' ? 'badge warn' : 'badge'}>
          {model === 'rehearsal' ? 'rehearsed, no model asked' : model}
        </span>
      ))}
      <Link to={{ page: 'document', id: manifest.workflow.id }}>{manifest.workflow.id}</Link>
      <Link to={{ page: 'run', id: record.runId }}>The run that made it</Link>
      {record.batchId !== null && <Link to={{ page: 'batch', id: record.batchId }}>Its batch</Link>}
    </div>
  );
}
