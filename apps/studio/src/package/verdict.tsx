import { type PackageReview, type PackageVerdict, ReviewReason, reviewReasons } from '@cua-forge/spec/review';
import { Check, CircleDashed, X } from 'lucide-react';
import { useId, useState } from 'react';
import { Dialog } from '../ui/dialog.tsx';
import { dateTime } from '../ui/format.ts';
import type { Verdict } from './review-store.ts';

const icon = { size: 12, 'aria-hidden': true, strokeWidth: 2.5 } as const;
const looks = {
  unreviewed: { tone: '', icon: <CircleDashed {...icon} /> },
  accepted: { tone: 'ok', icon: <Check {...icon} /> },
  rejected: { tone: 'bad', icon: <X {...icon} /> },
} satisfies Record<PackageVerdict, object>;

/** What people think of a package; without a verdict it is unreviewed. */
export function VerdictBadge({ review }: { review: PackageReview | undefined }) {
  const verdict = review?.verdict ?? 'unreviewed';
  const why = review?.reason == null ? '' : reviewReasons[review.reason].text;
  const title =
    review === undefined ? undefined : `${review.by}, ${dateTime(review.at)}${why === '' ? '' : `\n${why}`}`;
  return (
    <span className={`badge ${looks[verdict].tone}`} title={title}>
      {looks[verdict].icon}
      {verdict}
      {review?.reason != null && ` · ${review.reason}`}
    </span>
  );
}

interface RejectDialogProps {
  count: number;
  onReject(verdict: Verdict): void;
  onClose(): void;
}

/** Asks why: arrows choose a reason, Enter rejects. */
export function RejectDialog({ count, onReject, onClose }: RejectDialogProps) {
  const [reason, setReason] = useState<ReviewReason>('unclear');
  const [note, setNote] = useState('');
  const id = useId();
  const needed = reason === 'other' && note.trim() === '';
  return (
    <Dialog
      title={count === 1 ? 'Reject this package' : `Reject ${count} packages`}
      onClose={onClose}
      onSubmit={() => {
        if (!needed) onReject({ verdict: 'rejected', reason, note: note.trim() });
      }}
      footer={
        <>
          <span className="grow hint">{needed ? 'The reason “other” takes a note.' : 'Its gate learns from it.'}</span>
          <button type="button" className="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" className="button danger" disabled={needed}>
            Reject
          </button>
        </>
      }
    >
      <fieldset className="reasons">
        <legend className="label">Why?</legend>
        {ReviewReason.options.map((each) => {
          const { text, gate } = reviewReasons[each];
          return (
            <label key={each} className="reason">
              <input type="radio" name={id} value={each} checked={reason === each} onChange={() => setReason(each)} />
              <span className="grow">{text}</span>
              {gate !== null && <code className="muted small">{gate}</code>}
            </label>
          );
        })}
      </fieldset>
      <div className="field">
        <label className="label" htmlFor={`${id}-note`}>
          Note
        </label>
        <textarea
          id={`${id}-note`}
          className="textarea"
          rows={2}
          maxLength={2_000}
          placeholder="What exactly is wrong"
          value={note}
          onChange={(event) => setNote(event.target.value)}
        />
      </div>
    </Dialog>
  );
}
