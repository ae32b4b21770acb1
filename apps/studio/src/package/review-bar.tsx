import type { PackageReview } from '@cua-forge/spec/review';
import { Check, ChevronLeft, ChevronRight, RotateCcw, X } from 'lucide-react';
import { useEffect } from 'react';
import { useMay } from '../api/session-store.ts';
import { useShortcuts } from '../editor/use-shortcuts.ts';
import { navigate } from '../route.ts';
import { dateTime } from '../ui/format.ts';
import { usePageKeys } from '../ui/page-keys.tsx';
import { type PackageTab, packageTabs } from './package-tabs.tsx';
import { neighbour, useReviews } from './review-store.ts';
import { useJudging } from './use-judging.tsx';
import { VerdictBadge } from './verdict.tsx';

const readersKeys = [
  ['J, K', 'Next package of the list, the one before'],
  ['[, ]', 'Go from part to part'],
] as const;
const judgesKeys = [
  ...readersKeys,
  ['A', 'Accept'],
  ['R', 'Reject, with a reason'],
  ['U', 'Take the last verdict back'],
] as const;

interface ReviewBarProps {
  id: string;
  /** Every verdict on it, newest first. */
  reviews: readonly PackageReview[];
  tab: PackageTab;
  onTab(tab: PackageTab): void;
}

/** The verdict on one package, and the way to the next one of the list; after a verdict it goes there by itself. */
export function ReviewBar({ id, reviews, tab, onTab }: ReviewBarProps) {
  const { order, known, learn } = useReviews();
  const mayJudge = useMay('author');
  useEffect(() => learn(reviews), [reviews, learn]);
  const current = known[id] ?? reviews[0];
  const [previous, next] = [neighbour(order, id, -1), neighbour(order, id, 1)];
  const go = (to: string | undefined) => to !== undefined && navigate({ page: 'package', id: to });
  const judging = useJudging(
    () => go(next),
    ([first]) => first !== id && go(first),
  );
  const turn = (by: number) => {
    const at = packageTabs[(packageTabs.indexOf(tab) + by + packageTabs.length) % packageTabs.length];
    if (at !== undefined) onTab(at);
  };
  useShortcuts({
    j: () => go(next),
    k: () => go(previous),
    '[': () => turn(-1),
    ']': () => turn(1),
    ...(mayJudge ? { a: () => judging.accept([id]), r: () => judging.reject([id]), u: () => judging.undo() } : {}),
  });
  usePageKeys(mayJudge ? judgesKeys : readersKeys);
  const place = order.indexOf(id);
  return (
    <div className="review-bar" role="toolbar" aria-label="Review">
      <VerdictBadge review={current} />
      {current !== undefined && current.verdict !== 'unreviewed' && (
        <span className="muted small truncate">
          {current.by}, {dateTime(current.at)}
          {current.note !== '' && ` · ${current.note}`}
        </span>
      )}
      <span className="grow" />
      {place >= 0 && (
        <span className="row tight">
          <button
            type="button"
            className="button compact square quiet"
            aria-label="Previous package (K)"
            title="Previous package (K)"
            disabled={previous === undefined}
            onClick={() => go(previous)}
          >
            <ChevronLeft size={15} aria-hidden />
          </button>
          <span className="muted small figure">
            {place + 1} of {order.length}
          </span>
          <button
            type="button"
            className="button compact square quiet"
            aria-label="Next package (J)"
            title="Next package (J)"
            disabled={next === undefined}
            onClick={() => go(next)}
          >
            <ChevronRight size={15} aria-hidden />
          </button>
        </span>
      )}
      {mayJudge && (
        <>
          <button type="button" className="button compact" onClick={() => judging.accept([id])}>
            <Check size={13} aria-hidden /> Accept <kbd>A</kbd>
          </button>
          <button type="button" className="button compact" onClick={() => judging.reject([id])}>
            <X size={13} aria-hidden /> Reject <kbd>R</kbd>
          </button>
          <button type="button" className="button compact quiet" onClick={judging.undo}>
            <RotateCcw size={13} aria-hidden /> Undo <kbd>U</kbd>
          </button>
        </>
      )}
      {judging.dialog}
    </div>
  );
}
