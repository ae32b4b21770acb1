import type { Finding, Graph, GraphEdge } from './document.ts';
import { type End, splitEnd } from './graph-order.ts';
import { meant, nearest } from './nearest.ts';
import { accepts } from './port-type.ts';
import { own, type PortResolver } from './ports.ts';

/** What is wrong, before it is known in which graph and how grave it is. */
export type Fault = Omit<Finding, 'severity' | 'graph'>;

export interface EdgeCheck {
  faults: Fault[];
  /** Input port (`node.port`) that the edge feeds or was meant to feed. */
  feeds: string | undefined;
}

/** Looks at one edge by itself: whether both ends exist, and whether their types fit. */
export function checkEdge(graph: Graph, edge: GraphEdge, ports: PortResolver): EdgeCheck {
  const from = splitEnd(edge.from);
  const to = splitEnd(edge.to);
  const name = `The edge ${edge.from} → ${edge.to}`;
  if (to.node === null) {
    const fault: Fault = {
      code: 'edge.into-inputs',
      message: `${name} leads into $inputs, which only edges from the outside feed.`,
      fix: 'Turn the edge round, or lead it to a node.',
      port: to.port,
    };
    return { faults: [fault], feeds: undefined };
  }
  if (from.node === to.node) {
    const fault: Fault = {
      code: 'edge.self-loop',
      message: `${name} leads from a node to itself.`,
      fix: 'Remove the edge; to do something again, use flow.repeat or a repair rule.',
      node: to.node,
      port: to.port,
    };
    return { faults: [fault], feeds: edge.to };
  }
  const start = sourceFault(graph, from, name, ports);
  const target = checkTarget(graph, { node: to.node, port: to.port }, name, ports);
  const faults = [...(start === undefined ? [] : [start]), ...(target.fault === undefined ? [] : [target.fault])];
  if (faults.length === 0) {
    const mismatch = typeFault(graph, edge, name, ports);
    if (mismatch !== undefined) faults.push(mismatch);
  }
  return { faults, feeds: `${to.node}.${target.meant}` };
}

/** Why nothing starts at this end; `name` says whose end it is. Undefined when all is well or it cannot be known. */
export function sourceFault(
  graph: Graph,
  from: End,
  name: string,
  ports: PortResolver,
  family: 'edge' | 'output' = 'edge',
): Fault | undefined {
  if (from.node === null) {
    if (own(graph.inputs, from.port) !== undefined) return undefined;
    return {
      code: `${family}.unknown-input`,
      message: `${name} starts from $inputs.${from.port}, but the graph has no input "${from.port}".`,
      fix: meant(from.port, Object.keys(graph.inputs)),
      port: from.port,
    };
  }
  const node = ports.nodeOf(graph, from.node);
  if (node === undefined) return unknownNode(graph, from.node, name, 'starts from', family);
  const { outputs, complete } = ports.portsOf(node);
  if (!complete || own(outputs, from.port) !== undefined) return undefined;
  return {
    code: `${family}.unknown-port`,
    message: `${name} starts from port "${from.port}", but node "${node.id}" (${node.kind}) has no such output.`,
    fix: meant(from.port, Object.keys(outputs)),
    node: node.id,
    port: from.port,
  };
}

function checkTarget(
  graph: Graph,
  to: { node: string; port: string },
  name: string,
  ports: PortResolver,
): { fault?: Fault; meant: string } {
  const node = ports.nodeOf(graph, to.node);
  if (node === undefined) return { fault: unknownNode(graph, to.node, name, 'leads to', 'edge'), meant: to.port };
  const { inputs, complete } = ports.portsOf(node);
  if (!complete || own(inputs, to.port) !== undefined) return { meant: to.port };
  const names = Object.keys(inputs);
  const fault: Fault = {
    code: 'edge.unknown-port',
    message: `${name} leads to port "${to.port}", but node "${node.id}" (${node.kind}) has no such input.`,
    fix: meant(to.port, names),
    node: node.id,
    port: to.port,
  };
  return { fault, meant: nearest(to.port, names) ?? to.port };
}

function unknownNode(graph: Graph, id: string, name: string, verb: string, family: 'edge' | 'output'): Fault {
  const ids = graph.nodes.map((node) => node.id);
  return {
    code: `${family}.unknown-node`,
    message: `${name} ${verb} node "${id}", which does not exist.`,
    fix: nearest(id, ids) === undefined ? `Add the node or remove the ${family}.` : meant(id, ids),
    node: id,
  };
}

function typeFault(graph: Graph, edge: GraphEdge, name: string, ports: PortResolver): Fault | undefined {
  const to = splitEnd(edge.to);
  const node = to.node === null ? undefined : ports.nodeOf(graph, to.node);
  const target = node && own(ports.portsOf(node).inputs, to.port);
  const source = ports.source(graph, edge.from);
  if (node === undefined || target === undefined || source === undefined) return undefined;
  if (accepts(target.type, source.type)) return undefined;
  return {
    code: 'edge.type',
    message: `${name} brings ${source.type}, but port "${to.port}" takes ${target.type}.`,
    fix: `Feed the port from an output of type ${target.type}, or turn the value into one with data.transform.`,
    node: node.id,
    port: to.port,
  };
}
