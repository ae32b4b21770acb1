import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import type { GraphNode } from './document.ts';
import type { Fault } from './edge-check.ts';
import type { KindMeta } from './kind.ts';
import { meant } from './nearest.ts';

const compiled = new WeakMap<KindMeta, ValidateFunction>();

function validatorOf(kind: KindMeta): ValidateFunction {
  const existing = compiled.get(kind);
  if (existing !== undefined) return existing;
  // One instance a kind: schemas may then use the same $id.
  const ajv = new Ajv2020({ allErrors: true, strict: false, validateFormats: false, logger: false });
  const validator = ajv.compile(kind.params);
  compiled.set(kind, validator);
  return validator;
}

/** Faults of a node's params against its kind's JSON Schema: one for each param, named by its path. */
export function checkParams(node: GraphNode, kind: KindMeta): Fault[] {
  const validate = validatorOf(kind);
  const errors = validate(node.params) ? [] : simplify(validate.errors ?? []);
  const faults = new Map<string, Fault>();
  for (const fault of [...errors.map((error) => faultOf(error, node, kind)), ...unknownParams(node, kind)]) {
    const key = fault.param ?? '';
    if (!faults.has(key)) faults.set(key, fault);
  }
  return [...faults.values()];
}

/** Of the errors of a union's branches keeps those of the branch that was meant, or the union's alone when that is not clear. */
function simplify(errors: readonly ErrorObject[]): ErrorObject[] {
  const last = errors.findLastIndex(({ keyword }) => keyword === 'anyOf' || keyword === 'oneOf');
  const union = errors[last];
  if (union === undefined) return [...errors];
  const inside = errors.slice(0, last).filter((error) => within(error.instancePath, union.instancePath));
  const outside = [...errors.slice(0, last).filter((error) => !inside.includes(error)), ...errors.slice(last + 1)];
  const branches = new Map<string, ErrorObject[]>();
  for (const error of inside) {
    const belongs = error.schemaPath.startsWith(`${union.schemaPath}/`);
    const branch = belongs ? (error.schemaPath.slice(union.schemaPath.length + 1).split('/')[0] ?? '') : '';
    branches.set(branch, [...(branches.get(branch) ?? []), error]);
  }
  const candidates = [...branches].filter(
    ([branch, of]) => branch !== '' && !of.some((error) => excludes(error, union)),
  );
  const [only] = candidates;
  if (only !== undefined && candidates.length === 1) return [...simplify(outside), ...simplify(only[1])];
  const types = inside.every(({ keyword }) => keyword === 'type')
    ? inside.map((error) => String(error.params.type))
    : [];
  const message =
    types.length > 0 ? `must be ${[...new Set(types)].join(' or ')}` : 'matches none of the forms that it may have';
  return [...simplify(outside), { ...union, message }];
}

function within(path: string, parent: string): boolean {
  return path === parent || path.startsWith(`${parent}/`);
}

/** Whether an error shows that its branch was not meant: another type, or another value of the field that tells branches apart. */
function excludes(error: ErrorObject, union: ErrorObject): boolean {
  if (error.instancePath === union.instancePath)
    return error.keyword === 'type' || error.keyword === 'const' || error.keyword === 'enum';
  const depth = error.instancePath.slice(union.instancePath.length + 1).split('/').length;
  return error.keyword === 'const' && depth === 1;
}

function faultOf(error: ErrorObject, node: GraphNode, kind: KindMeta): Fault {
  const parent = pathOf(error.instancePath);
  const at = { node: node.id };
  if (error.keyword === 'required') {
    const param = join(parent, String(error.params.missingProperty));
    return {
      ...at,
      code: 'params.missing',
      param,
      message: `Node "${node.id}": param "${param}" is missing.`,
      fix: `Give it a value. ${kind.doc}`,
    };
  }
  if (error.keyword === 'additionalProperties') {
    const name = String(error.params.additionalProperty);
    const allowed = parent === '' ? Object.keys(propertiesOf(kind) ?? {}) : [];
    return unknownParam(node, kind, join(parent, name), name, allowed);
  }
  const param = error.propertyName === undefined ? parent : join(parent, error.propertyName);
  const what = error.propertyName === undefined ? phrase(error) : 'is not a name that is allowed there';
  return {
    ...at,
    code: 'params.invalid',
    param,
    message: param === '' ? `Node "${node.id}": the params ${what}.` : `Node "${node.id}": param "${param}" ${what}.`,
    fix: `Correct it to what ${kind.id} takes.`,
  };
}

function phrase(error: ErrorObject): string {
  const allowed: unknown = error.params.allowedValues ?? error.params.allowedValue;
  if (allowed === undefined) return error.message ?? 'is not valid';
  const values = (Array.isArray(allowed) ? allowed : [allowed]).map((value) => JSON.stringify(value));
  return `must be ${values.length > 1 ? 'one of ' : ''}${values.join(', ')}`;
}

/** Params that a schema neither names nor forbids: they would be dropped in silence. */
function unknownParams(node: GraphNode, kind: KindMeta): Fault[] {
  const { additionalProperties, patternProperties, anyOf, oneOf, allOf, $ref } = kind.params;
  const properties = propertiesOf(kind);
  if (properties === undefined) return [];
  if ([additionalProperties, patternProperties, anyOf, oneOf, allOf, $ref].some((part) => part !== undefined))
    return [];
  return Object.keys(node.params)
    .filter((name) => !Object.hasOwn(properties, name))
    .map((name) => unknownParam(node, kind, name, name, Object.keys(properties)));
}

function unknownParam(node: GraphNode, kind: KindMeta, param: string, name: string, allowed: readonly string[]): Fault {
  return {
    code: 'params.unknown',
    node: node.id,
    param,
    message: `Node "${node.id}": ${kind.id} has no param "${param}".`,
    fix: allowed.length === 0 ? 'Remove it.' : `Remove it, or correct its name. ${meant(name, allowed)}`,
  };
}

function propertiesOf(kind: KindMeta): object | undefined {
  const { properties } = kind.params;
  return typeof properties === 'object' && properties !== null ? properties : undefined;
}

function pathOf(pointer: string): string {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce(join, '');
}

function join(parent: string, part: string): string {
  if (/^\d+$/.test(part)) return `${parent}[${part}]`;
  return parent === '' ? part : `${parent}.${part}`;
}
