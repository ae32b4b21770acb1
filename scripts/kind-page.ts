import type { InputPortMeta, KindMeta, OutputPortMeta } from '@cua-forge/spec/kind';
import { stringify } from 'yaml';
import { z } from 'zod';

interface PropertySchema {
  type?: string | string[] | undefined;
  description?: string | undefined;
  default?: unknown;
  enum?: unknown[] | undefined;
  const?: unknown;
  minimum?: number | undefined;
  maximum?: number | undefined;
  format?: string | undefined;
  title?: string | undefined;
  items?: PropertySchema | undefined;
  anyOf?: PropertySchema[] | undefined;
  oneOf?: PropertySchema[] | undefined;
  properties?: Record<string, PropertySchema> | undefined;
}

/** The parts of a param's JSON Schema that a table shows. */
const PropertySchema: z.ZodType<PropertySchema> = z.lazy(() =>
  z.looseObject({
    type: z.union([z.string(), z.array(z.string())]).optional(),
    description: z.string().optional(),
    default: z.unknown().optional(),
    enum: z.array(z.unknown()).optional(),
    const: z.unknown().optional(),
    minimum: z.number().optional(),
    maximum: z.number().optional(),
    format: z.string().optional(),
    title: z.string().optional(),
    items: PropertySchema.optional(),
    anyOf: z.array(PropertySchema).optional(),
    oneOf: z.array(PropertySchema).optional(),
    properties: z.record(z.string(), PropertySchema).optional(),
  }),
);
const ParamsSchema = z.looseObject({
  properties: z.record(z.string(), PropertySchema).default({}),
  required: z.array(z.string()).default([]),
});

const families: Record<string, string> = {
  data: 'Data',
  llm: 'Models',
  spec: 'Specification',
  preparer: 'Preparers',
  setup: 'Setup',
  gate: 'Gates',
  package: 'Packages',
  flow: 'Flow',
};

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ');
const code = (value: unknown): string => `\`${cell(typeof value === 'string' ? value : JSON.stringify(value))}\``;

function table(head: string[], rows: string[][]): string {
  const line = (cells: string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), `|${head.map(() => '---|').join('')}`, ...rows.map(line)].join('\n');
}

/** Whole-number bounds that stand for "no bound" are not worth a word. */
function range({ minimum, maximum }: PropertySchema): string {
  const low = minimum === undefined || minimum <= Number.MIN_SAFE_INTEGER ? undefined : minimum;
  const high = maximum === undefined || maximum >= Number.MAX_SAFE_INTEGER ? undefined : maximum;
  if (low !== undefined && high !== undefined) return `, ${low} to ${high}`;
  if (low !== undefined) return `, from ${low}`;
  return high === undefined ? '' : `, up to ${high}`;
}

function typeText(schema: PropertySchema): string {
  if (schema.enum !== undefined) return schema.enum.map(code).join(', ');
  const variants = schema.anyOf ?? schema.oneOf;
  if (variants !== undefined) {
    const tags = variants.map((variant) => variant.properties?.type?.const);
    if (tags.every((tag) => typeof tag === 'string')) return `object with \`type\`: ${tags.map(code).join(', ')}`;
    return [...new Set(variants.map(typeText))].join(' or ');
  }
  if (schema.format === 'jsonata' || schema.format === 'liquid')
    return schema.format === 'liquid' ? 'Liquid' : 'JSONata';
  if (schema.type === 'array') return schema.items === undefined ? 'list' : `list of: ${typeText(schema.items)}`;
  const type = Array.isArray(schema.type) ? schema.type.join(' or ') : (schema.type ?? 'any value');
  return `${type}${range(schema)}`;
}

function paramTable(kind: KindMeta): string | null {
  const { properties, required } = ParamsSchema.parse(kind.params);
  const rows = Object.entries(properties).map(([name, schema]) => [
    code(name),
    typeText(schema),
    schema.default === undefined ? (required.includes(name) ? 'must be given' : '') : code(schema.default),
    cell(schema.description ?? ''),
  ]);
  return rows.length === 0 ? null : table(['param', 'type', 'default', 'meaning'], rows);
}

function inputRow([name, port]: [string, InputPortMeta]): string[] {
  const notes = [port.required ? '' : 'optional', port.multiple ? 'any number of edges' : ''].filter(
    (note) => note !== '',
  );
  return [code(name), code(port.type), cell(port.doc), notes.join(', ')];
}

function outputRow([name, port]: [string, OutputPortMeta]): string[] {
  return [code(name), code(port.type), cell(port.doc), port.hidden ? 'hidden' : ''];
}

const seconds = (milliseconds: number): string => `${milliseconds / 1000} s`;

function policyText(kind: KindMeta): string {
  if (kind.flow !== undefined) return 'Carried out by the engine itself.';
  const { queue, timeoutMs, attempts, cacheable, cheap, seeded, callsModel } = kind.policy;
  const facts = [
    `queue \`${queue}\``,
    `${seconds(timeoutMs)} for an attempt`,
    `${attempts} attempts`,
    cacheable ? 'may be answered from an earlier run' : 'always executed',
    ...(cheap ? ['runs together with its neighbours'] : []),
    ...(seeded ? ['depends on the seed'] : []),
    ...(callsModel ? ['calls a model'] : []),
  ];
  return `Policy: ${facts.join(', ')}.`;
}

function section(kind: KindMeta): string {
  const from = (side: string, param: string | undefined) =>
    param === undefined ? [] : [`Further ${side} are declared by the param \`${param}\`, a map of port name → type.`];
  const inputs = Object.entries(kind.inputs).map(inputRow);
  const outputs = Object.entries(kind.outputs).map(outputRow);
  const example = stringify(kind.example, { lineWidth: 110 }).trimEnd();
  const params = paramTable(kind);
  return [
    `### ${kind.id}`,
    `**${kind.title}**, version ${kind.version}. ${kind.doc}`,
    ...(params === null ? [] : [params]),
    ...(inputs.length === 0 ? [] : [table(['input', 'type', 'meaning', ''], inputs)]),
    ...from('inputs', kind.inputsFromParam),
    ...(outputs.length === 0 ? [] : [table(['output', 'type', 'meaning', ''], outputs)]),
    ...from('outputs', kind.outputsFromParam),
    policyText(kind),
    `<details><summary>Example</summary>\n\n\`\`\`yaml\n${example}\n\`\`\`\n\n</details>`,
  ].join('\n\n');
}

/** docs/authoring/kinds.md: every kind with its params, ports, policy and example, by family. */
export function kindPage(kinds: readonly KindMeta[]): string {
  const family = (kind: KindMeta) => kind.id.slice(0, kind.id.indexOf('.'));
  const present = [...new Set(kinds.map(family))];
  const known = Object.keys(families).filter((name) => present.includes(name));
  const order = [...known, ...present.filter((name) => !known.includes(name))];
  const parts = order.flatMap((name) => [
    `## ${families[name] ?? name}`,
    ...kinds.filter((kind) => family(kind) === name).map(section),
  ]);
  const intro = [
    '# Node kinds',
    'Generated from the kinds themselves with `npm run docs:kinds`; do not edit it by hand.',
    'Every node also has an output `error`, which is live only after the node failed. How ports, params and policies work in a document is in [the graph document](document-format.md).',
  ];
  return `${[...intro, ...parts].join('\n\n')}\n`;
}
