import type { GraphDocument } from '@cua-forge/spec/document';
import { type KindMeta, policies } from '@cua-forge/spec/kind';
import type { PortType } from '@cua-forge/spec/port-type';
import { describe, expect, it } from 'vitest';
import { apply } from '../document/command.ts';
import { mayWire, sourcesOf, targetsOf, unwire, wire } from './connecting.ts';
import { graphModel } from './graph-model.ts';

const port = (type: PortType) => ({ type, doc: '', required: true, multiple: false });
const kind = (id: string, inputs: KindMeta['inputs'], output: PortType): KindMeta => ({
  id,
  version: 1,
  title: id,
  doc: 'A kind.',
  params: {},
  inputs,
  outputs: { value: { type: output, doc: '', hidden: false } },
  policy: policies.cheap,
  gate: false,
  implementation: '',
  example: {},
});
const kinds = [
  kind('data.source', {}, 'text'),
  kind('data.step', { text: port('text') }, 'text'),
  kind('data.open', { file: port('file') }, 'json'),
];

const document: GraphDocument = {
  forge: 1,
  id: 'sample',
  title: 'Sample',
  inputs: { book: { type: 'file' } },
  nodes: [
    { id: 'source', kind: 'data.source', version: 1, params: {} },
    { id: 'step', kind: 'data.step', version: 1, params: {} },
    { id: 'open', kind: 'data.open', version: 1, params: {} },
  ],
  edges: [],
  outputs: {},
  graphs: {},
  layout: {},
};

describe('connecting', () => {
  it('offers only ports of a fitting type, and the outputs of the graph', () => {
    expect(targetsOf(document, '$main', 'source.value', kinds).map(({ end }) => end)).toEqual([
      'step.text',
      '$outputs.+',
    ]);
    expect(targetsOf(document, '$main', '$inputs.book', kinds).map(({ end }) => end)).toEqual([
      'open.file',
      '$outputs.+',
    ]);
  });

  it('names every output port, the error port last', () => {
    expect(sourcesOf(document, '$main', 'source', kinds).map(({ name }) => name)).toEqual(['value', 'error']);
  });

  it('refuses with a sentence', () => {
    const verdict = mayWire(document, '$main', 'source.value', 'open.file', kinds);
    expect(verdict.ok).toBe(false);
    expect(verdict.ok ? '' : verdict.reason).toMatch(/file/);
  });

  it('makes an output of what is dropped on the outputs card, and takes it away again', () => {
    const first = apply(document, wire(document, '$main', 'source.value', '$outputs.+')).document;
    const second = apply(first, wire(first, '$main', 'step.value', '$outputs.+')).document;
    expect(second.outputs).toEqual({ value: 'source.value', 'step-value': 'step.value' });
    const third = apply(second, unwire(second, '$main', [{ from: 'source.value', to: '$outputs.value' }])).document;
    expect(third.outputs).toEqual({ 'step-value': 'step.value' });
  });
});

describe('the model of a graph', () => {
  it('reuses every card and wire that a move does not touch', () => {
    const wired = apply(document, wire(document, '$main', 'source.value', 'step.text')).document;
    const before = graphModel(wired, '$main', kinds, false, null);
    const layout = { $main: Object.fromEntries(before.nodes.map((node) => [node.id, node.position])) };
    const moved = { ...wired, layout: { $main: { ...layout.$main, step: { x: 999, y: 1 } } } };
    const after = graphModel(moved, '$main', kinds, false, before);
    expect(after.nodes.filter((node, index) => node !== before.nodes[index]).map(({ id }) => id)).toEqual(['step']);
    expect(after.edges[0]).toBe(before.edges[0]);
  });
});
