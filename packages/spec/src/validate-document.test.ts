import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { GraphDocument } from './document.ts';
import { locateFindings, parseDocument } from './document-io.ts';
import { kinds as shippedKinds } from './kinds.ts';
import { documentOf, edgesOf, transform } from './testing/sample-document.ts';
import { sampleKinds } from './testing/sample-kinds.ts';
import { validateDocument } from './validate-document.ts';

const validate = (document: GraphDocument) => validateDocument(document, sampleKinds);
const errors = (document: GraphDocument) => validate(document).filter(({ severity }) => severity === 'error');
const codes = (document: GraphDocument) => validate(document).map(({ code }) => code);
const fixture = readFileSync(new URL('../../../tests/fixtures/ten-faults.yaml', import.meta.url), 'utf8');

const planted = [
  ['edge.type', 'sum', 'y'],
  ['edge.unknown-node', 'nobody', undefined],
  ['edge.unknown-port', 'prepare', 'spek'],
  ['graph.cycle', 'there', undefined],
  ['graph.unknown', 'each', undefined],
  ['kind.unknown', 'draft', undefined],
  ['node.duplicate-id', 'numbers', undefined],
  ['params.invalid', 'total', undefined],
  ['params.missing', 'prepare', undefined],
  ['params.unknown', 'sum', undefined],
];

describe('a document with ten planted faults', () => {
  const { document, findings } = parseDocument(fixture, { file: 'ten-faults.yaml' });
  const found = (kinds: typeof sampleKinds) => {
    if (document === null) throw new Error(JSON.stringify(findings));
    return validateDocument(document, kinds)
      .filter(({ severity }) => severity === 'error')
      .map(({ code, node, port }) => [code, node, port])
      .sort();
  };

  it('gives exactly these ten errors', () => expect(found(sampleKinds)).toEqual(planted));

  const needed = ['data.transform', 'llm.generate', 'preparer.csv', 'flow.map'];
  const shipped = needed.every((id) => shippedKinds.some((kind) => kind.id === id));

  it.skipIf(!shipped)('gives the same with the kinds that are shipped', () => {
    expect(found(shippedKinds)).toEqual(planted);
  });

  it('gives each a fix and the line where it stands', () => {
    if (document === null) throw new Error('does not parse');
    const located = locateFindings(fixture, errors(document));
    const lines = fixture.split('\n');
    const at = (code: string) => lines[(located.find((finding) => finding.code === code)?.line ?? 0) - 1]?.trim();
    expect(located.every(({ fix, line }) => fix.length > 5 && line !== undefined)).toBe(true);
    expect(at('params.unknown')).toMatch(/^language: jsonata/);
    expect(at('params.invalid')).toMatch(/^expression: 42/);
    expect(at('kind.unknown')).toMatch(/^- id: draft|^id: draft/);
    expect(at('edge.unknown-node')).toMatch(/nobody/);
    expect(at('edge.unknown-port')).toMatch(/spek/);
    expect(at('edge.type')).toMatch(/sum\.y/);
    expect(at('node.duplicate-id')).toMatch(/the id is taken/);
    expect(at('graph.unknown')).toBe('graph: row');
    expect(located.find(({ code }) => code === 'kind.unknown')?.fix).toContain('"llm.generate"');
    expect(located.find(({ code }) => code === 'edge.unknown-port')?.fix).toContain('"spec"');
  });
});

describe('edges', () => {
  it('names a self-loop, and no cycle besides', () => {
    expect(
      codes(documentOf({ nodes: [transform('a', ['x'])], edges: ['a.value > a.x'], outputs: { o: 'a.value' } })),
    ).toEqual(['edge.self-loop']);
  });

  it('names the nodes of each cycle in the direction of the edges', () => {
    const nodes = ['a', 'b', 'c', 'd', 'e', 'f'].map((id) => transform(id, ['x', 'y']));
    const edges = [
      'a.value > b.x',
      'b.value > c.x',
      'c.value > a.x',
      'c.value > d.x',
      'd.value > e.x',
      'e.value > d.y',
      'e.value > f.x',
    ];
    const cycles = validate(documentOf({ nodes, edges, outputs: { o: 'f.value' } })).filter(
      ({ code }) => code === 'graph.cycle',
    );
    expect(cycles).toHaveLength(2);
    expect(cycles.map(({ message }) => message).join(' ')).toMatch(/(a → b → c → a|b → c → a → b|c → a → b → c)/);
    expect(cycles.map(({ message }) => message).join(' ')).toMatch(/(d → e → d|e → d → e)/);
  });

  it('refuses edges into inputs, unknown inputs, duplicates and a second edge into a port for one', () => {
    const document = documentOf({
      inputs: { amount: { type: 'number' } },
      nodes: [transform('a', ['x']), transform('b', ['x', 'y']), transform('c')],
      edges: [
        'a.value > $inputs.amount',
        '$inputs.amont > a.x',
        'a.value > b.x',
        'a.value > b.x',
        'c.value > b.x',
        '$inputs.amount > b.y',
      ],
      outputs: { o: 'b.value' },
    });
    expect(codes(document)).toEqual(['edge.into-inputs', 'edge.unknown-input', 'edge.duplicate', 'port.taken']);
    expect(validate(document)[1]?.fix).toContain('"amount"');
    expect(validate(document)[3]?.message).toContain('a.value and c.value');
  });

  it('takes several edges where the port does, and an error edge from any node', () => {
    const document = documentOf({
      inputs: { spec: { type: 'spec' } },
      nodes: [
        { id: 'one', kind: 'preparer.csv', version: 1, params: { file: 'one' } },
        { id: 'two', kind: 'preparer.csv', version: 1, params: { file: 'two' } },
        { id: 'pack', kind: 'package.assemble', version: 1 },
        transform('report', ['failure']),
      ],
      edges: [
        '$inputs.spec > one.spec',
        '$inputs.spec > two.spec',
        '$inputs.spec > pack.spec',
        'two.file > pack.files',
        'one.file > pack.files',
        'one.error > report.failure',
      ],
      outputs: { report: 'report.value' },
    });
    expect(codes(document)).toEqual([]);
  });

  it('keeps hidden values out of json', () => {
    const document = documentOf({
      nodes: [{ id: 'secret', kind: 'data.secret', version: 1 }, transform('open', { x: 'json' })],
      edges: ['secret.answers > open.x'],
      outputs: { o: 'open.value' },
    });
    expect(codes(document)).toEqual(['edge.type']);
  });
});

describe('nodes', () => {
  it('demands required inputs by name', () => {
    const [finding] = errors(documentOf({ nodes: [transform('a', ['amount'])], outputs: { o: 'a.value' } }));
    expect(finding).toMatchObject({ code: 'port.missing', node: 'a', port: 'amount', graph: '$main' });
  });

  it('tells an unknown version from an old one', () => {
    const nodes = [1, 2, 3].map((version) => ({ id: `v${version}`, kind: 'data.sample', version }));
    const findings = validate(documentOf({ nodes, outputs: { a: 'v1.values', b: 'v2.values', c: 'v3.values' } }));
    expect(findings.map(({ code, severity, node }) => [code, severity, node])).toEqual([
      ['kind.unknown-version', 'error', 'v3'],
      ['kind.outdated', 'warning', 'v1'],
    ]);
  });

  it('names params by path, and of a union only what the branch that was meant says', () => {
    const generate = (params: Record<string, never> | object) => {
      const node = { id: 'g', kind: 'llm.generate', version: 1, params: { prompt: 'p', ...params } };
      return validate(documentOf({ nodes: [node], outputs: { o: 'g.text' } })).map(({ code, param, message }) => [
        code,
        param,
        message,
      ]);
    };
    expect(generate({ style: { type: 'list' } })).toEqual([['params.missing', 'style.items', expect.any(String)]]);
    expect(generate({ style: { type: 'plain', words: 'x' } })).toEqual([
      ['params.invalid', 'style.words', expect.stringContaining('expected number')],
    ]);
    expect(generate({ style: { type: 'other' } })).toEqual([
      ['params.invalid', 'style', expect.stringContaining('none of the forms')],
    ]);
    expect(generate({ temperature: 'hot' })).toEqual([
      ['params.invalid', 'temperature', expect.stringContaining('number or null')],
    ]);
    expect(generate({ temperature: null, style: { type: 'plain' } })).toEqual([]);
    expect(generate({ inputs: { x: 'strng' } }).map(([code, param]) => [code, param])).toEqual([
      ['params.invalid', 'inputs.x'],
      ['port.missing', undefined],
    ]);
  });

  it('warns of nodes that nothing uses and of merges that nothing feeds', () => {
    const document = documentOf({
      nodes: [transform('used'), transform('lost'), { id: 'join', kind: 'flow.merge', version: 1 }],
      outputs: { a: 'used.value', b: 'join.value' },
    });
    expect(validate(document).map(({ code, severity, node }) => [code, severity, node])).toEqual([
      ['node.never-fed', 'warning', 'join'],
      ['node.unused', 'warning', 'lost'],
    ]);
  });

  it('checks repair rules', () => {
    const gate = (id: string, target: string) => ({
      id,
      kind: 'gate.opens',
      version: 1,
      repair: { target, rounds: 2 },
    });
    const document = documentOf({
      inputs: { spec: { type: 'spec' } },
      nodes: [
        { id: 'make', kind: 'preparer.csv', version: 1, params: { file: 'f' }, repair: { target: 'make', rounds: 1 } },
        { id: 'other', kind: 'data.sample', version: 2 },
        gate('good', 'make'),
        gate('gone', 'mak'),
        gate('aside', 'other'),
        gate('self', 'self'),
      ],
      edges: ['$inputs.spec > make.spec', ...['good', 'gone', 'aside', 'self'].map((id) => `make.file > ${id}.file`)],
      outputs: { o: 'other.values' },
    });
    expect(errors(document).map(({ code, node }) => [code, node])).toEqual([
      ['repair.not-a-gate', 'make'],
      ['repair.unknown-target', 'gone'],
      ['repair.not-ancestor', 'aside'],
      ['repair.not-ancestor', 'self'],
    ]);
  });
});

describe('graphs', () => {
  const body = (
    inputs: Record<string, { type: 'any' | 'number' | 'file'; default?: number | string }>,
    outputs = {},
  ) => ({
    inputs,
    nodes: [transform('inner')],
    edges: edgesOf([]),
    outputs: { value: 'inner.value', ...outputs },
  });

  it('finds outputs that refer to nothing and defaults of the wrong type', () => {
    const document = documentOf({
      inputs: { n: { type: 'number', default: 'x' } },
      nodes: [transform('a')],
      outputs: { a: 'a.valu', b: 'b.value', c: '$inputs.m', d: 'a.value' },
    });
    expect(codes(document)).toEqual([
      'input.default-type',
      'output.unknown-port',
      'output.unknown-node',
      'output.unknown-input',
    ]);
  });

  it('finds graphs that contain themselves and graphs that are never run', () => {
    const run = (graph: string) => ({ id: 'run', kind: 'flow.subgraph', version: 1, params: { graph } });
    const document = documentOf({
      nodes: [run('ping')],
      graphs: { ping: { nodes: [run('pong')] }, pong: { nodes: [run('ping')] }, idle: { nodes: [] } },
    });
    const findings = validate(document).filter(({ code }) => code.startsWith('graph.'));
    expect(findings.map(({ code, graph }) => [code, graph])).toEqual([
      ['graph.recursive', 'ping'],
      ['graph.unused', 'idle'],
    ]);
    expect(findings[0]?.message).toContain('ping → pong → ping');
  });

  it('demands the ports that bodies need', () => {
    const document = documentOf({
      inputs: { items: { type: 'list' } },
      nodes: [
        { id: 'each', kind: 'flow.map', version: 1, params: { graph: 'no-item' } },
        { id: 'again', kind: 'flow.repeat', version: 1, params: { graph: 'no-value' } },
      ],
      edges: ['$inputs.items > each.items', '$inputs.items > again.value'],
      outputs: { a: 'each.results', b: 'again.value' },
      graphs: { 'no-item': body({}), 'no-value': { inputs: { extra: { type: 'any' } }, nodes: [transform('inner')] } },
    });
    expect(errors(document).map(({ code, node }) => [code, node])).toEqual([
      ['map.body-input', 'each'],
      ['repeat.body-input', 'again'],
      ['repeat.body-output', 'again'],
      ['repeat.body-extra-input', 'again'],
    ]);
  });

  it('gives the ports of the body to the node that runs it', () => {
    const document = documentOf({
      inputs: { items: { type: 'list' }, n: { type: 'number' } },
      nodes: [
        { id: 'each', kind: 'flow.map', version: 1, params: { graph: 'row' } },
        { id: 'once', kind: 'flow.subgraph', version: 1, params: { graph: 'row' } },
      ],
      edges: [
        '$inputs.items > each.items',
        '$inputs.n > each.scale',
        '$inputs.items > once.item',
        '$inputs.items > once.scale',
      ],
      outputs: { a: 'each.results', b: 'once.value', c: 'once.item' },
      graphs: {
        row: body({ item: { type: 'any' }, scale: { type: 'number' }, spare: { type: 'number', default: 1 } }),
      },
    });
    expect(codes(document)).toEqual(['edge.type', 'output.unknown-port']);
  });

  it('allows the default of a file input at the top level only', () => {
    const document = documentOf({
      inputs: { book: { type: 'file', default: 'book.xlsx' } },
      nodes: [{ id: 'once', kind: 'flow.subgraph', version: 1, params: { graph: 'row' } }],
      outputs: { b: 'once.value' },
      graphs: { row: body({ book: { type: 'file', default: 'book.xlsx' } }) },
    });
    expect(errors(document).map(({ code, graph }) => [code, graph])).toEqual([['input.file-default', 'row']]);
  });
});
