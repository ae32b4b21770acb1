import { type Finding, type Graph, type GraphNode, MAIN_GRAPH } from './document.ts';
import { checkEdge, type Fault, sourceFault } from './edge-check.ts';
import { cyclesOf, type Links, linksOf, reachable, splitEnd } from './graph-order.ts';
import type { KindIndex } from './kind-index.ts';
import { meant, nearest } from './nearest.ts';
import { own, type PortResolver } from './ports.ts';
import { checkParams } from './validate-params.ts';

/** Everything that is wrong within one graph. `effectful` says whether a node does something besides feeding others. */
export function checkGraph(
  name: string,
  graph: Graph,
  kinds: KindIndex,
  ports: PortResolver,
  effectful: (node: GraphNode) => boolean,
): Finding[] {
  const links = linksOf(graph);
  const errors = [
    ...inputFaults(name, graph),
    ...duplicateIds(graph),
    ...graph.nodes.flatMap((node) => nodeFaults(node, kinds)),
    ...edgeFaults(graph, ports),
    ...cycleFaults(links),
    ...repairFaults(graph, links, kinds),
    ...outputFaults(graph, ports),
  ];
  const warnings = [...outdated(graph, kinds), ...neverFed(graph, kinds), ...unused(graph, links, effectful)];
  return [
    ...errors.map((fault): Finding => ({ severity: 'error', graph: name, ...fault })),
    ...warnings.map((fault): Finding => ({ severity: 'warning', graph: name, ...fault })),
  ];
}

const jsTypes: Partial<Record<string, (value: unknown) => boolean>> = {
  text: (value) => typeof value === 'string',
  file: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number',
  boolean: (value) => typeof value === 'boolean',
  list: Array.isArray,
};

function inputFaults(name: string, graph: Graph): Fault[] {
  return Object.entries(graph.inputs).flatMap(([port, input]): Fault[] => {
    if (input.default === undefined) return [];
    if (input.type === 'file' && name !== MAIN_GRAPH) {
      return [
        {
          code: 'input.file-default',
          port,
          message: `Input "${port}" of graph "${name}" is a file with a default; only inputs of the top level may have one.`,
          fix: 'Move the default to an input of the top level and lead an edge from there.',
        },
      ];
    }
    if (jsTypes[input.type]?.(input.default) ?? true) return [];
    const wanted = input.type === 'file' ? 'the path of a file' : `of type ${input.type}`;
    return [
      {
        code: 'input.default-type',
        port,
        message: `The default of input "${port}" is not ${wanted}.`,
        fix: 'Correct the default or the type of the input.',
      },
    ];
  });
}

function duplicateIds(graph: Graph): Fault[] {
  const seen = new Set<string>();
  const twice = new Set<string>();
  for (const { id } of graph.nodes) (seen.has(id) ? twice : seen).add(id);
  return [...twice].map((id) => ({
    code: 'node.duplicate-id',
    node: id,
    message: `Several nodes have the id "${id}".`,
    fix: `Give each node an id of its own, for example "${freeId(id, seen)}".`,
  }));
}

function freeId(id: string, taken: ReadonlySet<string>): string {
  for (let number = 2; ; number += 1) if (!taken.has(`${id}-${number}`)) return `${id}-${number}`;
}

function nodeFaults(node: GraphNode, kinds: KindIndex): Fault[] {
  const newest = kinds.newest(node.kind);
  if (newest === undefined) {
    const fix = meantKind(node.kind, kinds.ids);
    return [
      {
        code: 'kind.unknown',
        node: node.id,
        message: `Node "${node.id}" is of kind ${node.kind}, which does not exist.`,
        fix,
      },
    ];
  }
  if (node.version > newest.version) {
    return [
      {
        code: 'kind.unknown-version',
        node: node.id,
        message: `Node "${node.id}" wants version ${node.version} of ${node.kind}; this build has up to ${newest.version}.`,
        fix: `Set version ${newest.version}, or run the document with the build it was made with.`,
      },
    ];
  }
  const exact = kinds.exact(node.kind, node.version);
  return exact === undefined ? [] : checkParams(node, exact);
}

/** The nearest kind; failing that, kinds of the same family or of the same verb. */
function meantKind(id: string, ids: readonly string[]): string {
  if (nearest(id, ids) !== undefined) return meant(id, ids);
  const [family, verb] = id.split('.');
  const related = ids.filter((other) => other.startsWith(`${family}.`) || other.endsWith(`.${verb}`));
  return meant(id, related.length > 0 ? related : ids);
}

function edgeFaults(graph: Graph, ports: PortResolver): Fault[] {
  const faults: Fault[] = [];
  const seen = new Set<string>();
  const feeders = new Map<string, string>();
  const fed = new Set<string>();
  for (const edge of graph.edges) {
    const name = `${edge.from} → ${edge.to}`;
    const to = splitEnd(edge.to);
    const at = { node: to.node ?? '$inputs', port: to.port };
    if (seen.has(name)) {
      faults.push({
        ...at,
        code: 'edge.duplicate',
        message: `The edge ${name} is there twice.`,
        fix: 'Remove one of them.',
      });
      continue;
    }
    seen.add(name);
    const check = checkEdge(graph, edge, ports);
    faults.push(...check.faults);
    if (check.feeds !== undefined) fed.add(check.feeds);
    const node = to.node === null ? undefined : ports.nodeOf(graph, to.node);
    const port = node && own(ports.portsOf(node).inputs, to.port);
    if (port === undefined || port.multiple) continue;
    const first = feeders.get(edge.to);
    if (first === undefined) feeders.set(edge.to, edge.from);
    else faults.push({ ...at, ...takenPort(edge.to, first, edge.from) });
  }
  return [...faults, ...missingInputs(graph, ports, fed)];
}

/** What is said of a second edge into a port that takes one. */
export function takenPort(to: string, first: string, second: string): Pick<Fault, 'code' | 'message' | 'fix'> {
  return {
    code: 'port.taken',
    message: `${to} takes one edge, but ${first} and ${second} both lead there.`,
    fix: 'Remove one of the edges, or join them with flow.merge.',
  };
}

function missingInputs(graph: Graph, ports: PortResolver, fed: ReadonlySet<string>): Fault[] {
  return graph.nodes.flatMap((node) => {
    if (ports.nodeOf(graph, node.id) !== node) return [];
    return Object.entries(ports.portsOf(node).inputs)
      .filter(([port, { required }]) => required && !fed.has(`${node.id}.${port}`))
      .map(([port, { type, doc }]) => ({
        code: 'port.missing',
        node: node.id,
        port,
        message: `Nothing feeds the required input "${port}" of node "${node.id}".`,
        fix: `Lead an edge of type ${type} to it.${doc === '' ? '' : ` ${doc}`}`,
      }));
  });
}

function cycleFaults(links: Links): Fault[] {
  return cyclesOf(links).map((cycle) => ({
    code: 'graph.cycle',
    node: cycle[0],
    message: `These nodes feed each other in a circle: ${[...cycle, cycle[0]].join(' → ')}.`,
    fix: 'Remove one of these edges; to do something again, use flow.repeat or a repair rule.',
  }));
}

function repairFaults(graph: Graph, links: Links, kinds: KindIndex): Fault[] {
  return graph.nodes.flatMap((node): Fault[] => {
    if (node.repair === undefined) return [];
    const { target } = node.repair;
    const kind = kinds.usable(node.kind, node.version);
    if (kind !== undefined && !kind.gate) {
      const message = `Node "${node.id}" (${node.kind}) has a repair rule, but only gates can ask for a repair.`;
      return [
        {
          code: 'repair.not-a-gate',
          node: node.id,
          message,
          fix: 'Remove the rule, or put it on a gate behind this node.',
        },
      ];
    }
    if (!links.before.has(target)) {
      const message = `The repair target "${target}" of gate "${node.id}" is not a node of the same graph.`;
      return [{ code: 'repair.unknown-target', node: node.id, message, fix: meant(target, links.nodes) }];
    }
    const ancestors = reachable(links.before.get(node.id) ?? [], links.before);
    if (ancestors.has(target) && target !== node.id) return [];
    const message = `The repair target "${target}" of gate "${node.id}" does not lead to the gate, so running it again would change nothing.`;
    return [
      { code: 'repair.not-ancestor', node: node.id, message, fix: 'Choose a node from which edges lead to the gate.' },
    ];
  });
}

function outputFaults(graph: Graph, ports: PortResolver): Fault[] {
  return Object.entries(graph.outputs).flatMap(([name, end]) => {
    const fault = sourceFault(graph, splitEnd(end), `The output "${name}"`, ports, 'output');
    return fault === undefined ? [] : [fault];
  });
}

function outdated(graph: Graph, kinds: KindIndex): Fault[] {
  return graph.nodes.flatMap((node): Fault[] => {
    const newest = kinds.newest(node.kind);
    if (newest === undefined || node.version >= newest.version) return [];
    const message = `Node "${node.id}" uses version ${node.version} of ${node.kind}; the newest is ${newest.version}.`;
    const fix = `Set version ${newest.version} and check the params; until then they are converted at every run.`;
    return [{ code: 'kind.outdated', node: node.id, message, fix }];
  });
}

function neverFed(graph: Graph, kinds: KindIndex): Fault[] {
  const fed = new Set(graph.edges.map((edge) => splitEnd(edge.to).node));
  return graph.nodes.flatMap((node): Fault[] => {
    if (fed.has(node.id) || kinds.usable(node.kind, node.version)?.flow !== 'merge') return [];
    const message = `Nothing leads to node "${node.id}", so it never has a value to pass on.`;
    return [{ code: 'node.never-fed', node: node.id, message, fix: 'Lead an edge to it or remove it.' }];
  });
}

function unused(graph: Graph, links: Links, effectful: (node: GraphNode) => boolean): Fault[] {
  const wanted = Object.values(graph.outputs).flatMap((end) => splitEnd(end).node ?? []);
  const acting = graph.nodes.filter(effectful).map((node) => node.id);
  const useful = reachable([...wanted, ...acting], links.before);
  return graph.nodes.flatMap((node): Fault[] => {
    if (useful.has(node.id)) return [];
    const message = `Nothing uses node "${node.id}": no output, gate, package or effect depends on it.`;
    return [{ code: 'node.unused', node: node.id, message, fix: 'Lead one of its outputs somewhere, or remove it.' }];
  });
}
