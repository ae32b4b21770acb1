import { canonicalJson } from './canonical-json.ts';
import { opOf } from './compile-op.ts';
import { regionsOf } from './compile-regions.ts';
import { type Finding, type Graph, type GraphDocument, type GraphNode, MAIN_GRAPH } from './document.ts';
import { ForgeError } from './errors.ts';
import { linksOf, splitEnd, topologicalOrder } from './graph-order.ts';
import type { KindMeta } from './kind.ts';
import { type KindIndex, kindIndex } from './kind-index.ts';
import type { Plan, PlanInput, PlanNode, Scope, Source } from './plan.ts';
import { bodyName, ERROR_PORT, graphOf, PortResolver } from './ports.ts';
import { validateDocument } from './validate-document.ts';
import type { ValueRef } from './value.ts';

export interface Compiled {
  plan: Plan;
  /** What the plan refers to by hash, as canonical JSON, each once: params of nodes and defaults of inputs. To be stored before the plan runs. */
  params: { hash: string; json: string }[];
}

/**
 * Checks a document and freezes it into a plan. `hash` is SHA-256 of UTF-8 text in lower-case hexadecimal.
 * Equal documents (layout aside) give equal plans. Input ports that nothing feeds are left out of a plan node; the others, and
 * the inputs of a scope, stand in alphabetical order, so that the order does not hang on how a document was written.
 * @throws ForgeError `document.invalid` when validation finds an error
 */
export function compile(document: GraphDocument, kinds: readonly KindMeta[], hash: (text: string) => string): Compiled {
  refuse(validateDocument(document, kinds), document);
  const stored = new Map<string, string>();
  const store = (value: unknown): ValueRef => {
    const json = canonicalJson(value);
    const key = hash(json);
    stored.set(key, json);
    return { hash: key, size: new TextEncoder().encode(json).byteLength };
  };
  const lowering: Lowering = { document, kinds: kindIndex(kinds), ports: new PortResolver(document, kinds), store };
  const scopes: Record<string, Scope> = {};
  const open = [MAIN_GRAPH];
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    const graph = graphOf(document, name);
    if (graph === undefined || Object.hasOwn(scopes, name)) continue;
    scopes[name] = scopeOf(name, graph, lowering);
    for (const node of graph.nodes) {
      const body = bodyName(node, kindOf(node, lowering.kinds));
      if (body !== undefined) open.push(body);
    }
  }
  const { id, title, skill = '' } = document;
  return {
    plan: { format: 1, document: { id, title, hash: documentHash(document, hash), skill }, root: MAIN_GRAPH, scopes },
    params: [...stored].map(([key, json]) => ({ hash: key, json })),
  };
}

/** Hash of what a document means: of everything but its layout and annotations. */
export function documentHash(document: GraphDocument, hash: (text: string) => string): string {
  const { layout: _, annotations: _a, ...meaning } = document;
  return hash(canonicalJson(meaning));
}

interface Lowering {
  document: GraphDocument;
  kinds: KindIndex;
  ports: PortResolver;
  store: (value: unknown) => ValueRef;
}

function refuse(findings: Finding[], document: GraphDocument): void {
  const errors = findings.filter((finding) => finding.severity === 'error');
  const [first] = errors;
  if (first === undefined) return;
  const count = errors.length === 1 ? '1 error' : `${errors.length} errors`;
  const more = errors.length === 1 ? '' : ` (and ${errors.length - 1} more)`;
  throw new ForgeError('document.invalid', `Document "${document.id}" has ${count}: ${first.message}${more}`, {
    fix: errors.length === 1 ? first.fix : `${first.fix} Validate the document to see the others.`,
    place: {
      ...(first.node === undefined ? {} : { node: first.node }),
      ...(first.port === undefined ? {} : { port: first.port }),
    },
  });
}

function scopeOf(name: string, graph: Graph, lowering: Lowering): Scope {
  const byId = new Map(graph.nodes.map((node) => [node.id, node]));
  const nodes = topologicalOrder(linksOf(graph)).flatMap((id) => byId.get(id) ?? []);
  const cheap = nodes.filter((node) => {
    const kind = kindOf(node, lowering.kinds);
    return kind.policy.cheap && kind.flow === undefined;
  });
  const regions = regionsOf(
    cheap.map((node) => node.id),
    graph.edges,
  );
  const sources = sourcesByPort(graph);
  const ends = [...graph.edges.map((edge) => edge.from), ...Object.values(graph.outputs)].map(splitEnd);
  const handled = new Set(ends.flatMap((end) => (end.port === ERROR_PORT && end.node !== null ? [end.node] : [])));
  const defaults = Object.entries(graph.inputs).flatMap(([port, input]): [string, ValueRef][] =>
    input.default === undefined || input.type === 'file' ? [] : [[port, lowering.store(input.default)]],
  );
  return {
    id: name,
    inputs: Object.keys(graph.inputs).sort(),
    ...(defaults.length === 0 ? {} : { defaults: Object.fromEntries(defaults) }),
    nodes: nodes.map((node) =>
      planNode(node, lowering, {
        sources,
        region: regions.get(node.id) ?? null,
        handlesError: handled.has(node.id),
      }),
    ),
    outputs: Object.fromEntries(Object.entries(graph.outputs).map(([port, end]) => [port, splitEnd(end)])),
  };
}

/** `node.port` → what feeds it, in the order of the document's edges. */
function sourcesByPort(graph: Graph): Map<string, Source[]> {
  const sources = new Map<string, Source[]>();
  for (const edge of graph.edges) {
    const into = sources.get(edge.to) ?? [];
    into.push(splitEnd(edge.from));
    sources.set(edge.to, into);
  }
  return sources;
}

interface Surroundings {
  sources: Map<string, Source[]>;
  region: number | null;
  handlesError: boolean;
}

function planNode(node: GraphNode, lowering: Lowering, around: Surroundings): PlanNode {
  const kind = kindOf(node, lowering.kinds);
  const inputs: Record<string, PlanInput> = {};
  const ports = Object.entries(lowering.ports.portsOf(node).inputs).sort(([a], [b]) => (a < b ? -1 : 1));
  for (const [port, { required, multiple }] of ports) {
    const sources = around.sources.get(`${node.id}.${port}`);
    if (sources !== undefined) inputs[port] = { sources, required, multiple };
  }
  const { queue, timeoutMs, heartbeatMs, attempts, backoffMs } = kind.policy;
  return {
    id: node.id,
    kind: node.kind,
    version: node.version,
    title: node.title ?? kind.title,
    params: lowering.store(node.params).hash,
    inputs,
    op: opOf(node, kind),
    policy: {
      queue,
      timeoutMs: node.policy?.timeoutMs ?? timeoutMs,
      heartbeatMs,
      attempts: node.policy?.attempts ?? attempts,
      backoffMs,
    },
    region: around.region,
    gate: kind.gate,
    repair: node.repair ?? null,
    handlesError: around.handlesError,
  };
}

function kindOf(node: GraphNode, kinds: KindIndex): KindMeta {
  const kind = kinds.usable(node.kind, node.version);
  if (kind === undefined) {
    throw new ForgeError(
      'kind.unknown',
      `Node "${node.id}" is of kind ${node.kind} version ${node.version}, which is not known.`,
      {
        fix: 'Choose a kind that this build has.',
        place: { node: node.id },
      },
    );
  }
  return kind;
}
