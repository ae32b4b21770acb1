import { useVirtualizer } from '@tanstack/react-virtual';
import { Minus, Plus, Route, StretchHorizontal } from 'lucide-react';
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react';
import { runsApi } from '../api/runs-api.ts';
import { useLoad } from '../api/use-load.ts';
import { useCrumb } from '../canvas/view-store.ts';
import { graphOf } from '../document/command.ts';
import { useDocument, useDocumentStore } from '../document/document-store.ts';
import { duration } from '../ui/format.ts';
import { Empty, LoadFailed, Loading } from '../ui/states.tsx';
import { useRun } from './run-store.ts';
import { isOpen } from './status.tsx';
import { type Span, type Timeline, type TimelineRow, ticksOf, timelineOf, waited, worked } from './timeline.ts';

const ROW = 30;
const CLOCK_MS = 1_000;
const RELOAD_MS = 1_000;
const MOST_ZOOM = 64;

/** When each node of the graph at hand waited and worked, with the chain that decided how long the run took. */
export function Gantt() {
  const runId = useRun((state) => state.runId);
  const run = useRun((state) => state.view?.run ?? null);
  const views = useRun((state) => state.nodes);
  const { graph, prefix } = useCrumb();
  const nodes = useDocument((state) => graphOf(state.document, graph).nodes);
  const edges = useDocument((state) => graphOf(state.document, graph).edges);
  const ended = usePaced(useEnded(prefix ?? ''), RELOAD_MS);
  const [load, again] = useLoad(
    async () => (runId === null || prefix === null ? null : runsApi.scope(runId, { prefix })),
    [runId, prefix],
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is shown stays while it is read anew
  useEffect(() => again(), [ended, again]);
  const open = run !== null && isOpen(run.state);
  const now = useClock(open);
  const timeline = useMemo(() => {
    if (run === null || prefix === null || load.status !== 'loaded' || load.value === null) return null;
    return timelineOf({
      nodes: nodes.map(({ id, title }) => ({ id, key: prefix + id, title: title ?? id })),
      edges: edges.map(({ from, to }) => [nodeOf(from), nodeOf(to)]),
      outcomes: load.value.outcomes,
      views,
      startedAt: prefix === '' ? (run.startedAt ?? run.createdAt) : earliest(load.value.outcomes, run.createdAt),
      now,
    });
  }, [run, prefix, load, nodes, edges, views, now]);
  if (prefix === null)
    return (
      <Empty title="No item is chosen">
        <p>Open an item of the map to see when its nodes ran.</p>
      </Empty>
    );
  if (load.status === 'failed') return <LoadFailed error={load.error} onRetry={again} />;
  if (timeline === null) return <Loading what="the timeline" />;
  if (timeline.rows.length === 0)
    return (
      <Empty title="Nothing has begun">
        <p>Nodes show here as soon as they run.</p>
      </Empty>
    );
  return <Chart timeline={timeline} />;
}

function Chart({ timeline }: { timeline: Timeline }) {
  const store = useDocumentStore();
  const selection = useDocument((state) => state.selection);
  const [zoom, setZoom] = useState(1);
  const scroller = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: timeline.rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW,
    overscan: 10,
  });
  const length = timeline.to - timeline.from;
  const { critical } = timeline;
  const rescale = (factor: number) => setZoom((before) => Math.min(MOST_ZOOM, Math.max(1, before * factor)));
  const [chosen] = selection;
  const at = timeline.rows.findIndex(({ id }) => id === chosen);
  const choose = (index: number) => {
    const row = timeline.rows[index];
    if (row === undefined) return;
    store.getState().select([row.id]);
    virtual.scrollToIndex(index);
    requestAnimationFrame(() => scroller.current?.querySelector<HTMLElement>(`[data-index="${index}"]`)?.focus());
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1, Home: -Infinity, End: Infinity }[event.key];
    if (step !== undefined) choose(Math.min(timeline.rows.length - 1, Math.max(0, at + step)));
    else if (event.key === '+' || event.key === '=') rescale(2);
    else if (event.key === '-') rescale(0.5);
    else if (event.key === '0') setZoom(1);
    else if (event.key === 'ArrowLeft' || event.key === 'ArrowRight')
      scroller.current?.scrollBy({ left: event.key === 'ArrowLeft' ? -120 : 120 });
    else return;
    event.preventDefault();
  };
  return (
    <section className="gantt" aria-label="Timeline">
      <div className="row wrap gantt-head">
        <strong>{duration(length)}</strong>
        <span className="row tight muted small">
          <Route size={13} aria-hidden /> critical path: {critical.keys.length}{' '}
          {critical.keys.length === 1 ? 'node' : 'nodes'}, {duration(critical.running)} at work,{' '}
          {duration(critical.waiting)} waiting
        </span>
        <span className="grow" />
        <Legend />
        <button
          type="button"
          className="button compact square"
          aria-label="Zoom out (-)"
          title="Zoom out (-)"
          disabled={zoom === 1}
          onClick={() => rescale(0.5)}
        >
          <Minus size={13} aria-hidden />
        </button>
        <button
          type="button"
          className="button compact square"
          aria-label="Zoom in (+)"
          title="Zoom in (+)"
          disabled={zoom === MOST_ZOOM}
          onClick={() => rescale(2)}
        >
          <Plus size={13} aria-hidden />
        </button>
        <button
          type="button"
          className="button compact square"
          aria-label="Show all (0)"
          title="Show all (0)"
          onClick={() => setZoom(1)}
        >
          <StretchHorizontal size={13} aria-hidden />
        </button>
      </div>
      <div
        ref={scroller}
        className="gantt-scroll"
        role="listbox"
        aria-label="Nodes by time; arrow keys choose, plus and minus zoom"
        tabIndex={at < 0 ? 0 : -1}
        onKeyDown={onKeyDown}
        onWheel={(event) => {
          if (event.ctrlKey) rescale(event.deltaY < 0 ? 1.25 : 0.8);
        }}
      >
        <div
          className="gantt-area"
          style={{
            width: `calc(var(--gantt-name) + (100% - var(--gantt-name)) * ${zoom})`,
            height: virtual.getTotalSize() + ROW,
          }}
        >
          <div className="gantt-axis" aria-hidden>
            {ticksOf(length, Math.round(8 * zoom)).map((tick) => (
              <span key={tick} style={{ left: `${(tick / length) * 100}%` }}>
                {duration(tick)}
              </span>
            ))}
          </div>
          {virtual.getVirtualItems().map(({ index, start }) => {
            const row = timeline.rows[index];
            return row === undefined ? null : (
              <div
                key={row.key}
                role="option"
                aria-selected={index === at}
                aria-label={spoken(row)}
                tabIndex={index === at ? 0 : -1}
                data-index={index}
                className={row.critical ? 'gantt-row critical' : 'gantt-row'}
                style={{ transform: `translateY(${start + ROW}px)` }}
                onClick={() => choose(index)}
                onKeyDown={() => {}}
              >
                <span className="gantt-name truncate" title={row.key}>
                  {row.critical && <Route size={12} aria-hidden />} {row.title}
                </span>
                <Bars row={row} timeline={timeline} />
              </div>
            );
          })}
        </div>
      </div>
    </section>
  );
}

function Bars({ row, timeline: { from, to } }: { row: TimelineRow; timeline: Timeline }) {
  const part = (time: number) => ((time - from) / (to - from)) * 100;
  const first = row.spans[0];
  return (
    <span className="gantt-track" aria-hidden>
      {row.ready !== null && first !== undefined && first.from > row.ready && (
        <span
          className="gantt-wait"
          title={`waited ${duration(first.from - row.ready)}`}
          style={{ left: `${part(row.ready)}%`, width: `${part(first.from) - part(row.ready)}%` }}
        />
      )}
      {row.spans.map((span) => (
        <span
          key={span.token}
          className={`gantt-bar ${span.state}`}
          title={titleOf(span)}
          style={{ left: `${part(span.from)}%`, width: `${part(span.to) - part(span.from)}%` }}
        />
      ))}
    </span>
  );
}

const titleOf = ({ state, from, to, round, attempt }: Span): string =>
  `${state}, ${duration(to - from)}${attempt > 1 ? `, attempt ${attempt}` : ''}${round > 1 ? `, round ${round}` : ''}`;

function spoken(row: TimelineRow): string {
  const { spans } = row;
  const parts = [
    `waited ${duration(waited(row))}`,
    `worked ${duration(worked(row))}`,
    spans.length > 1 ? `${spans.length} executions` : '',
    spans.at(-1)?.state ?? '',
    row.critical ? 'on the critical path' : '',
  ];
  return `${row.title}: ${parts.filter((each) => each !== '').join(', ')}`;
}

const legend = ['waited', 'succeeded', 'cached', 'failed', 'running'] as const;

function Legend() {
  return (
    <span className="row muted small gantt-legend">
      {legend.map((name) => (
        <span key={name} className="row tight">
          <span className={name === 'waited' ? 'gantt-key gantt-wait' : `gantt-key gantt-bar ${name}`} aria-hidden />{' '}
          {name}
        </span>
      ))}
    </span>
  );
}

const nodeOf = (end: string): string => end.slice(0, end.indexOf('.'));
const earliest = (outcomes: readonly { startedAt: number }[], otherwise: number): number =>
  outcomes.length === 0 ? otherwise : Math.min(...outcomes.map(({ startedAt }) => startedAt));

/** Changes whenever an execution of this graph has ended. */
const useEnded = (prefix: string): number =>
  useRun((state) => {
    let latest = 0;
    for (const { key, endedAt } of state.outcomes.values())
      if (key.startsWith(prefix) && endedAt !== null) latest = Math.max(latest, endedAt);
    return latest;
  });

/** The value as it was at most so long ago: changes come no faster. */
function usePaced<T>(value: T, milliseconds: number): T {
  const [paced, setPaced] = useState(value);
  const latest = useRef(value);
  latest.current = value;
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => {
    if (value === paced) return;
    timer.current ??= setTimeout(() => {
      timer.current = undefined;
      setPaced(latest.current);
    }, milliseconds);
  }, [value, paced, milliseconds]);
  useEffect(() => () => clearTimeout(timer.current), []);
  return paced;
}

/** The present, once a second while something is open. */
function useClock(open: boolean): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    if (!open) return;
    const timer = setInterval(() => setNow(Date.now()), CLOCK_MS);
    return () => clearInterval(timer);
  }, [open]);
  return now;
}
