import { type FlowOp, type InputPortMeta, KindMeta, type OutputPortMeta, policies } from '../kind.ts';
import { type PortType, portTypes } from '../port-type.ts';

const into = (type: PortType, options: Partial<InputPortMeta> = {}): InputPortMeta => ({
  type,
  doc: '',
  required: true,
  multiple: false,
  ...options,
});
const out = (type: PortType, hidden = false): OutputPortMeta => ({ type, doc: '', hidden });

const portMap = { type: 'object', additionalProperties: { enum: [...portTypes] } };

function kind(
  id: string,
  meta: Partial<KindMeta>,
  properties: Record<string, unknown> = {},
  required: string[] = [],
): KindMeta {
  return KindMeta.parse({
    id,
    version: 1,
    title: id,
    doc: `Stands for ${id}.`,
    params: { type: 'object', properties, required, additionalProperties: false },
    inputs: {},
    outputs: {},
    policy: policies.cheap,
    gate: false,
    implementation: '0',
    example: {},
    ...meta,
  });
}

const flow = (op: FlowOp, meta: Partial<KindMeta>, properties: Record<string, unknown> = {}, required: string[] = []) =>
  kind(`flow.${op}`, { flow: op, ...meta }, properties, required);

const graph = { type: 'string' };

/** Kinds for tests, shaped like real ones. `data.sample` has two versions, the newest first. */
export const sampleKinds: readonly KindMeta[] = [
  kind('data.sample', { version: 2, outputs: { values: out('json') } }),
  kind('data.sample', { outputs: { values: out('json') } }),
  kind(
    'data.transform',
    { outputs: { value: out('json') }, inputsFromParam: 'inputs' },
    { expression: { type: 'string' }, inputs: portMap },
    ['expression'],
  ),
  kind(
    'llm.generate',
    { policy: policies.model, outputs: { value: out('json'), text: out('text') }, inputsFromParam: 'inputs' },
    {
      prompt: { type: 'string' },
      inputs: portMap,
      temperature: { anyOf: [{ type: 'number' }, { type: 'null' }] },
      style: {
        anyOf: [
          { type: 'object', properties: { type: { const: 'plain' }, words: { type: 'integer' } }, required: ['type'] },
          {
            type: 'object',
            properties: { type: { const: 'list' }, items: { type: 'integer' } },
            required: ['type', 'items'],
          },
        ],
      },
    },
    ['prompt'],
  ),
  kind(
    'preparer.csv',
    { policy: policies.pure, inputs: { spec: into('spec') }, outputs: { file: out('file') } },
    { file: { type: 'string' } },
    ['file'],
  ),
  kind('gate.opens', {
    policy: policies.heavy,
    gate: true,
    inputs: { file: into('file') },
    outputs: { verdict: out('json'), file: out('file') },
  }),
  kind('data.secret', { outputs: { answers: out('hidden', true) } }),
  kind('package.assemble', {
    inputs: { files: into('file', { multiple: true, required: false }), spec: into('spec') },
    outputs: { package: out('package') },
  }),
  flow('merge', {
    inputs: { b: into('any', { required: false }), a: into('any', { required: false }) },
    outputs: { value: out('any') },
  }),
  flow('subgraph', {}, { graph }, ['graph']),
  flow(
    'map',
    { inputs: { items: into('list') }, outputs: { results: out('list'), failures: out('list') } },
    { graph, window: { type: 'integer', default: 7 }, onItemFailure: { enum: ['fail', 'tolerate'] } },
    ['graph'],
  ),
  flow(
    'repeat',
    { inputs: { value: into('any') }, outputs: { value: out('any'), rounds: out('number') } },
    { graph, until: { type: 'string' } },
    ['graph'],
  ),
  flow(
    'approval',
    { inputs: { value: into('any') }, outputs: { approved: out('any'), rejected: out('any') } },
    { message: { type: 'string' } },
  ),
  flow(
    'delay',
    { inputs: { value: into('any') }, outputs: { value: out('any') } },
    { milliseconds: { type: 'integer' } },
    ['milliseconds'],
  ),
];
