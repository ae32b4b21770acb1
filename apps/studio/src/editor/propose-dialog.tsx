import type { Proposal } from '@cua-forge/spec/proposals';
import { Check, Sparkles } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { documentsApi } from '../api/documents-api.ts';
import { useDocument, useDocumentStore } from '../document/document-store.ts';
import { Dialog } from '../ui/dialog.tsx';
import { toastError, toastOk } from '../ui/toast.tsx';
import { ChangeList } from '../versions/change-list.tsx';

/** Words in, a difference out: a model says how the open document is to change, and a person takes it, as one step for undo, or leaves it. */
export function ProposeDialog({ onClose }: { onClose(): void }) {
  const store = useDocumentStore();
  const document = useDocument((state) => state.document);
  const [words, setWords] = useState('');
  const [asked, setAsked] = useState<number | null>(null);
  const [proposal, setProposal] = useState<{ made: Proposal; of: typeof document } | null>(null);
  const shown = useRef(true);
  useEffect(() => {
    shown.current = true;
    return () => {
      shown.current = false;
    };
  }, []);
  const ask = async () => {
    if (words.trim() === '' || asked !== null) return;
    setAsked(Date.now());
    setProposal(null);
    try {
      const made = await documentsApi.proposeChange(document.id, { words, document });
      if (shown.current) setProposal({ made, of: document });
    } catch (error) {
      if (shown.current) toastError(error);
    } finally {
      if (shown.current) setAsked(null);
    }
  };
  const accept = () => {
    if (proposal === null) return;
    store.getState().perform({ type: 'set-document', document: proposal.made.document });
    store.getState().select([]);
    toastOk('The proposal is in the document. Save to keep it; undo to take it back.');
    onClose();
  };
  const stale = proposal !== null && proposal.of !== document;
  return (
    <Dialog wide title="Propose a change" onClose={onClose}>
      <div className="stack">
        <label className="field">
          <span className="label">What should change?</span>
          <textarea
            className="input"
            rows={3}
            value={words}
            onChange={(event) => setWords(event.target.value)}
            placeholder="Add a node that checks the total and feeds it into the letter"
          />
        </label>
        <div className="row tight">
          <button
            type="button"
            className="button"
            disabled={words.trim() === '' || asked !== null}
            onClick={() => void ask()}
          >
            <Sparkles size={14} aria-hidden /> {proposal === null ? 'Ask the model' : 'Ask again'}
          </button>
          {asked !== null && <Waiting since={asked} />}
        </div>
        {proposal !== null && (
          <>
            <p>{proposal.made.summary}</p>
            <ChangeList title="What it would change" changes={proposal.made.changes} />
            <p className="hint">
              By {proposal.made.provider}:{proposal.made.model}, {proposal.made.calls} call
              {proposal.made.calls === 1 ? '' : 's'}, {proposal.made.usage.input + proposal.made.usage.output} tokens.
              Nothing is changed until you accept it.
            </p>
            {stale && <p className="hint">The document has changed since; ask again.</p>}
            <div className="row tight">
              <button type="button" className="button primary" disabled={stale} onClick={accept}>
                <Check size={14} aria-hidden /> Accept
              </button>
              <button type="button" className="button" onClick={() => setProposal(null)}>
                Refuse
              </button>
            </div>
          </>
        )}
      </div>
    </Dialog>
  );
}

/** Seconds that the model has taken so far. */
function Waiting({ since }: { since: number }) {
  const [now, setNow] = useState(since);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  return (
    <span className="muted small" role="status">
      The model is at work, {Math.max(0, Math.round((now - since) / 1_000))} s
    </span>
  );
}
