import { type Finding, type Graph, type GraphDocument, MAIN_GRAPH } from './document.ts';
import type { KindIndex } from './kind-index.ts';
import { meant } from './nearest.ts';
import { bodyName, graphOf, own } from './ports.ts';

/** Names of all graphs of a document, the top level first. */
export function graphNames(document: GraphDocument): string[] {
  return [MAIN_GRAPH, ...Object.keys(document.graphs)];
}

/** Checks what graphs demand of each other: references, recursion, the ports that bodies need, and graphs nobody uses. */
export function checkReferences(document: GraphDocument, kinds: KindIndex): Finding[] {
  const findings: Finding[] = [];
  const names = Object.keys(document.graphs);
  const calls = new Map<string, Set<string>>();
  for (const graph of graphNames(document)) {
    const called = new Set<string>();
    calls.set(graph, called);
    for (const node of graphOf(document, graph)?.nodes ?? []) {
      const kind = kinds.usable(node.kind, node.version);
      const name = kind && bodyName(node, kind);
      if (kind === undefined || name === undefined) continue;
      const at = { severity: 'error', graph, node: node.id, param: 'graph' } as const;
      const body = own(document.graphs, name);
      if (body === undefined) {
        const message = `Node "${node.id}" runs graph "${name}", which does not exist.`;
        const fix = names.length === 0 ? `Add a graph "${name}" under "graphs".` : meant(name, names);
        findings.push({ ...at, code: 'graph.unknown', message, fix });
        continue;
      }
      called.add(name);
      findings.push(...bodyFaults(kind.flow ?? '', name, body).map((fault) => ({ ...at, ...fault })));
    }
  }
  findings.push(...recursion(calls));
  const used = callees(calls, MAIN_GRAPH);
  for (const name of names) {
    if (used.has(name)) continue;
    findings.push({
      code: 'graph.unused',
      severity: 'warning',
      graph: name,
      message: `Graph "${name}" is never run.`,
      fix: 'Run it from a flow.subgraph, flow.map or flow.repeat node, or remove it.',
    });
  }
  return findings;
}

function bodyFaults(flow: string, name: string, body: Graph): Pick<Finding, 'code' | 'message' | 'fix' | 'port'>[] {
  const wantsInput = flow === 'map' ? 'item' : flow === 'repeat' ? 'value' : undefined;
  const faults: Pick<Finding, 'code' | 'message' | 'fix' | 'port'>[] = [];
  if (wantsInput !== undefined && own(body.inputs, wantsInput) === undefined) {
    faults.push({
      code: `${flow}.body-input`,
      port: wantsInput,
      message: `Graph "${name}" is the body of a flow.${flow}, but has no input "${wantsInput}".`,
      fix: `Give graph "${name}" an input "${wantsInput}".`,
    });
  }
  if (flow !== 'repeat') return faults;
  if (own(body.outputs, 'value') === undefined) {
    faults.push({
      code: 'repeat.body-output',
      port: 'value',
      message: `Graph "${name}" is the body of a flow.repeat, but has no output "value".`,
      fix: `Give graph "${name}" an output "value": the next round starts from it.`,
    });
  }
  for (const [port, input] of Object.entries(body.inputs)) {
    if (port === 'value' || input.default !== undefined) continue;
    faults.push({
      code: 'repeat.body-extra-input',
      port,
      message: `Graph "${name}" is the body of a flow.repeat, but nothing can feed its input "${port}".`,
      fix: 'Give the input a default, or carry what it needs in "value".',
    });
  }
  return faults;
}

function recursion(calls: ReadonlyMap<string, ReadonlySet<string>>): Finding[] {
  const findings: Finding[] = [];
  const reported = new Set<string>();
  for (const name of calls.keys()) {
    if (reported.has(name)) continue;
    const cycle = pathBack(name, calls);
    if (cycle === undefined) continue;
    for (const member of cycle) reported.add(member);
    findings.push({
      code: 'graph.recursive',
      severity: 'error',
      graph: name,
      message: `Graph "${name}" contains itself: ${[...cycle, name].join(' → ')}.`,
      fix: 'Break the circle; to do something several times, use flow.repeat or flow.map.',
    });
  }
  return findings;
}

/** Shortest way from a graph back to itself, starting with it. */
function pathBack(name: string, calls: ReadonlyMap<string, ReadonlySet<string>>): string[] | undefined {
  const paths: string[][] = [[name]];
  const seen = new Set<string>();
  for (let path = paths.shift(); path !== undefined; path = paths.shift()) {
    for (const next of calls.get(path.at(-1) ?? name) ?? []) {
      if (next === name) return path;
      if (seen.has(next)) continue;
      seen.add(next);
      paths.push([...path, next]);
    }
  }
  return undefined;
}

function callees(calls: ReadonlyMap<string, ReadonlySet<string>>, from: string): Set<string> {
  const seen = new Set([from]);
  for (const name of seen) for (const next of calls.get(name) ?? []) seen.add(next);
  return seen;
}
