import type { NodeView, Outcome } from '@cua-forge/spec/store-port';

export interface TimelineNode {
  id: string;
  key: string;
  title: string;
}

/** One execution of a node, in epoch milliseconds. */
export interface Span {
  token: number;
  round: number;
  attempt: number;
  from: number;
  to: number;
  state: 'running' | 'succeeded' | 'failed' | 'cached';
}

export interface TimelineRow extends TimelineNode {
  /** When everything that it takes was there; null for what was never run. */
  ready: number | null;
  spans: Span[];
  critical: boolean;
}

export interface Timeline {
  /** In the order they began; those that never did are left out. */
  rows: TimelineRow[];
  from: number;
  to: number;
  /** The chain of nodes that decided how long it took, first to last, and what they did with that time. */
  critical: { keys: string[]; running: number; waiting: number };
}

interface TimelineInput {
  nodes: readonly TimelineNode[];
  /** Ids: what the second takes comes from the first. */
  edges: readonly (readonly [string, string])[];
  outcomes: readonly Outcome[];
  views: ReadonlyMap<string, NodeView>;
  startedAt: number;
  now: number;
}

/** When each node of one graph of a run waited and worked, and which of them the run had to wait for. */
export function timelineOf({ nodes, edges, outcomes, views, startedAt, now }: TimelineInput): Timeline {
  const executions = new Map<string, Outcome[]>();
  for (const outcome of outcomes) executions.set(outcome.key, [...(executions.get(outcome.key) ?? []), outcome]);
  const sources = new Map<string, string[]>();
  for (const [from, to] of edges) sources.set(to, [...(sources.get(to) ?? []), from]);
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const rows = new Map<string, TimelineRow>();

  const rowOf = (node: TimelineNode, above: ReadonlySet<string>): TimelineRow => {
    const known = rows.get(node.id);
    if (known !== undefined) return known;
    const within = new Set([...above, node.id]);
    const before = (sources.get(node.id) ?? []).flatMap((id) => {
      const source = byId.get(id);
      return source === undefined || within.has(id) ? [] : [rowOf(source, within)];
    });
    // A source that was skipped was settled when what it hung on was.
    const ready = Math.max(startedAt, ...before.flatMap(({ spans }) => spans[0]?.to ?? []));
    const spans = spansOf(executions.get(node.key) ?? [], views.get(node.key), ready, now);
    const row = { ...node, ready: spans.length === 0 ? null : ready, spans, critical: false };
    rows.set(node.id, row);
    return row;
  };
  for (const node of nodes) rowOf(node, new Set());
  const begun = [...rows.values()].filter(({ spans }) => spans.length > 0);
  const critical = criticalPath(begun, sources);
  for (const row of critical) row.critical = true;
  begun.sort((a, b) => startOf(a) - startOf(b) || endOf(a) - endOf(b));
  return {
    rows: begun,
    from: Math.min(startedAt, ...begun.map(startOf)),
    to: Math.max(startedAt + 1, ...begun.map(endOf)),
    critical: {
      keys: critical.map(({ key }) => key),
      running: sum(critical, ({ spans }) => sum(spans, ({ from, to }) => to - from)),
      waiting: sum(critical, waited),
    },
  };
}

/** Milliseconds between being ready and the first execution. */
export const waited = ({ ready, spans }: TimelineRow): number =>
  ready === null ? 0 : Math.max(0, (spans[0]?.from ?? ready) - ready);

export const worked = ({ spans }: TimelineRow): number => sum(spans, ({ from, to }) => to - from);

function spansOf(outcomes: readonly Outcome[], view: NodeView | undefined, ready: number, now: number): Span[] {
  const spans = outcomes
    .map(({ token, round, attempt, startedAt, endedAt, status, origin }): Span => {
      const state = status === 'failed' ? 'failed' : origin === 'memo' || origin === 'reused' ? 'cached' : 'succeeded';
      return { token, round, attempt, from: startedAt, to: Math.max(startedAt, endedAt), state };
    })
    .sort((a, b) => a.from - b.from || a.token - b.token);
  if (view === undefined) return spans;
  const { token, round, attempt } = view;
  const last = spans.at(-1);
  const open = view.status === 'running' || view.status === 'awaiting';
  if (open) {
    const from = Math.max(last?.to ?? ready, Math.min(view.at, now));
    spans.push({ token, round, attempt, from, to: Math.max(from, now), state: 'running' });
  } else if (spans.length === 0 && (view.status === 'succeeded' || view.status === 'failed')) {
    // A composite whose insides did the work.
    spans.push({ token, round, attempt, from: ready, to: Math.max(ready, view.at), state: view.status });
  }
  return spans;
}

/** From what ended last, back over the source that each had to wait for longest. */
function criticalPath(rows: readonly TimelineRow[], sources: ReadonlyMap<string, readonly string[]>): TimelineRow[] {
  const byId = new Map(rows.map((row) => [row.id, row]));
  const latest = (candidates: readonly TimelineRow[]): TimelineRow | undefined =>
    candidates.reduce<TimelineRow | undefined>(
      (best, row) => (best === undefined || endOf(row) > endOf(best) ? row : best),
      undefined,
    );
  const path: TimelineRow[] = [];
  const seen = new Set<string>();
  for (let row = latest(rows); row !== undefined && !seen.has(row.id); ) {
    path.unshift(row);
    seen.add(row.id);
    const before: TimelineRow[] = (sources.get(row.id) ?? []).flatMap((id) => byId.get(id) ?? []);
    row = latest(before);
  }
  return path;
}

const startOf = ({ spans }: TimelineRow): number => spans[0]?.from ?? 0;
const endOf = ({ spans }: TimelineRow): number => Math.max(0, ...spans.map(({ to }) => to));
const sum = <T>(list: readonly T[], of: (each: T) => number): number =>
  list.reduce((total, each) => total + of(each), 0);

/** Round steps, at most so many, that cover a length in milliseconds. */
export function ticksOf(length: number, most: number): number[] {
  const steps = [
    1, 2, 5, 10, 20, 50, 100, 200, 500, 1e3, 2e3, 5e3, 1e4, 15e3, 3e4, 6e4, 12e4, 3e5, 6e5, 18e5, 36e5, 72e5, 216e5,
    864e5,
  ];
  const step = steps.find((each) => length / each <= most) ?? Math.ceil(length / most / 864e5) * 864e5;
  return Array.from({ length: Math.floor(length / step) + 1 }, (_, index) => index * step);
}
