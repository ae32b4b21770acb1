import { describe, expect, it } from 'vitest';
import { diffDocuments } from './document-diff.ts';
import { documentOf, transform } from './testing/sample-document.ts';

const base = documentOf({
  inputs: { n: { type: 'number', default: 1 } },
  nodes: [
    { ...transform('a'), params: { expression: '1', draws: [{ type: 'city' }, { type: 'date' }] } },
    transform('b', ['x', 'y']),
    transform('c', ['x']),
  ],
  edges: ['a.value > b.x', '$inputs.n > b.y', 'a.value > c.x'],
  outputs: { o: 'b.value' },
  graphs: { body: { nodes: [transform('inner')], outputs: { value: 'inner.value' } } },
});

describe('diffDocuments', () => {
  it('sees no change in layout, in the order of nodes or in that of fields', () => {
    const nodes = [...base.nodes]
      .reverse()
      .map((node) => ({ ...node, params: Object.fromEntries(Object.entries(node.params).reverse()) }));
    expect(diffDocuments(base, { ...base, nodes, layout: { $main: { a: { x: 1, y: 1 } } } })).toEqual([]);
  });

  it('names changed params by path, with both values', () => {
    const changed = structuredClone(base);
    const [a] = changed.nodes;
    if (a === undefined) throw new Error('no node');
    a.params.draws = [{ type: 'city' }, { type: 'amount', max: 5 }];
    delete a.params.expression;
    expect(diffDocuments(base, changed)).toEqual([
      { what: 'node', change: 'changed', graph: '$main', name: 'a', path: 'params.expression', before: '1' },
      {
        what: 'node',
        change: 'changed',
        graph: '$main',
        name: 'a',
        path: 'params.draws[1].type',
        before: 'date',
        after: 'amount',
      },
      { what: 'node', change: 'changed', graph: '$main', name: 'a', path: 'params.draws[1].max', after: 5 },
    ]);
  });

  it('names what was added and removed, in every graph', () => {
    const changed = documentOf({
      title: 'New title',
      inputs: { m: { type: 'text' }, n: { type: 'number', default: 2 } },
      nodes: [...base.nodes.filter(({ id }) => id !== 'c'), transform('d')],
      edges: ['a.value > b.x', 'd.value > b.y'],
      outputs: { o: 'd.value', p: 'b.value' },
      graphs: { other: { nodes: [] } },
    });
    const seen = diffDocuments(base, changed).map(({ what, change, graph, name, path }) =>
      [what, change, graph, name, path ?? ''].join(' ').trim(),
    );
    expect(seen).toEqual([
      'document changed $main title',
      'input changed $main n default',
      'input added $main m',
      'node removed $main c',
      'node added $main d',
      'edge removed $main $inputs.n → b.y',
      'edge removed $main a.value → c.x',
      'edge added $main d.value → b.y',
      'output changed $main o',
      'output added $main p',
      'graph removed body body',
      'graph added other other',
    ]);
  });

  it('sees another order of edges at one port, and not among ports', () => {
    const at = (edges: string[]) =>
      documentOf({ nodes: [transform('a'), transform('b'), transform('c', ['x', 'y'])], edges });
    expect(diffDocuments(at(['a.value > c.x', 'b.value > c.y']), at(['b.value > c.y', 'a.value > c.x']))).toEqual([]);
    expect(diffDocuments(at(['a.value > c.x', 'b.value > c.x']), at(['b.value > c.x', 'a.value > c.x']))).toEqual([
      {
        what: 'edge',
        change: 'changed',
        graph: '$main',
        name: 'c.x',
        path: 'order',
        before: ['a.value', 'b.value'],
        after: ['b.value', 'a.value'],
      },
    ]);
  });
});
