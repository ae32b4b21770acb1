import type { Publication, PublicationList, PublishResult } from '@cua-forge/spec/publication';
import { Rocket } from 'lucide-react';
import { useState } from 'react';
import { documentsApi } from '../api/documents-api.ts';
import { toastError, toastOk } from '../ui/toast.tsx';

/** Which revision runs, and whether the draft is another in meaning. */
export function PublishedState({ state: { publications, draft } }: { state: PublicationList }) {
  const [holding] = publications;
  const text =
    holding === undefined
      ? 'Nothing is published yet: batches, schedules and hooks run the newest revision.'
      : draft.changes === 0
        ? `Batches, schedules and hooks run revision ${holding.revision}; the draft means the same.`
        : `Batches, schedules and hooks run revision ${holding.revision}; the draft (revision ${draft.revision}) ${draftText(draft.changes)}.`;
  return (
    <p className="hint" role="status">
      {text}
    </p>
  );
}

const draftText = (changes: number | null): string =>
  changes === null ? 'differs from it' : `has ${changes} ${changes === 1 ? 'change' : 'changes'} to it`;

/** What became of schedules that follow what is published. */
function movedText({ publication, schedules }: PublishResult): string {
  const refused = schedules.filter((schedule) => schedule.refused !== null);
  const moved = schedules.length - refused.length;
  const parts = [`Revision ${publication.revision} is published.`];
  if (moved > 0) parts.push(`${moved} ${moved === 1 ? 'schedule runs' : 'schedules run'} it from the next turn on.`);
  for (const { title, refused: why } of refused) parts.push(`“${title}” stays on the one before: ${why}`);
  return parts.join(' ');
}

interface PublishButtonProps {
  id: string;
  revision: number;
  holding: Publication | null;
  onPublished(): void;
}

/** Makes a revision the one that runs; an older one is a roll back. */
export function PublishButton({ id, revision, holding, onPublished }: PublishButtonProps) {
  const [busy, setBusy] = useState(false);
  const back = holding !== null && revision < holding.revision;
  const publish = async () => {
    setBusy(true);
    try {
      toastOk(movedText(await documentsApi.publishDocument(id, { revision })));
      onPublished();
    } catch (error) {
      toastError(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <button type="button" className="button primary" disabled={busy} onClick={() => void publish()}>
      <Rocket size={14} aria-hidden /> {back ? `Roll back to revision ${revision}` : `Publish revision ${revision}`}
    </button>
  );
}
