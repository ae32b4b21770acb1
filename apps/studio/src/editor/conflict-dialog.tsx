import type { DocumentView } from '@cua-forge/spec/api/documents';
import { diffDocuments } from '@cua-forge/spec/document-diff';
import { useMemo, useState } from 'react';
import { allDocuments, documentsApi } from '../api/documents-api.ts';
import { useDocument, useDocumentStore } from '../document/document-store.ts';
import { freshId } from '../document/edits.ts';
import { type Conflict, mergeDocuments, type Side } from '../document/merge.ts';
import { saveDocument } from '../document/save.ts';
import { navigate } from '../route.ts';
import { Dialog } from '../ui/dialog.tsx';
import { dateTime } from '../ui/format.ts';
import { toastError, toastOk } from '../ui/toast.tsx';
import { ChangeList, shorten } from '../versions/change-list.tsx';

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

  const [choices, setChoices] = useState<ReadonlyMap<string, Side>>(new Map());
  const merged = useMemo(
    () => (their === null ? null : mergeDocuments(base, mine, their, choices)),
    [base, mine, their, choices],
  );
  const open = merged?.conflicts.filter(({ path }) => !choices.has(path)).length ?? 0;

  const act = async (work: () => Promise<void>) => {
    try {
      await work();
      onClose();
    } catch (error) {
      toastError(error);
    }
  };
  const saveMerged = async () => {
    if (merged === null || their === null) throw new Error('The stored document cannot be read.');
    store.getState().acceptSave(their, theirs.record.revision);
    store.getState().perform({ type: 'set-document', document: merged.document });
    const result = await saveDocument(store);
    if (result.status === 'conflict')
      throw new Error('It was saved once more meanwhile. The merged version is open; save it to see what differs.');
    toastOk('Both are merged and saved.');
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
    await documentsApi.saveDocument(id, { document: copy, expectedRevision: null });
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
          <button type="button" className="button" onClick={() => void act(keepCopy)}>
            Keep mine as a copy
          </button>
          <button
            type="button"
            className="button primary"
            disabled={merged === null || open > 0}
            title={open > 0 ? 'Decide what both have changed first.' : undefined}
            onClick={() => void act(saveMerged)}
          >
            Merge and save
          </button>
        </>
      }
    >
      <p className="hint">
        Revision {theirs.record.revision} was stored on {dateTime(theirs.record.updatedAt)}; yours stands on an older
        one. Nothing has been written.
      </p>
      {merged !== null && (
        <Conflicts
          conflicts={merged.conflicts}
          choices={choices}
          onChoose={(path, side) => setChoices(new Map([...choices, [path, side]]))}
        />
      )}
      <ChangeList title="Their changes" changes={changes.theirs} />
      <ChangeList title="Your changes" changes={changes.mine} />
      <ChangeList title="What overwriting would do to theirs" changes={changes.lost} />
    </Dialog>
  );
}

interface ConflictsProps {
  conflicts: readonly Conflict[];
  choices: ReadonlyMap<string, Side>;
  onChoose(path: string, side: Side): void;
}

/** What both sides changed, each in another way: a person decides. */
function Conflicts({ conflicts, choices, onChoose }: ConflictsProps) {
  if (conflicts.length === 0)
    return <p className="hint">Nothing was changed by both: the two can be merged as they are.</p>;
  return (
    <section className="stack tight">
      <h3>Changed by both: choose</h3>
      {conflicts.map((conflict) => (
        <fieldset key={conflict.path} className="conflict">
          <legend>{conflict.label}</legend>
          {(['mine', 'theirs'] as const).map((side) => (
            <label key={side}>
              <input
                type="radio"
                name={conflict.path}
                checked={choices.get(conflict.path) === side}
                onChange={() => onChoose(conflict.path, side)}
              />
              <span>
                {side === 'mine' ? 'Mine' : 'Theirs'}:{' '}
                <code>{conflict[side] === undefined ? 'taken away' : shorten(conflict[side])}</code>
              </span>
            </label>
          ))}
        </fieldset>
      ))}
    </section>
  );
}
