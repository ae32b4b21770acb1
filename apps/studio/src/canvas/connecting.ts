import { mayConnect } from '@cua-forge/spec/connect';
import { type GraphDocument, PortName } from '@cua-forge/spec/document';
import type { KindMeta } from '@cua-forge/spec/kind';
import { accepts } from '@cua-forge/spec/port-type';
import { ERROR_PORT, PortResolver } from '@cua-forge/spec/ports';
import { type Command, graphOf } from '../document/command.ts';
import { INPUTS_NODE, OUTPUTS_NODE, parseEnd } from '../document/edge-end.ts';
import { connect, disconnect, freshId } from '../document/edits.ts';
import { cardOf, NEW_OUTPUT } from './graph-model.ts';

export type Verdict = { ok: true } | { ok: false; reason: string };

/** Whether the wire may be drawn, to the outputs card too; the reason is a sentence for people. */
export function mayWire(
  document: GraphDocument,
  graph: string,
  from: string,
  to: string,
  kinds: readonly KindMeta[],
): Verdict {
  const target = parseEnd(to);
  if (target.node !== OUTPUTS_NODE) return mayConnect(document, graph, from, to, kinds);
  if (parseEnd(from).node === INPUTS_NODE && target.port === NEW_OUTPUT) return { ok: true };
  return graphOf(document, graph).outputs[target.port] === from
    ? { ok: false, reason: 'This output shows that value already.' }
    : { ok: true };
}

/** The command that draws the wire: an edge, or an output of the graph. */
export function wire(document: GraphDocument, graph: string, from: string, to: string): Command {
  const target = parseEnd(to);
  if (target.node !== OUTPUTS_NODE) return connect(document, graph, from, to);
  if (target.port !== NEW_OUTPUT) return { type: 'set-output', graph, name: target.port, end: from };
  const taken = new Set(Object.keys(graphOf(document, graph).outputs));
  const source = parseEnd(from);
  const wish = taken.has(source.port)
    ? `${source.node === INPUTS_NODE ? 'input' : source.node}-${source.port}`
    : source.port;
  const name = PortName.safeParse(wish).success && !taken.has(wish) ? wish : freshId(wish, taken);
  return { type: 'set-output', graph, name, end: from };
}

export function unwire(document: GraphDocument, graph: string, wires: Iterable<{ from: string; to: string }>): Command {
  const edges: { from: string; to: string }[] = [];
  const commands: Command[] = [];
  for (const each of wires) {
    const target = parseEnd(each.to);
    if (target.node === OUTPUTS_NODE) commands.push({ type: 'set-output', graph, name: target.port, end: undefined });
    else edges.push(each);
  }
  return { type: 'batch', commands: [disconnect(document, graph, edges), ...commands] };
}

export interface Candidate {
  end: string;
  title: string;
  port: string;
  type: string;
}

/** Every input port that a wire from `from` may go to, in the order of the document. */
export function targetsOf(
  document: GraphDocument,
  graphName: string,
  from: string,
  kinds: readonly KindMeta[],
): Candidate[] {
  const resolver = new PortResolver(document, kinds);
  const graph = graphOf(document, graphName);
  const source = resolver.source(graph, from);
  const candidates: Candidate[] = [];
  for (const node of graph.nodes) {
    for (const port of cardOf(node, document, kinds, resolver).inputs) {
      if (source !== undefined && !accepts(port.type, source.type)) continue;
      const end = `${node.id}.${port.name}`;
      if (mayConnect(document, graphName, from, end, kinds).ok)
        candidates.push({ end, title: node.title ?? node.id, port: port.name, type: port.type });
    }
  }
  return [
    ...candidates,
    {
      end: `${OUTPUTS_NODE}.${NEW_OUTPUT}`,
      title: 'Outputs of the graph',
      port: 'new output',
      type: source?.type ?? 'any',
    },
  ];
}

/** Output ports that a wire may start from. */
export function sourcesOf(
  document: GraphDocument,
  graphName: string,
  nodeId: string,
  kinds: readonly KindMeta[],
): { name: string; type: string }[] {
  const graph = graphOf(document, graphName);
  if (nodeId === INPUTS_NODE) return Object.entries(graph.inputs).map(([name, input]) => ({ name, type: input.type }));
  const node = graph.nodes.find((each) => each.id === nodeId);
  if (node === undefined) return [];
  const card = cardOf(node, document, kinds, new PortResolver(document, kinds));
  return [...card.outputs.map(({ name, type }) => ({ name, type })), { name: ERROR_PORT, type: 'error' }];
}
