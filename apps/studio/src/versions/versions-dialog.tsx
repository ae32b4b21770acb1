import type { RevisionList } from '@cua-forge/spec/api/documents';
import { diffDocuments } from '@cua-forge/spec/document-diff';
import type { Publication } from '@cua-forge/spec/publication';
import { RotateCcw } from 'lucide-react';
import { useMemo, useState } from 'react';
import { documentsApi } from '../api/documents-api.ts';
import { useLoad } from '../api/use-load.ts';
import { useDocument, useDocumentStore } from '../document/document-store.ts';
import { Dialog } from '../ui/dialog.tsx';
import { dateTime } from '../ui/format.ts';
import { May } from '../ui/may.tsx';
import { LoadFailed, Loading } from '../ui/states.tsx';
import { toastError, toastOk } from '../ui/toast.tsx';
import { ChangeList } from './change-list.tsx';
import { PublishButton, PublishedState } from './publishing.tsx';

/** Publications that are read. */
const MOST = 1_000;

/** Every stored revision of the open document: what differs from it now, and the way back to it. */
export function VersionsDialog({ onClose }: { onClose(): void }) {
  const id = useDocument((state) => state.document.id);
  const current = useDocument((state) => state.revision);
  const [load, again] = useLoad(() => documentsApi.revisions(id), [id]);
  const [published, publishedAgain] = useLoad(() => documentsApi.publications(id, { limit: MOST }), [id, current]);
  const [older, setOlder] = useState<RevisionList | null>(null);
  const [chosen, setChosen] = useState<number | null>(null);
  const first = load.status === 'loaded' ? load.value : null;
  const revisions = [...(first?.revisions ?? []), ...(older?.revisions ?? [])];
  const next = older === null ? (first?.next ?? null) : older.next;
  const state = published.status === 'loaded' ? published.value : null;
  const holding = state?.publications[0] ?? null;
  const more = async () => {
    if (next === null) return;
    try {
      const page = await documentsApi.revisions(id, { before: next });
      setOlder({ revisions: [...(older?.revisions ?? []), ...page.revisions], next: page.next });
    } catch (error) {
      toastError(error);
    }
  };
  return (
    <Dialog wide title="Versions" onClose={onClose}>
      {load.status === 'loading' && <Loading what="the versions" />}
      {load.status === 'failed' && <LoadFailed error={load.error} onRetry={again} />}
      {published.status === 'failed' && <LoadFailed error={published.error} onRetry={publishedAgain} />}
      {state !== null && <PublishedState state={state} />}
      <div className="versions">
        <ul className="plain-list choices" aria-label="Revisions">
          {revisions.map(({ revision, title, updatedAt }) => (
            <li key={revision}>
              <button
                type="button"
                className="choice"
                aria-pressed={revision === chosen}
                onClick={() => setChosen(revision)}
              >
                <span className="grow">
                  Revision {revision} {revision === current && <span className="muted small">open</span>}{' '}
                  {revision === holding?.revision && <span className="badge ok">published</span>}
                  <span className="command-detail">
                    {dateTime(updatedAt)} · {title}
                  </span>
                </span>
              </button>
            </li>
          ))}
          {next !== null && (
            <li>
              <button type="button" className="button quiet compact" onClick={() => void more()}>
                Older ones
              </button>
            </li>
          )}
        </ul>
        {chosen === null ? (
          <p className="hint">Choose a revision to compare it, to go back to it, or to publish it.</p>
        ) : (
          <Comparison
            key={chosen}
            id={id}
            revision={chosen}
            publication={state?.publications.find((one) => one.revision === chosen) ?? null}
            holding={holding}
            onPublished={publishedAgain}
            onClose={onClose}
          />
        )}
      </div>
    </Dialog>
  );
}

interface ComparisonProps {
  id: string;
  revision: number;
  /** When it was published last; null for one that never was. */
  publication: Publication | null;
  holding: Publication | null;
  onPublished(): void;
  onClose(): void;
}

function Comparison({ id, revision, publication, holding, onPublished, onClose }: ComparisonProps) {
  const store = useDocumentStore();
  const now = useDocument((state) => state.document);
  const [load, again] = useLoad(() => documentsApi.revision(id, String(revision)), [id, revision]);
  const then = load.status === 'loaded' ? load.value.document : null;
  const changes = useMemo(() => (then === null ? null : diffDocuments(now, then)), [now, then]);
  if (load.status === 'loading') return <Loading what={`revision ${revision}`} />;
  if (load.status === 'failed') return <LoadFailed error={load.error} onRetry={again} />;
  const goBack = () => {
    if (then === null) return;
    store.getState().perform({ type: 'set-document', document: then });
    store.getState().select([]);
    toastOk(`Revision ${revision} is open. Save to keep it; undo to take it back.`);
    onClose();
  };
  return (
    <div className="stack">
      <ChangeList title={`What going back to revision ${revision} would change`} changes={changes} />
      <div className="row">
        <button type="button" className="button" disabled={then === null} onClick={goBack}>
          <RotateCcw size={14} aria-hidden /> Go back to revision {revision}
        </button>
        <May needs="author">
          {revision !== holding?.revision && (
            <PublishButton id={id} revision={revision} holding={holding} onPublished={onPublished} />
          )}
        </May>
      </div>
      {publication !== null && (
        <p className="hint">
          Published {dateTime(publication.at)} by {publication.by}
          {publication.note !== '' && `: ${publication.note}`}
        </p>
      )}
    </div>
  );
}
