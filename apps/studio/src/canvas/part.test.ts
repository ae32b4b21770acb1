import { GraphDocument } from '@cua-forge/spec/document';
import { describe, expect, it } from 'vitest';
import { graphModel } from './graph-model.ts';
import { partIn } from './part.ts';

const step = (id: string, inputs: object = {}) => ({ id, kind: 'data.transform', version: 1, params: { inputs } });
const document = GraphDocument.parse({
  forge: 1,
  id: 'row',
  title: 'Row',
  nodes: [step('a'), step('b'), step('c'), step('d')],
  edges: [
    { from: 'a.value', to: 'b.value' },
    { from: 'b.value', to: 'c.value' },
    { from: 'c.value', to: 'd.value' },
  ],
  layout: { $main: { a: { x: 0, y: 0 }, b: { x: 1000, y: 0 }, c: { x: 2000, y: 0 }, d: { x: 3000, y: 0 } } },
});

describe('the part of a graph that a view shows', () => {
  it('is the cards in it, their wires, and the cards at the other ends', () => {
    const model = graphModel(document, '$main', [], true, null);
    const part = partIn(model, { x: -450, y: 0, zoom: 0.5 }, { width: 200, height: 400 });
    expect([...part.cards].toSorted()).toEqual(['a', 'b', 'c']);
    expect([...part.wires]).toEqual(['a.value>b.value', 'b.value>c.value']);
    expect(partIn(model, { x: 0, y: 90_000, zoom: 1 }, { width: 200, height: 400 }).cards.size).toBe(0);
  });
});
