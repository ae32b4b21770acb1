import type { DocumentView } from '@cua-forge/spec/api';
import { type Change, diffDocuments } from '@cua-forge/spec/document-diff';
import { useMemo, useState } from 'react';
import { allDocuments, api } from '../api/api-client.ts';
import { useDocument, useDocumentStore } from '../document/document-store.ts';
import { freshId } from '../document/edits.ts';
import { saveDocument } from '../document/save.ts';
import { navigate } from '../route.ts';
import { Dialog } from '../ui/dialog.tsx';
import { dateTime } from '../ui/format.ts';
import { toastError, toastOk } from '../ui/toast.tsx';

/** Someone else saved first: shows both sides and lets the person choose; nothing is written before. */
export function ConflictDialog({ theirs, onClose }: { theirs: DocumentView; onClose(): void }) {
  const store = useDocumentStore();
  const mine = useDocument((state) => state.document);
  const base = useDocument((state) => state.saved.document);
  const [seen, setSeen] = useState(false);
  const their = theirs.document;
  const changes = useMemo(
    () => ({
      theirs: their === null ? null : diffDocuments(base, their),
      mine: diffDocuments(base, mine),
      lost: their === null ? null : diffDocuments(their, mine),
    }),
    [their, base, mine],
  );

  const act = async (work: () => Promise<void>) => {
    try {
      await work();
      onClose();
    } catch (error) {
      toastError(error);
    }
  };
  const reload = async () => {
    if (their === null) throw new Error('The stored document cannot be read; overwrite it or keep yours as a copy.');
    store.getState().open(their, theirs.record.revision);
    toastOk('Their version is open.');
  };
  const keepCopy = async () => {
    const taken = new Set((await allDocuments()).map((record) => record.id));
    const id = freshId(`${mine.id.slice(0, 50)}-copy`, taken);
    const copy = { ...mine, id, title: `${mine.title} (copy)`.slice(0, 200) };
    await api.saveDocument(id, { document: copy, expectedRevision: null });
    store.getState().acceptSave(mine, theirs.record.revision);
    toastOk(`Saved as ${id}.`);
    navigate({ page: 'document', id });
  };
  const overwrite = async () => {
    const result = await saveDocument(store, theirs.record.revision);
    if (result.status === 'conflict')
      throw new Error('It was saved once more meanwhile. Look at the newest version first.');
    toastOk('Saved over their version.');
  };
  return (
    <Dialog
      wide
      title="Someone saved this workflow meanwhile"
      onClose={onClose}
      footer={
        <>
          <label className="row grow">
            <input type="checkbox" checked={seen} onChange={(event) => setSeen(event.target.checked)} /> I have seen
            what would be lost
          </label>
          <button type="button" className="button danger" disabled={!seen} onClick={() => void act(overwrite)}>
            Overwrite theirs
          </button>
          <button type="button" className="button" onClick={() => void act(reload)}>
            Open theirs, drop mine
          </button>
          <button type="button" className="button primary" onClick={() => void act(keepCopy)}>
            Keep mine as a copy
          </button>
        </>
      }
    >
      <p className="hint">
        Revision {theirs.record.revision} was stored on {dateTime(theirs.record.updatedAt)}; yours stands on an older
        one. Nothing has been written.
      </p>
      <ChangeList title="Their changes" changes={changes.theirs} />
      <ChangeList title="Your changes" changes={changes.mine} />
      <ChangeList title="What overwriting would do to theirs" changes={changes.lost} />
    </Dialog>
  );
}

function ChangeList({ title, changes }: { title: string; changes: readonly Change[] | null }) {
  return (
    <section className="stack tight">
      <h3>{title}</h3>
      {changes === null && <p className="hint">The stored document cannot be read.</p>}
      {changes?.length === 0 && <p className="hint">None in meaning; places of cards at most.</p>}
      <ul className="changes">
        {changes?.slice(0, 200).map((change) => (
          <li key={`${change.graph}/${change.what}/${change.name}/${change.path ?? ''}/${change.change}`}>
            <span
              className={`badge ${change.change === 'added' ? 'ok' : change.change === 'removed' ? 'bad' : 'warn'}`}
            >
              {change.change}
            </span>
            <span className="grow">
              {change.what} <code>{change.name}</code> {change.path !== undefined && <code>{change.path}</code>}
              {change.change === 'changed' && (
                <span className="change-values mono">
                  <del>{shorten(change.before)}</del> <ins>{shorten(change.after)}</ins>
                </span>
              )}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function shorten(value: unknown): string {
  const text = value === undefined ? '—' : JSON.stringify(value);
  return text.length > 160 ? `${text.slice(0, 160)}…` : text;
}
