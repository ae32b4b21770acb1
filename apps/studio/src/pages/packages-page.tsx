import '../styles/review.css';
import type { PackageVerdict } from '@cua-forge/spec/review';
import type { PackageRecord } from '@cua-forge/spec/store-port';
import { useVirtualizer } from '@tanstack/react-virtual';
import { Check, Package, RotateCcw, X } from 'lucide-react';
import { useDeferredValue, useEffect, useMemo, useRef, useState } from 'react';
import { everyPackage } from '../api/packages-api.ts';
import { useMay } from '../api/session-store.ts';
import { useLoad } from '../api/use-load.ts';
import { useShortcuts } from '../editor/use-shortcuts.ts';
import { useReviews } from '../package/review-store.ts';
import { useJudging } from '../package/use-judging.tsx';
import { VerdictBadge } from '../package/verdict.tsx';
import { navigate } from '../route.ts';
import { dateTime } from '../ui/format.ts';
import { Link } from '../ui/link.tsx';
import { usePageKeys } from '../ui/page-keys.tsx';
import { Empty, LoadFailed, Loading } from '../ui/states.tsx';

const ROW = 38;
const readersKeys = [
  ['J, K', 'Go down and up'],
  ['X', 'Choose, or choose no more'],
  ['O', 'Open'],
  ['Escape', 'Choose none'],
] as const;
const judgesKeys = [
  ...readersKeys,
  ['A', 'Accept what is chosen'],
  ['R', 'Reject what is chosen, with a reason'],
  ['U', 'Take the last verdict back'],
] as const;
const verdicts = ['unreviewed', 'accepted', 'rejected'] as const;

/** Every package with what people think of it; verdicts are given here on one or many, by keyboard. */
export function PackagesPage() {
  const [load, again] = useLoad(() => everyPackage(), []);
  const { known, learn } = useReviews();
  const mayJudge = useMay('author');
  const [query, setQuery] = useState('');
  const [skill, setSkill] = useState('');
  const [verdict, setVerdict] = useState<PackageVerdict | ''>('');
  const [cursor, setCursor] = useState(0);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const records = load.status === 'loaded' ? load.value.packages : noRecords;
  useEffect(() => {
    if (load.status === 'loaded') learn(load.value.reviews);
  }, [load, learn]);

  const words = useDeferredValue(query.trim().toLowerCase());
  const verdictOf = (record: PackageRecord): PackageVerdict => known[record.id]?.verdict ?? 'unreviewed';
  const skills = useMemo(() => [...new Set(records.map((record) => record.skill))].sort(), [records]);
  const counts = useMemo(() => countsOf(records, known), [records, known]);
  const shown = records.filter(
    (record) =>
      (verdict === '' || verdictOf(record) === verdict) &&
      (skill === '' || record.skill === skill) &&
      (words === '' ||
        `${record.title} ${record.skill} ${record.outcomeKind} ${record.seed} ${record.id}`
          .toLowerCase()
          .includes(words)),
  );
  const at = Math.min(cursor, Math.max(0, shown.length - 1));
  const current = shown[at];

  const scroller = useRef<HTMLElement>(null);
  const virtual = useVirtualizer({
    count: shown.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW,
    overscan: 12,
  });
  const go = (to: number) => {
    const next = Math.max(0, Math.min(shown.length - 1, to));
    setCursor(next);
    virtual.scrollToIndex(next);
  };
  const toggle = (id: string) =>
    setChosen((before) => {
      const after = new Set(before);
      if (!after.delete(id)) after.add(id);
      return after;
    });
  const targets = () => (chosen.size > 0 ? [...chosen] : current === undefined ? [] : [current.id]);
  const judging = useJudging(
    (ids) => {
      setChosen(new Set());
      // Where the list holds only what has another verdict, the next one moves up by itself.
      if (ids.length === 1 && verdict === '') go(at + 1);
    },
    (ids) => {
      const first = shown.findIndex(({ id }) => id === ids[0]);
      if (first >= 0) go(first);
    },
  );
  const verdictKeys: [string, () => void][] = [
    ['a', () => judging.accept(targets())],
    ['r', () => judging.reject(targets())],
    ['u', judging.undo],
  ];
  useShortcuts(
    Object.fromEntries<() => void>([
      ['j', () => go(at + 1)],
      ['k', () => go(at - 1)],
      ['ArrowDown', () => go(at + 1)],
      ['ArrowUp', () => go(at - 1)],
      ['x', () => current !== undefined && toggle(current.id)],
      ['o', () => current !== undefined && open(current.id)],
      ['Escape', () => setChosen(new Set())],
      ...(mayJudge ? verdictKeys : []),
    ]),
  );
  usePageKeys(mayJudge ? judgesKeys : readersKeys);
  const open = (id: string) => {
    useReviews.getState().setOrder(shown.map((record) => record.id));
    navigate({ page: 'package', id });
  };

  const rows = virtual.getVirtualItems();
  const above = rows[0]?.start ?? 0;
  const below = virtual.getTotalSize() - (rows.at(-1)?.end ?? 0);
  return (
    <div className="page wide packages">
      <div className="page-head">
        <h1>Task packages</h1>
        <span className="grow" />
        {records.length > 0 && (
          <>
            <fieldset className="segments" aria-label="Verdict">
              <button type="button" aria-pressed={verdict === ''} onClick={() => setVerdict('')}>
                all {records.length}
              </button>
              {verdicts.map((each) => (
                <button key={each} type="button" aria-pressed={verdict === each} onClick={() => setVerdict(each)}>
                  {each} {counts[each]}
                </button>
              ))}
            </fieldset>
            <select
              className="select filter"
              aria-label="Skill"
              value={skill}
              onChange={(event) => setSkill(event.target.value)}
            >
              <option value="">every skill</option>
              {skills.map((each) => (
                <option key={each}>{each}</option>
              ))}
            </select>
          </>
        )}
        <input
          className="input filter"
          type="search"
          placeholder="Filter…"
          aria-label="Filter packages"
          value={query}
          onChange={(event) => setQuery(event.target.value)}
        />
      </div>
      {load.status === 'loading' && <Loading what="packages" />}
      {load.status === 'failed' && <LoadFailed error={load.error} onRetry={again} />}
      {load.status === 'loaded' && records.length === 0 && (
        <Empty icon={<Package size={28} aria-hidden />} title="No packages yet">
          <p>A run that passes its gates leaves a task package here.</p>
        </Empty>
      )}
      {records.length > 0 && (
        <>
          <div className="review-bar" role="toolbar" aria-label="Review">
            <span className="muted small grow" role="status">
              {chosen.size > 0
                ? `${chosen.size} selected`
                : shown.length === records.length
                  ? `${records.length} packages`
                  : `${shown.length} of ${records.length} packages`}
            </span>
            <span className="keys muted small">
              <kbd>J</kbd> <kbd>K</kbd> go · <kbd>X</kbd> select · <kbd>O</kbd> open
            </span>
            {mayJudge && (
              <>
                <button type="button" className="button compact" onClick={() => judging.accept(targets())}>
                  <Check size={13} aria-hidden /> Accept <kbd>A</kbd>
                </button>
                <button type="button" className="button compact" onClick={() => judging.reject(targets())}>
                  <X size={13} aria-hidden /> Reject <kbd>R</kbd>
                </button>
                <button type="button" className="button compact quiet" onClick={judging.undo}>
                  <RotateCcw size={13} aria-hidden /> Undo <kbd>U</kbd>
                </button>
              </>
            )}
          </div>
          {shown.length === 0 ? (
            <p className="hint pad">No package is like that.</p>
          ) : (
            // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
            <section ref={scroller} className="review-scroll" tabIndex={0} aria-label="Packages">
              <table className="list review-list" aria-rowcount={shown.length + 1}>
                <thead>
                  <tr>
                    <th className="review-check">
                      <input
                        type="checkbox"
                        aria-label="Select all that are shown"
                        checked={chosen.size > 0 && chosen.size === shown.length}
                        onChange={(event) =>
                          setChosen(event.target.checked ? new Set(shown.map(({ id }) => id)) : new Set())
                        }
                      />
                    </th>
                    <th>Title</th>
                    <th className="review-verdict">Verdict</th>
                    <th className="review-skill">Skill</th>
                    <th className="review-outcome">Outcome</th>
                    <th className="review-seed">Seed</th>
                    <th className="review-made">Made</th>
                  </tr>
                </thead>
                <tbody>
                  {above > 0 && (
                    <tr aria-hidden>
                      <td colSpan={7} style={{ height: above }} />
                    </tr>
                  )}
                  {rows.map(({ index }) => {
                    const record = shown[index];
                    if (record === undefined) return null;
                    return (
                      <tr
                        key={record.id}
                        aria-rowindex={index + 2}
                        aria-selected={index === at}
                        className={index === at ? 'here' : undefined}
                        onPointerDown={() => setCursor(index)}
                      >
                        <td>
                          <input
                            type="checkbox"
                            aria-label={`Select ${record.title}, seed ${record.seed}`}
                            checked={chosen.has(record.id)}
                            onChange={() => toggle(record.id)}
                          />
                        </td>
                        <td className="truncate" title={record.title}>
                          <Link
                            to={{ page: 'package', id: record.id }}
                            className="list-main"
                            onFollow={() => useReviews.getState().setOrder(shown.map(({ id }) => id))}
                          >
                            {record.title}
                          </Link>
                        </td>
                        <td>
                          <VerdictBadge review={known[record.id]} />
                        </td>
                        <td className="truncate">
                          <code className="muted">{record.skill}</code>
                        </td>
                        <td className="muted truncate">{record.outcomeKind}</td>
                        <td className="muted">{record.seed}</td>
                        <td className="muted">{dateTime(record.createdAt)}</td>
                      </tr>
                    );
                  })}
                  {below > 0 && (
                    <tr aria-hidden>
                      <td colSpan={7} style={{ height: below }} />
                    </tr>
                  )}
                </tbody>
              </table>
            </section>
          )}
        </>
      )}
      {judging.dialog}
    </div>
  );
}

const noRecords: readonly PackageRecord[] = [];

function countsOf(
  records: readonly PackageRecord[],
  known: Readonly<Record<string, { verdict: PackageVerdict }>>,
): Record<PackageVerdict, number> {
  const counts = { unreviewed: 0, accepted: 0, rejected: 0 };
  for (const { id } of records) counts[known[id]?.verdict ?? 'unreviewed'] += 1;
  return counts;
}
