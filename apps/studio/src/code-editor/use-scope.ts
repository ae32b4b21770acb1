import type { RunView } from '@cua-forge/spec/api/runs';
import type { GraphEdge, GraphNode } from '@cua-forge/spec/document';
import type { Json } from '@cua-forge/spec/json';
import { PortResolver } from '@cua-forge/spec/ports';
import type { ValueRef } from '@cua-forge/spec/value';
import { useEffect, useMemo, useState } from 'react';
import { readValue } from '../api/files-api.ts';
import { runsApi } from '../api/runs-api.ts';
import { useServer } from '../api/server-store.ts';
import { cardOf, type Port } from '../canvas/graph-model.ts';
import { useCrumb } from '../canvas/view-store.ts';
import { graphOf } from '../document/command.ts';
import { useDocument } from '../document/document-store.ts';
import { INPUTS_NODE, parseEnd } from '../document/edge-end.ts';
import { useRun } from '../run/run-store.ts';
import type { Scope, ScopeEntry } from './completions.ts';

/** Kinds whose expressions see the value of one port itself, not an object of all ports. */
const rootPorts: Readonly<Record<string, string>> = { 'flow.branch': 'value', 'data.unique': 'value' };

/** Larger values are not fetched for a preview. */
const MOST_BYTES = 2_000_000;

/** What the expressions of a node see: its input ports, with the values that the run at hand gave them. */
export function useScope(node: GraphNode): Scope {
  const { graph: graphName, prefix } = useCrumb();
  const document = useDocument((state) => state.document);
  const kinds = useServer((state) => state.kinds);
  const view = useRun((state) => state.view);
  const graph = graphOf(document, graphName);
  const inputs = useMemo(
    () => cardOf(node, document, kinds, new PortResolver(document, kinds)).inputs,
    [node, document, kinds],
  );
  const feeds = useMemo(() => graph.edges.filter((edge) => parseEnd(edge.to).node === node.id), [graph.edges, node.id]);
  const key = feeds.map(({ from, to }) => `${from}>${to}`).join(' ');
  const [values, setValues] = useState<ReadonlyMap<string, Json>>(new Map());
  const settled = view === null ? '' : `${view.run.id}/${view.run.state}/${view.nodes.length}`;
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked anew when other edges or another state of the run are there
  useEffect(() => {
    let gone = false;
    setValues(new Map());
    if (view === null || prefix === null || view.document.id !== document.id) return;
    void valuesOf(view, prefix, feeds).then((found) => {
      if (!gone) setValues(found);
    });
    return () => {
      gone = true;
    };
  }, [settled, prefix, key]);
  return useMemo(() => scopeOf(node.kind, inputs, feeds, values), [node.kind, inputs, feeds, values]);
}

/** Values by the end that an edge starts from. What cannot be had, or is hidden, is left out. */
async function valuesOf(view: RunView, prefix: string, feeds: readonly GraphEdge[]): Promise<Map<string, Json>> {
  const found = new Map<string, Json>();
  await Promise.all(
    [...new Set(feeds.map(({ from }) => from))].map(async (from) => {
      try {
        const ref = await refOf(view, prefix, from);
        if (ref !== undefined && ref.hidden !== true && ref.size <= MOST_BYTES) found.set(from, await readValue(ref));
      } catch {
        // Without it the name is offered all the same; the preview says that a value is missing.
      }
    }),
  );
  return found;
}

async function refOf(view: RunView, prefix: string, from: string): Promise<ValueRef | undefined> {
  const { node, port } = parseEnd(from);
  if (node === INPUTS_NODE) return prefix === '' ? view.run.inputs[port] : undefined;
  const { outcomes } = await runsApi.node(view.run.id, { key: prefix + node });
  return outcomes.find((outcome) => outcome.status === 'succeeded')?.outputs[port];
}

export function scopeOf(
  kind: string,
  inputs: readonly Port[],
  feeds: readonly GraphEdge[],
  values: ReadonlyMap<string, Json>,
): Scope {
  const entries: Record<string, ScopeEntry> = {};
  for (const port of inputs) {
    const sources = feeds.filter((edge) => parseEnd(edge.to).port === port.name).map(({ from }) => from);
    const known = sources.map((from) => values.get(from)).filter((value) => value !== undefined);
    const whole = known.length === sources.length && sources.length > 0;
    const value = !whole ? undefined : port.multiple ? known : known[0];
    entries[port.name] = { type: port.type, from: sources.join(', '), ...(value === undefined ? {} : { value }) };
  }
  const root = rootPorts[kind];
  return { entries, root: root !== undefined && root in entries ? root : null };
}

/** What the expression is evaluated over; null while a port that is fed has no value. */
export function inputOf(scope: Scope): Json | null {
  const fed = Object.entries(scope.entries).filter(([, entry]) => entry.from !== '');
  if (fed.some(([, entry]) => entry.value === undefined)) return null;
  if (scope.root !== null) return scope.entries[scope.root]?.value ?? null;
  return Object.fromEntries(fed.map(([name, entry]) => [name, entry.value ?? null]));
}
