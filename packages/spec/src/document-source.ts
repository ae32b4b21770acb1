import {
  type Document,
  isAlias,
  isMap,
  isNode,
  isPair,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  parseDocument as parseYaml,
  visit,
} from 'yaml';
import type { Finding } from './document.ts';

/** Largest text of a document, in UTF-16 code units. */
export const MAX_DOCUMENT_LENGTH = 5_000_000;
/** Nodes that aliases may repeat, relative to those written out. */
const MAX_ALIASES = 100;

export type Path = readonly (string | number)[];

/** Text of a document, read but not yet checked against the schema. */
export interface DocumentSource {
  value: unknown;
  findings: Finding[];
  /** Line (from 1) of a field's key or of a list's item, or of the nearest thing around it that has a line. */
  lineOf(path: Path): number | undefined;
}

/** Reads YAML 1.2 (core schema, no tags) or JSON; a file name that ends in .json, or a `{` at the start, means JSON. Never throws for bad text. */
export function readSource(text: string, file?: string): DocumentSource {
  const nowhere = () => undefined;
  if (text.length > MAX_DOCUMENT_LENGTH) {
    const message = `The document has ${text.length} characters; at most ${MAX_DOCUMENT_LENGTH} are read.`;
    const fix = 'Move large data into a file input, and repeated parts into a subgraph.';
    return { value: undefined, findings: [fault('document.too-large', message, fix)], lineOf: nowhere };
  }
  try {
    return isJson(text, file) ? readJson(text) : readYaml(text);
  } catch (thrown) {
    if (!(thrown instanceof RangeError)) throw thrown;
    const finding = fault('document.too-deep', 'The document is nested too deeply to be read.', 'Flatten it.');
    return { value: undefined, findings: [finding], lineOf: nowhere };
  }
}

function isJson(text: string, file: string | undefined): boolean {
  if (file !== undefined && /\.json$/i.test(file)) return true;
  if (file !== undefined && /\.ya?ml$/i.test(file)) return false;
  return /^\uFEFF?\s*\{/.test(text);
}

function readJson(text: string): DocumentSource {
  // JSON is nearly YAML: the second reading serves for lines and repeated keys alone.
  const { document, lines } = compose(text);
  const lineOf = lineFinder(document, lines);
  try {
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ''));
    const repeated = document.errors.filter((error) => error.code === 'DUPLICATE_KEY');
    const findings = repeated.map((error) => syntax(error.message, lines.linePos(error.pos[0]).line));
    return { value, findings: [...findings, ...prototypeKeys(document, lines)], lineOf };
  } catch (thrown) {
    if (!(thrown instanceof SyntaxError)) throw thrown;
    // Not every engine says where.
    const offset = /position (\d+)/.exec(thrown.message)?.[1] ?? document.errors[0]?.pos[0];
    const line = offset === undefined ? undefined : lines.linePos(Number(offset)).line;
    return { value: undefined, findings: [syntax(thrown.message, line)], lineOf };
  }
}

function readYaml(text: string): DocumentSource {
  const { document, lines } = compose(text);
  const lineOf = lineFinder(document, lines);
  const findings = document.errors.map((error) => syntax(error.message, lines.linePos(error.pos[0]).line));
  for (const warning of document.warnings) {
    const tag = warning.code === 'TAG_RESOLVE_FAILED';
    const fix = tag ? 'Remove the tag; write plain text, numbers, lists and maps.' : 'Correct the text.';
    const line = lines.linePos(warning.pos[0]).line;
    findings.push(fault(tag ? 'document.tag' : 'document.syntax', firstLine(warning.message), fix, line));
  }
  findings.push(...prototypeKeys(document, lines));
  if (findings.length > 0) return { value: undefined, findings, lineOf };
  try {
    return { value: document.toJS({ maxAliasCount: MAX_ALIASES }), findings, lineOf };
  } catch (thrown) {
    if (!(thrown instanceof ReferenceError)) throw thrown;
    const fix = 'Write the repeated parts out, or make them a subgraph.';
    return { value: undefined, findings: [fault('document.aliases', `${thrown.message}.`, fix)], lineOf };
  }
}

function compose(text: string): { document: Document.Parsed; lines: LineCounter } {
  const lines = new LineCounter();
  const document = parseYaml(text, { version: '1.2', schema: 'core', lineCounter: lines, prettyErrors: false });
  return { document, lines };
}

/** Keys named `__proto__`, which records would drop in silence. */
function prototypeKeys(document: Document.Parsed, lines: LineCounter): Finding[] {
  const findings: Finding[] = [];
  visit(document, {
    Pair(_, { key }) {
      if (!isScalar(key) || key.value !== '__proto__') return;
      const line = lines.linePos(key.range?.[0] ?? 0).line;
      findings.push(
        fault('document.unknown-field', 'No field may be called "__proto__".', 'Rename or remove it.', line),
      );
    },
  });
  return findings;
}

function lineFinder(document: Document.Parsed, lines: LineCounter): (path: Path) => number | undefined {
  return (path) => {
    let node: unknown = document.contents;
    let offset = isNode(node) ? node.range?.[0] : undefined;
    for (const part of path) {
      if (isAlias(node)) node = node.resolve(document);
      const next = step(node, part);
      if (next === undefined) break;
      node = next.value;
      offset = next.at.range?.[0] ?? offset;
    }
    return offset === undefined ? undefined : lines.linePos(offset).line;
  };
}

function step(node: unknown, part: string | number): { value: unknown; at: Node } | undefined {
  if (isSeq(node) && typeof part === 'number') {
    const item = node.items[part];
    return isNode(item) ? { value: item, at: item } : undefined;
  }
  if (!isMap(node)) return undefined;
  const pair = node.items.find((item) => isPair(item) && isScalar(item.key) && String(item.key.value) === String(part));
  return pair !== undefined && isScalar(pair.key) ? { value: pair.value, at: pair.key } : undefined;
}

function syntax(message: string, line: number | undefined): Finding {
  return fault('document.syntax', firstLine(message), 'Correct the text at this place.', line);
}

function firstLine(message: string): string {
  const line = (message.split('\n')[0] ?? message).replace(/:$/, '');
  return line.endsWith('.') ? line : `${line}.`;
}

function fault(code: string, message: string, fix: string, line?: number): Finding {
  return { code, severity: 'error', message, fix, ...(line === undefined ? {} : { line }) };
}
