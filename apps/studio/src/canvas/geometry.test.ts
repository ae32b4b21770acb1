import type { Graph } from '@cua-forge/spec/document';
import { describe, expect, it } from 'vitest';
import { cardHeight, firstView, placesOfMissing } from './geometry.ts';

const node = (id: string) => ({ id, kind: 'data.transform', version: 1, params: {} });
const graph: Graph = {
  inputs: {},
  nodes: [node('last'), node('first'), node('middle')],
  edges: [
    { from: 'first.value', to: 'middle.value' },
    { from: 'middle.value', to: 'last.value' },
  ],
  outputs: {},
};

describe('placing cards', () => {
  it('puts each node right of what it depends on, and nothing onto another', () => {
    const places = placesOfMissing(graph, {}, () => 120);
    const x = (id: string) => places[id]?.x ?? Number.NaN;
    expect(x('first')).toBeLessThan(x('middle'));
    expect(x('middle')).toBeLessThan(x('last'));
    expect(x('last')).toBeLessThan(x('$outputs'));
    expect(new Set(Object.values(places).map(({ x: left, y }) => `${left},${y}`)).size).toBe(5);
  });

  it('gives a place to a node that is named like a member of every object', () => {
    const named = { ...graph, nodes: [node('constructor')], edges: [] };
    expect(placesOfMissing(named, {}, () => 120)).toHaveProperty('constructor', { x: expect.any(Number), y: 0 });
  });

  it('leaves what has a place alone and ends on a cycle', () => {
    const cyclic = { ...graph, edges: [...graph.edges, { from: 'last.value', to: 'first.value' }] };
    const places = placesOfMissing(cyclic, { first: { x: 7, y: 9 } }, () => 120);
    expect(Object.keys(places).toSorted()).toEqual(['$inputs', '$outputs', 'last', 'middle']);
  });

  it('makes room for the longer side of ports', () => {
    expect(cardHeight(4, 1)).toBe(cardHeight(1, 4));
    expect(cardHeight(4, 1)).toBeGreaterThan(cardHeight(2, 1));
  });

  it('puts the borders left and right of a graph that is laid out', () => {
    const places = placesOfMissing(
      graph,
      { first: { x: 500, y: 9 }, middle: { x: 900, y: 0 }, last: { x: 1300, y: 0 } },
      () => 120,
    );
    expect(places.$inputs?.x).toBeLessThan(500);
    expect(places.$outputs?.x).toBeGreaterThan(1300);
  });
});

describe('the first view', () => {
  const size = { width: 800, height: 600 };
  it('shows a small graph whole, in the middle', () => {
    expect(firstView([{ position: { x: 0, y: 0 }, width: 200, height: 100 }], size)).toEqual({
      x: 300,
      y: 250,
      zoom: 1,
    });
  });
  it('starts at the left of one that would be too small to read', () => {
    const view = firstView(
      [
        { position: { x: 1000, y: 0 }, width: 200, height: 100 },
        { position: { x: 9000, y: 0 }, width: 200, height: 100 },
      ],
      size,
    );
    expect(view.zoom).toBe(0.6);
    expect(1000 * view.zoom + view.x).toBe(48);
  });
});
