import { isMap, isSeq, type Scalar, visit, Document as YamlDocument } from 'yaml';
import type { z } from 'zod';
import {
  DOCUMENT_FORMAT,
  type Finding,
  type Graph,
  GraphDocument,
  type GraphInput,
  type GraphNode,
  MAIN_GRAPH,
} from './document.ts';
import { type DocumentMigration, documentMigrations, migrateDocument } from './document-migrations.ts';
import { type DocumentSource, type Path, readSource } from './document-source.ts';
import { ForgeError } from './errors.ts';
import { JsonObject } from './json.ts';

export interface ParseOptions {
  /** Name of the file: its ending tells YAML from JSON. */
  file?: string;
  /** The text as `readSource` has read it already. */
  source?: DocumentSource;
  /** Newest format to read; the build's own, but for tests. */
  format?: number;
  migrations?: readonly DocumentMigration[];
}

export interface ParsedDocument {
  /** Null when the text is not a document; the findings then say why. */
  document: GraphDocument | null;
  findings: Finding[];
}

/** Reads a document from YAML or JSON. Says all that is wrong with its form at once; what it means is checked by `validateDocument`. */
export function parseDocument(text: string, options: ParseOptions = {}): ParsedDocument {
  const source = options.source ?? readSource(text, options.file);
  if (source.findings.length > 0) return { document: null, findings: source.findings };
  try {
    return parseSource(source, options);
  } catch (thrown) {
    if (!(thrown instanceof RangeError)) throw thrown;
    return refused('document.too-deep', 'The document is nested too deeply to be read.', 'Flatten it.');
  }
}

function parseSource(source: DocumentSource, options: ParseOptions): ParsedDocument {
  const newest = options.format ?? DOCUMENT_FORMAT;
  const raw = JsonObject.safeParse(source.value);
  if (!raw.success) {
    const path = isMapping(source.value) ? (pathToOdd(source.value) ?? []) : [];
    if (path.length === 0)
      return refused('document.empty', 'The text holds no document.', 'Start with `forge: 1`, `id:` and `title:`.');
    const message = `Field "${nameOf(path)}" is not plain data (text, a finite number, true, false, null, a list or a map).`;
    return refused('document.invalid-field', message, 'Write it as plain data.', source.lineOf(path));
  }
  const { forge } = raw.data;
  const line = source.lineOf(['forge']);
  if (forge === undefined) {
    return refused(
      'document.format',
      'The document does not say its format.',
      `Add \`forge: ${newest}\` as its first line.`,
    );
  }
  if (typeof forge !== 'number' || !Number.isInteger(forge) || forge < 1) {
    const message = `"forge" must be a whole number from 1 to ${newest}, the format of the document.`;
    return refused('document.format', message, `Write \`forge: ${newest}\`.`, line);
  }
  if (forge > newest) {
    const message = `This document is format ${forge}; this build reads up to ${newest}.`;
    return refused('document.newer', message, 'Open it with a newer build.', line);
  }
  try {
    const { document } = migrateDocument(raw.data, forge, newest, options.migrations ?? documentMigrations);
    const parsed = GraphDocument.safeParse(document);
    if (parsed.success) return { document: parsed.data, findings: [] };
    return { document: null, findings: parsed.error.issues.flatMap((issue) => findingsOf(issue, document, source)) };
  } catch (thrown) {
    if (!(thrown instanceof ForgeError)) throw thrown;
    return refused('document.format', thrown.message, thrown.fix ?? 'Open it with another build.', line);
  }
}

function isMapping(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Way to the first thing that JSON cannot hold. */
function pathToOdd(value: unknown): Path | undefined {
  if (typeof value === 'object' && value !== null) {
    const entries: [string | number, unknown][] = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
    for (const [part, inner] of entries) {
      const rest = pathToOdd(inner);
      if (rest !== undefined) return [part, ...rest];
    }
    return undefined;
  }
  const plain = value === null || typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value);
  return plain ? undefined : [];
}

/** Adds the line of the text to findings about nodes, params and edges of the document that was read from it. */
export function locateFindings(text: string, findings: readonly Finding[], file?: string): Finding[] {
  const source = readSource(text, file);
  const parsed = GraphDocument.safeParse(source.value);
  if (!parsed.success) return [...findings];
  return findings.map((finding) => {
    if (finding.line !== undefined) return finding;
    const line = source.lineOf(placeOf(finding, parsed.data));
    return line === undefined ? finding : { ...finding, line };
  });
}

function placeOf(finding: Finding, document: GraphDocument): Path {
  const { graph: name = MAIN_GRAPH, node, port, param, code } = finding;
  const base: Path = name === MAIN_GRAPH ? [] : ['graphs', name];
  const graph: Graph | undefined = base.length === 0 ? document : document.graphs[name];
  if (graph === undefined) return base;
  const family = code.split('.')[0];
  if (family === 'input') return [...base, 'inputs', port ?? ''];
  const end = `${node ?? '$inputs'}.${port ?? ''}`;
  const touches = (other: string) => (port === undefined ? other.startsWith(end) : other === end);
  if (family === 'output') {
    const output = Object.entries(graph.outputs).find(([, other]) => touches(other));
    return output === undefined ? base : [...base, 'outputs', output[0]];
  }
  if (family === 'edge' || code === 'port.taken') {
    const index = graph.edges.findLastIndex(({ from, to }) => touches(from) || touches(to));
    if (index >= 0) return [...base, 'edges', index];
  }
  const hit = (other: GraphNode) => other.id === node;
  const index = code === 'node.duplicate-id' ? graph.nodes.findLastIndex(hit) : graph.nodes.findIndex(hit);
  if (index < 0) return base;
  const inside = (param ?? '').split(/[.[\]]+/).filter((part) => part !== '');
  const path = inside.map((part) => (/^\d+$/.test(part) ? Number(part) : part));
  return [...base, 'nodes', index, ...(path.length === 0 ? [] : ['params', ...path])];
}

/** YAML text with a fixed order of fields; empty parts are left out, texts of several lines are blocks. Parsing it gives an equal document. */
export function serializeYaml(document: GraphDocument): string {
  const yaml = new YamlDocument(orderedDocument(document), {
    version: '1.2',
    schema: 'core',
    aliasDuplicateObjects: false,
  });
  for (const base of [[], ...Object.keys(document.graphs).map((name) => ['graphs', name])]) {
    const edges = yaml.getIn([...base, 'edges']);
    if (isSeq(edges)) for (const edge of edges.items) if (isMap(edge)) edge.flow = true;
  }
  const layout = yaml.get('layout');
  for (const graph of isMap(layout) ? layout.items : []) {
    for (const position of isMap(graph.value) ? graph.value.items : [])
      if (isMap(position.value)) position.value.flow = true;
  }
  visit(yaml, { Scalar: (key, scalar) => styleText(scalar, key === 'key') });
  return yaml.toString({ lineWidth: 0, blockQuote: 'literal' });
}

/** Texts of several lines become literal blocks where a block gives back exactly that text; others with odd characters are quoted. */
function styleText(scalar: Scalar, isKey: boolean): void {
  const text = scalar.value;
  if (typeof text !== 'string') return;
  if (/[^\P{C}\n\t]|[\u2028\u2029]/u.test(text)) scalar.type = 'QUOTE_DOUBLE';
  else if (text.includes('\n'))
    scalar.type = isKey || /^\s/.test(text) || /^[ \t]+$/m.test(text) ? 'QUOTE_DOUBLE' : 'BLOCK_LITERAL';
}

/** JSON text, indented by two, with the same order and omissions as `serializeYaml`. */
export function serializeJson(document: GraphDocument): string {
  return `${JSON.stringify(orderedDocument(document), null, 2)}\n`;
}

function orderedDocument(document: GraphDocument): object {
  const { forge, id, title, description, skill, graphs, layout, annotations } = document;
  return present({
    forge,
    id,
    title,
    description,
    skill,
    ...orderedGraph(document),
    graphs: filled(Object.fromEntries(Object.entries(graphs).map(([name, graph]) => [name, orderedGraph(graph)]))),
    layout: filled(layout),
    annotations: annotations && filled(annotations),
  });
}

function orderedGraph(graph: Graph): object {
  const inputs = Object.entries(graph.inputs).map(([name, input]) => [name, orderedInput(input)]);
  return present({
    inputs: filled(Object.fromEntries(inputs)),
    nodes: graph.nodes.map(orderedNode),
    edges: graph.edges.length === 0 ? undefined : graph.edges.map(({ from, to }) => ({ from, to })),
    outputs: filled(graph.outputs),
  });
}

function orderedInput({ type, title, doc, default: value }: GraphInput): object {
  return present({ type, title, doc, default: value });
}

function orderedNode({ id, kind, version, title, params, repair, policy, notes }: GraphNode): object {
  return present({
    id,
    kind,
    version,
    title,
    params: filled(params),
    repair: repair && { target: repair.target, rounds: repair.rounds },
    policy: policy && present({ timeoutMs: policy.timeoutMs, attempts: policy.attempts }),
    notes,
  });
}

const filled = <T extends object>(record: T): T | undefined => (Object.keys(record).length === 0 ? undefined : record);

function present(fields: Record<string, unknown>): object {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

function findingsOf(issue: z.core.$ZodIssue, raw: JsonObject, source: DocumentSource): Finding[] {
  const path = pathOf(issue.path);
  const node = nodeAt(path, raw);
  const place = node === undefined ? {} : { node };
  const make = (code: string, at: Path, message: string, fix: string): Finding => {
    const line = source.lineOf(at);
    return { code, severity: 'error', message, fix, ...place, ...(line === undefined ? {} : { line }) };
  };
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => {
      const at = [...path, key];
      return make('document.unknown-field', at, `There is no field "${nameOf(at)}".`, 'Remove it or correct its name.');
    });
  }
  const present = path.reduce<unknown>((value, part) => (value === undefined ? undefined : memberOf(value, part)), raw);
  if (present === undefined) {
    return [make('document.missing-field', path, `Field "${nameOf(path)}" is missing.`, 'Add it.')];
  }
  const message = `Field "${nameOf(path)}": ${issue.message.replace(/^Invalid (?:input|string): /, '')}.`;
  return [make('document.invalid-field', path, message, 'Correct the field.')];
}

function memberOf(value: unknown, part: string | number): unknown {
  if (Array.isArray(value)) return value[Number(part)];
  return typeof value === 'object' && value !== null && Object.hasOwn(value, part)
    ? Reflect.get(value, part)
    : undefined;
}

/** Id of the node that a path leads into. */
function nodeAt(path: Path, raw: JsonObject): string | undefined {
  const start = path[0] === 'graphs' ? 2 : 0;
  if (path[start] !== 'nodes' || path[start + 1] === undefined) return undefined;
  const node = path.slice(0, start + 2).reduce<unknown>(memberOf, raw);
  const id = memberOf(node, 'id');
  return typeof id === 'string' ? id : undefined;
}

function pathOf(path: readonly PropertyKey[]): Path {
  return path.map((part) => (typeof part === 'number' ? part : String(part)));
}

function nameOf(path: Path): string {
  return path.reduce<string>((name, part) => {
    if (typeof part === 'number') return `${name}[${part}]`;
    return name === '' ? part : `${name}.${part}`;
  }, '');
}

function refused(code: string, message: string, fix: string, line?: number): ParsedDocument {
  return {
    document: null,
    findings: [{ code, severity: 'error', message, fix, ...(line === undefined ? {} : { line }) }],
  };
}
