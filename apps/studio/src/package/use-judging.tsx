import { type ReactNode, useState } from 'react';
import { toastError, toastOk } from '../ui/toast.tsx';
import { useReviews, type Verdict } from './review-store.ts';
import { RejectDialog } from './verdict.tsx';

export interface Judging {
  accept(ids: readonly string[]): void;
  /** Asks for the reason first. */
  reject(ids: readonly string[]): void;
  undo(): void;
  /** The question, while it is asked. */
  dialog: ReactNode;
}

/** Accept, reject with a reason, and take back; `onJudged` is told which packages have a verdict now, `onUndone` which have their former one. */
export function useJudging(
  onJudged: (ids: readonly string[]) => void,
  onUndone: (ids: readonly string[]) => void,
): Judging {
  const [rejecting, setRejecting] = useState<readonly string[] | null>(null);
  const judge = async (ids: readonly string[], verdict: Verdict) => {
    if (ids.length === 0) return;
    try {
      await useReviews.getState().judge(ids, verdict);
      toastOk(`${ids.length === 1 ? 'Package' : `${ids.length} packages`} ${verdict.verdict}. U takes it back.`);
      onJudged(ids);
    } catch (error) {
      toastError(error);
    }
  };
  return {
    accept: (ids) => void judge(ids, { verdict: 'accepted', reason: null, note: '' }),
    reject: (ids) => setRejecting(ids.length === 0 ? null : ids),
    undo: () => {
      void useReviews
        .getState()
        .undo()
        .then((ids) => {
          if (ids.length === 0) return;
          toastOk('The last verdict is taken back.');
          onUndone(ids);
        }, toastError);
    },
    dialog: rejecting !== null && (
      <RejectDialog
        count={rejecting.length}
        onClose={() => setRejecting(null)}
        onReject={(verdict) => {
          setRejecting(null);
          void judge(rejecting, verdict);
        }}
      />
    ),
  };
}
