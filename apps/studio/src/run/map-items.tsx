import type { GraphNode } from '@cua-forge/spec/document';
import type { ItemView, NodeStatus } from '@cua-forge/spec/store-port';
import { useVirtualizer } from '@tanstack/react-virtual';
import { RotateCcw } from 'lucide-react';
import { useEffect, useMemo, useRef, useState } from 'react';
import { runsApi } from '../api/runs-api.ts';
import { useMay } from '../api/session-store.ts';
import { useView } from '../canvas/view-store.ts';
import { useDocumentStore } from '../document/document-store.ts';
import { FailureNotice } from '../ui/states.tsx';
import { toastError, toastOk } from '../ui/toast.tsx';
import { codesOf, type Retry, retryOf, tallyOf } from './item-selection.ts';
import { useRun } from './run-store.ts';
import { NodeBadge } from './status.tsx';
import { type ItemFilter, useMapItems } from './use-map-items.ts';

const ROW = 34;
const shown: readonly (NodeStatus | null)[] = [null, 'failed', 'awaiting', 'running', 'succeeded', 'waiting'];

/** The items of a map node: how many stand how, each by state and failure, opened on the canvas, and failed ones retried in bulk. */
export function MapItems({ runId, runKey, node }: { runId: string; runKey: string; node: GraphNode }) {
  const store = useDocumentStore();
  const change = useRun((state) => `${state.itemChanges[runKey] ?? 0}/${state.nodes.get(runKey)?.seq ?? 0}`);
  const [filter, setFilter] = useState<ItemFilter>({ status: null, failureCode: null });
  const [chosen, setChosen] = useState<ReadonlySet<number> | 'all'>(new Set());
  const [busy, setBusy] = useState(false);
  const mayRetry = useMay('author');
  const { counts, items, more, error, need, refresh } = useMapItems(runId, runKey, filter, change);
  const tally = useMemo(() => tallyOf(counts), [counts]);
  const codes = useMemo(() => codesOf(counts), [counts]);
  const matching = filter.failureCode === null ? tally(filter.status) : (codes.get(filter.failureCode) ?? 0);
  const narrow = (next: ItemFilter) => {
    setFilter(next);
    setChosen(new Set());
  };

  const { graph } = node.params;
  const open = (index: number) => {
    if (typeof graph !== 'string') return;
    useView
      .getState()
      .enter({ graph, prefix: `${runKey}[${index}]/`, label: `${node.title ?? node.id} · item ${index + 1}` });
    store.getState().select([]);
  };
  const retry = async ({ request, count }: Retry) => {
    setBusy(true);
    try {
      await runsApi.retryRun(runId, request);
      toastOk(count === 1 ? 'One item runs again.' : `${count} items run again.`);
      setChosen(new Set());
      refresh();
    } catch (thrown) {
      toastError(thrown);
    } finally {
      setBusy(false);
    }
  };
  const wanted = retryOf({ runKey, items, chosen, filter, failed: tally('failed'), matching });
  return (
    <section className="stack tight map-items" aria-label="Items">
      <div className="row wrap">
        <h3>Items</h3>
        <span className="muted small grow" role="status">
          {counts === null ? 'Counting…' : `${matching} of ${tally(null)}`}
        </span>
      </div>
      <fieldset className="segments wrap-segments" aria-label="State of the items">
        {shown
          .filter((status) => status === null || tally(status) > 0 || status === filter.status)
          .map((status) => (
            <button
              key={status ?? 'all'}
              type="button"
              aria-pressed={filter.status === status}
              onClick={() => narrow({ status, failureCode: null })}
            >
              {status ?? 'all'} {counts !== null && tally(status)}
            </button>
          ))}
      </fieldset>
      {codes.size > 0 && (
        <select
          className="select"
          aria-label="Failure of the items"
          value={filter.failureCode ?? ''}
          onChange={(event) =>
            narrow(
              event.target.value === ''
                ? { ...filter, failureCode: null }
                : { status: 'failed', failureCode: event.target.value },
            )
          }
        >
          <option value="">any failure</option>
          {[...codes].map(([code, count]) => (
            <option key={code} value={code}>
              {code} ({count})
            </option>
          ))}
        </select>
      )}
      {mayRetry && tally('failed') > 0 && (
        <div className="row wrap item-actions">
          <label className="row tight">
            <input
              type="checkbox"
              checked={chosen === 'all'}
              onChange={(event) => setChosen(event.target.checked ? 'all' : new Set())}
            />
            All that failed
            {filter.failureCode !== null && ' this way'}
          </label>
          <span className="grow" />
          <button
            type="button"
            className="button compact"
            disabled={busy || wanted === null}
            onClick={() => wanted !== null && void retry(wanted)}
          >
            <RotateCcw size={13} aria-hidden /> {wanted === null ? 'Retry' : `Retry ${wanted.count}`}
          </button>
        </div>
      )}
      {error !== null && <FailureNotice failure={error} />}
      {counts !== null && matching === 0 && <p className="hint">No item is like that.</p>}
      <ItemRows
        items={items}
        more={more}
        total={Math.max(items.length, filter.status === null ? begunOf(counts) : matching)}
        chosen={chosen}
        onChoose={mayRetry ? setChosen : null}
        onOpen={open}
        need={need}
      />
    </section>
  );
}

const begunOf = (counts: ReturnType<typeof useMapItems>['counts']): number =>
  counts?.counts.reduce((sum, { count }) => sum + count, 0) ?? 0;

interface RowsProps {
  items: readonly ItemView[];
  more: boolean;
  total: number;
  chosen: ReadonlySet<number> | 'all';
  onChoose: ((chosen: ReadonlySet<number>) => void) | null;
  onOpen(index: number): void;
  need(count: number): void;
}

/** Any number of items: only the rows in view are drawn, and what is not read yet is read as it comes into view. */
function ItemRows({ items, more, total, chosen, onChoose, onOpen, need }: RowsProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: more ? Math.max(total, items.length) : items.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW,
    overscan: 8,
  });
  const rows = virtual.getVirtualItems();
  const end = (rows.at(-1)?.index ?? 0) + 1;
  useEffect(() => {
    if (more && end > items.length - 20) need(end + 100);
  }, [more, end, items.length, need]);
  if (items.length === 0) return null;
  const toggle = (index: number) => {
    const next = new Set(chosen === 'all' ? [] : chosen);
    if (!next.delete(index)) next.add(index);
    onChoose?.(next);
  };
  return (
    <div ref={scroller} className="item-scroll">
      <ul className="plain-list" style={{ height: virtual.getTotalSize() }}>
        {rows.map(({ index, start }) => {
          const item = items[index];
          const failure = item?.troubled.find((view) => view.failure !== null)?.failure;
          return (
            <li
              key={index}
              className="item-row"
              style={{ transform: `translateY(${start}px)` }}
              aria-setsize={total}
              aria-posinset={index + 1}
            >
              {item === undefined ? (
                <span className="muted small pad">Reading…</span>
              ) : (
                <>
                  {onChoose !== null && (
                    <input
                      type="checkbox"
                      aria-label={`Choose item ${item.index + 1}`}
                      disabled={item.status !== 'failed'}
                      checked={item.status === 'failed' && (chosen === 'all' || chosen.has(item.index))}
                      onChange={() => toggle(item.index)}
                    />
                  )}
                  <button type="button" className="choice" onClick={() => onOpen(item.index)}>
                    <span className="nowrap">Item {item.index + 1}</span>
                    <span className="grow truncate muted small" title={failure?.message}>
                      {failure?.message}
                    </span>
                    <NodeBadge status={item.status} />
                  </button>
                </>
              )}
            </li>
          );
        })}
      </ul>
    </div>
  );
}
