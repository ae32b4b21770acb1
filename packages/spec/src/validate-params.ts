import { z } from 'zod';
import type { GraphNode } from './document.ts';
import type { Fault } from './edge-check.ts';
import { ForgeError } from './errors.ts';
import type { KindMeta } from './kind.ts';
import { meant } from './nearest.ts';

type Issue = z.core.$ZodIssue;
type Path = readonly PropertyKey[];

const schemas = new WeakMap<KindMeta, z.ZodType>();

/** The kind's JSON Schema as a zod schema: it needs no generated code, which pages with a strict content policy forbid. */
function schemaOf(kind: KindMeta): z.ZodType {
  const existing = schemas.get(kind);
  if (existing !== undefined) return existing;
  try {
    const schema = z.fromJSONSchema(kind.params);
    schemas.set(kind, schema);
    return schema;
  } catch (cause) {
    throw new ForgeError(
      'internal',
      `The params of kind ${kind.id} have a JSON Schema that cannot be used: ${String(cause)}`,
      {
        fix: 'Describe the params with plain zod types, without transforms.',
        cause,
      },
    );
  }
}

/**
 * Faults of a node's params against its kind's JSON Schema: one for each param, named by its path.
 * @throws ForgeError `internal` when the kind's schema is unusable
 */
export function checkParams(node: GraphNode, kind: KindMeta): Fault[] {
  const { error } = schemaOf(kind).safeParse(node.params);
  const issues = (error?.issues ?? []).flatMap((issue) => settle(issue, []));
  const faults = new Map<string, Fault>();
  for (const fault of [...issues.flatMap((issue) => faultsOf(issue, node, kind)), ...unnamedParams(node, kind)]) {
    const key = fault.param ?? '';
    if (!faults.has(key)) faults.set(key, fault);
  }
  return [...faults.values()];
}

/** Of a union keeps what the branch that was meant says, or the union's own issue when that is not clear. Paths become whole. */
function settle(issue: Issue, base: Path): Issue[] {
  const path = [...base, ...issue.path];
  if (issue.code !== 'invalid_union') return [{ ...issue, path }];
  const meantBranches = issue.errors.filter((branch) => branch.length > 0 && !branch.some(excludes));
  const [only] = meantBranches;
  if (only !== undefined && meantBranches.length === 1) return only.flatMap((inner) => settle(inner, path));
  const types = issue.errors
    .flat()
    .map((inner) => (inner.code === 'invalid_type' && inner.path.length === 0 ? inner.expected : ''));
  const expected =
    types.length > 0 && types.every((type) => type !== '') ? `expected ${[...new Set(types)].join(' or ')}` : undefined;
  return [{ ...issue, path, message: expected ?? 'fits none of the forms that it may have' }];
}

/** Whether an issue shows that its branch was not meant: another type, or another value of the field that tells branches apart. */
function excludes(issue: Issue): boolean {
  if (issue.path.length === 0) return issue.code === 'invalid_type' || issue.code === 'invalid_value';
  return issue.path.length === 1 && issue.code === 'invalid_value' && issue.values.length === 1;
}

function faultsOf(issue: Issue, node: GraphNode, kind: KindMeta): Fault[] {
  if (issue.code === 'unrecognized_keys') {
    const allowed = issue.path.length === 0 ? Object.keys(propertiesOf(kind) ?? {}) : [];
    return issue.keys.map((key) => unknownParam(node, kind, [...issue.path, key], allowed));
  }
  const param = nameOf(issue.path);
  const missing = issue.path.length > 0 && valueAt(node.params, issue.path) === undefined;
  if (missing) {
    const message = `Node "${node.id}": param "${param}" is missing.`;
    return [{ code: 'params.missing', node: node.id, param, message, fix: `Give it a value. ${kind.doc}` }];
  }
  const what =
    issue.code === 'invalid_key' ? 'that name is not allowed' : issue.message.replace(/^Invalid [a-z ]+: /, '');
  const message =
    param === '' ? `Node "${node.id}": params: ${what}.` : `Node "${node.id}": param "${param}": ${what}.`;
  return [{ code: 'params.invalid', node: node.id, param, message, fix: `Correct it to what ${kind.id} takes.` }];
}

/** Params that a schema neither names nor forbids: they would be dropped in silence. */
function unnamedParams(node: GraphNode, kind: KindMeta): Fault[] {
  const { additionalProperties, patternProperties, anyOf, oneOf, allOf, $ref } = kind.params;
  const properties = propertiesOf(kind);
  if (properties === undefined) return [];
  if ([additionalProperties, patternProperties, anyOf, oneOf, allOf, $ref].some((part) => part !== undefined))
    return [];
  const names = Object.keys(properties);
  return Object.keys(node.params)
    .filter((name) => !names.includes(name))
    .map((name) => unknownParam(node, kind, [name], names));
}

function unknownParam(node: GraphNode, kind: KindMeta, path: Path, allowed: readonly string[]): Fault {
  const param = nameOf(path);
  return {
    code: 'params.unknown',
    node: node.id,
    param,
    message: `Node "${node.id}": ${kind.id} has no param "${param}".`,
    fix: allowed.length === 0 ? 'Remove it.' : `Remove it, or correct its name. ${meant(String(path.at(-1)), allowed)}`,
  };
}

function propertiesOf(kind: KindMeta): object | undefined {
  const { properties } = kind.params;
  return typeof properties === 'object' && properties !== null ? properties : undefined;
}

function valueAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>(
    (inner, part) =>
      typeof inner === 'object' && inner !== null && Object.hasOwn(inner, part) ? Reflect.get(inner, part) : undefined,
    value,
  );
}

function nameOf(path: Path): string {
  return path.reduce<string>((name, part) => {
    if (typeof part === 'number') return `${name}[${part}]`;
    return name === '' ? String(part) : `${name}.${String(part)}`;
  }, '');
}
