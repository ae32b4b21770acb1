import type { Proof, TaskPackage } from '@cua-forge/spec/task';
import { CircleCheck, CircleDashed, CircleX, Download, EyeOff, FileText } from 'lucide-react';
import { useState } from 'react';
import { api, archiveUrl } from '../api/api-client.ts';
import { useLoad } from '../api/use-load.ts';
import { bytes } from '../ui/format.ts';
import { Link } from '../ui/link.tsx';
import { LoadFailed, Loading } from '../ui/states.tsx';
import { FileView, isTextFile, StoredText } from '../values/value-view.tsx';

/** One task package: what is in its folder, and what was proven about it. */
export function PackagePage({ id }: { id: string }) {
  const [load, again] = useLoad(() => api.package(id), [id]);
  if (load.status === 'loading') return <Loading what="the package" />;
  if (load.status === 'failed') return <LoadFailed error={load.error} onRetry={again} />;
  const { record, package: content } = load.value;
  const { manifest } = content;
  return (
    <div className="page wide">
      <div className="page-head">
        <div className="grow">
          <h1 className="package-title">{manifest.outcome.summary}</h1>
          <div className="row wrap muted small facts-line">
            <code>{record.id}</code>
            <span>seed {record.seed}</span>
            <span>{manifest.outcome.kind}</span>
            {manifest.models.map((model) => (
              <span key={model} className={model === 'rehearsal' ? 'badge warn' : 'badge'}>
                {model === 'rehearsal' ? 'rehearsed, no model asked' : model}
              </span>
            ))}
            <Link to={{ page: 'run', id: record.runId }}>The run that made it</Link>
          </div>
        </div>
        <a className="button" href={archiveUrl(record.id)} download={`${record.id}.tar`}>
          <Download size={14} aria-hidden /> Download .tar
        </a>
      </div>
      <div className="package">
        <PackageFiles content={content} />
        <aside className="stack">
          <h2>What was proven</h2>
          <ul className="evidence">
            {manifest.proofs.map((proof) => (
              <li key={`${proof.claim}${proof.by}`}>
                <ProofIcon status={proof.status} />
                <span>
                  {proof.claim}{' '}
                  <span className="muted">
                    {proof.status === 'not-proven' ? 'not proven' : `by ${proof.by}`}. {proof.detail}
                  </span>
                </span>
              </li>
            ))}
          </ul>
          <h2>Traits</h2>
          <dl className="facts">
            {Object.entries(manifest.traits).map(([name, value]) => (
              <div key={name} className="fact">
                <dt>{name}</dt>
                <dd>{typeof value === 'string' ? value : JSON.stringify(value)}</dd>
              </div>
            ))}
          </dl>
        </aside>
      </div>
    </div>
  );
}

function ProofIcon({ status }: { status: Proof['status'] }) {
  if (status === 'proven') return <CircleCheck size={15} className="ok-text" aria-label="proven" />;
  if (status === 'failed') return <CircleX size={15} className="bad-text" aria-label="failed" />;
  return <CircleDashed size={15} className="muted" aria-label="not proven" />;
}

function PackageFiles({ content }: { content: TaskPackage }) {
  const preferred = content.files.find((file) => file.path === 'instruction.md') ?? content.files[0];
  const [path, setPath] = useState(preferred?.path ?? '');
  const chosen = content.files.find((file) => file.path === path);
  return (
    <div className="package-files">
      <ul className="plain-list" aria-label="Files of the package">
        {content.files.map((file) => (
          <li key={file.path}>
            <button
              type="button"
              className="choice"
              aria-pressed={file.path === path}
              onClick={() => setPath(file.path)}
            >
              {file.path.startsWith('hidden/') ? (
                <EyeOff size={14} aria-label="hidden" />
              ) : (
                <FileText size={14} aria-hidden />
              )}
              <span className="grow truncate">{file.path}</span>
              <span className="muted small">{bytes(file.file.size)}</span>
            </button>
          </li>
        ))}
      </ul>
      <section className="stack package-file" aria-label={path}>
        {chosen !== undefined && (
          <>
            <FileView
              key={chosen.path}
              preview={false}
              file={{ ...chosen.file, name: chosen.path.slice(chosen.path.lastIndexOf('/') + 1) }}
            />
            {isTextFile(chosen.file) && <StoredText key={`${chosen.path}/text`} file={chosen.file} />}
          </>
        )}
      </section>
    </div>
  );
}
