import type { Finding } from '@cua-forge/spec/document';
import type { Failure, ForgeError } from '@cua-forge/spec/errors';
import { listOf } from '@cua-forge/spec/listed-at';
import { CircleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { lists } from '../route.ts';
import { Link } from './link.tsx';

export function Loading({ what }: { what: string }) {
  return (
    <div className="empty" role="status">
      <div className="spinner" aria-hidden />
      <span>Loading {what}…</span>
    </div>
  );
}

export function Empty({ icon, title, children }: { icon?: ReactNode; title: string; children?: ReactNode }) {
  return (
    <div className="empty">
      {icon}
      <h2>{title}</h2>
      {children}
    </div>
  );
}

/** What to do. A person has a page where a program has an address. */
function Fix({ fix }: { fix: string }) {
  const named = listOf(fix);
  const page = lists.find((each) => each === named);
  return <span>{page === undefined ? fix : <Link to={{ page }}>See those that there are</Link>}</span>;
}

/** What went wrong, where, and what to do. */
export function FailureNotice({ failure, children }: { failure: Failure | ForgeError; children?: ReactNode }) {
  const { place } = failure;
  const where = [
    place?.file,
    place?.node && `node ${place.node}`,
    place?.port && `port ${place.port}`,
    place?.line !== undefined && `line ${place.line}`,
  ].filter(Boolean);
  return (
    <div className="notice bad" role="alert">
      <CircleAlert size={16} aria-hidden />
      <div className="stack tight grow">
        <strong>{failure.message}</strong>
        {failure.fix !== undefined && <Fix fix={failure.fix} />}
        <span className="muted small">
          <code>{failure.code}</code>
          {where.length > 0 && ` · ${where.join(', ')}`}
        </span>
        {children}
      </div>
    </div>
  );
}

/** What stands against a text that is no document. */
export function FindingNotices({ findings }: { findings: readonly Finding[] }) {
  return findings.map(({ message, fix, line }) => (
    <FailureNotice
      key={message}
      failure={{ code: 'document.invalid', message, fix, ...(line === undefined ? {} : { place: { line } }) }}
    />
  ));
}

export function LoadFailed({ error, onRetry }: { error: ForgeError; onRetry(): void }) {
  return (
    <div className="empty">
      <FailureNotice failure={error} />
      <button type="button" className="button" onClick={onRetry}>
        Try again
      </button>
    </div>
  );
}
