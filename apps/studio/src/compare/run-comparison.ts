import type { RunView, ScopeView } from '@cua-forge/spec/api/runs';
import { canonicalJson } from '@cua-forge/spec/canonical-json';
import type { NodeStatus, NodeView, Outcome } from '@cua-forge/spec/store-port';
import type { ValueRef } from '@cua-forge/spec/value';

/** A run as a comparison looks at it. */
export interface ComparedRun {
  view: RunView;
  scope: ScopeView;
}

/** What one node did in one of the runs. */
export interface NodeSide {
  view: NodeView | null;
  /** Newest execution. */
  outcome: Outcome | null;
  executions: number;
  milliseconds: number | null;
  tokens: number;
  usd: number | null;
}

export interface NodePair {
  id: string;
  title: string;
  kind: string;
  sides: [NodeSide | null, NodeSide | null];
  /** What is not the same; `version` when kind or version of the node changed. */
  differs: ('state' | 'params' | 'inputs' | 'outputs' | 'version')[];
}

/** Nodes of the main graph of two runs beside each other, in the order of the first document; then those of the second alone. */
export function comparedNodes(left: ComparedRun, right: ComparedRun): NodePair[] {
  const ids = [...new Set([left, right].flatMap(({ view }) => view.document.nodes.map(({ id }) => id)))];
  return ids.map((id) => {
    const nodes = [left, right].map(({ view }) => view.document.nodes.find((node) => node.id === id));
    const [a, b] = nodes;
    const known = a ?? b;
    const sides: NodePair['sides'] = [a && sideOf(left, id), b && sideOf(right, id)].map((side) => side ?? null) as [
      NodeSide | null,
      NodeSide | null,
    ];
    return {
      id,
      title: known?.title ?? id,
      kind: known?.kind ?? '',
      sides,
      differs: a === undefined || b === undefined ? [] : differences(sides, [a, b]),
    };
  });
}

function sideOf({ view, scope }: ComparedRun, id: string): NodeSide {
  const own = scope.outcomes.filter(({ key }) => key === id);
  const state = view.nodes.find(({ key }) => key === id) ?? null;
  const executed = own.filter(({ origin }) => origin === 'executed');
  return {
    view: state,
    outcome: own.at(-1) ?? null,
    executions: own.length,
    milliseconds: own.length === 0 ? null : sum(executed, ({ startedAt, endedAt }) => endedAt - startedAt),
    tokens: sum(own, ({ usage }) => usage.input + usage.output),
    usd: own.some(({ usd }) => usd === null) ? null : sum(own, ({ usd }) => usd ?? 0),
  };
}

type Versioned = { kind: string; version: number };

function differences([left, right]: NodePair['sides'], [a, b]: [Versioned, Versioned]): NodePair['differs'] {
  const differs: NodePair['differs'] = [];
  if (a.kind !== b.kind || a.version !== b.version) differs.push('version');
  const status = (side: NodeSide | null): NodeStatus | null => side?.view?.status ?? null;
  if (status(left) !== status(right)) differs.push('state');
  const [one, other] = [left?.outcome ?? null, right?.outcome ?? null];
  if (one === null || other === null) return differs;
  if (one.params !== other.params) differs.push('params');
  if (canonicalJson(hashes(one.inputs)) !== canonicalJson(hashes(other.inputs))) differs.push('inputs');
  if (canonicalJson(hashes(wrapped(one.outputs))) !== canonicalJson(hashes(wrapped(other.outputs))))
    differs.push('outputs');
  return differs;
}

const wrapped = (outputs: Record<string, ValueRef>): Record<string, ValueRef[]> =>
  Object.fromEntries(Object.entries(outputs).map(([port, ref]) => [port, [ref]]));
const hashes = (ports: Record<string, readonly ValueRef[]>) =>
  Object.fromEntries(
    Object.entries(ports).map(([port, refs]) => [port, refs.map(({ hash, index }) => `${hash}/${index ?? ''}`)]),
  );
const sum = <T>(list: readonly T[], of: (each: T) => number): number =>
  list.reduce((total, each) => total + of(each), 0);

export interface ParamChange {
  path: string;
  left: string;
  right: string;
}

const absent = '–';

/** Where two sets of params differ, by path (`model`, `columns[2].name`). */
export function paramChanges(left: unknown, right: unknown, path = ''): ParamChange[] {
  if (canonicalOf(left) === canonicalOf(right)) return [];
  const both = isTree(left) && isTree(right) && Array.isArray(left) === Array.isArray(right);
  if (!both) return [{ path: path === '' ? 'all' : path, left: textOf(left), right: textOf(right) }];
  const names = [...new Set([...Object.keys(left), ...Object.keys(right)])];
  return names.flatMap((name) => {
    const inner = Array.isArray(left) ? `${path}[${name}]` : path === '' ? name : `${path}.${name}`;
    return paramChanges(Reflect.get(left, name), Reflect.get(right, name), inner);
  });
}

const isTree = (value: unknown): value is object => typeof value === 'object' && value !== null;
const canonicalOf = (value: unknown): string => (value === undefined ? '' : canonicalJson(value));
const textOf = (value: unknown): string =>
  value === undefined ? absent : typeof value === 'string' ? value : JSON.stringify(value, null, 2);
