import { describe, expect, it } from 'vitest';
import { GraphDocument } from './document.ts';
import { applyEdits, DocumentEdit } from './document-edits.ts';

const document = GraphDocument.parse({
  forge: 1,
  id: 'd',
  title: 'D',
  inputs: { word: { type: 'text' } },
  nodes: [
    { id: 'a', kind: 'k.a', version: 1, params: { x: 1, y: 2 } },
    { id: 'b', kind: 'k.b', version: 1 },
  ],
  edges: [
    { from: '$inputs.word', to: 'a.in' },
    { from: 'a.out', to: 'b.in' },
  ],
  outputs: { last: 'b.out' },
});
const edited = (...edits: unknown[]) =>
  applyEdits(
    document,
    edits.map((edit) => DocumentEdit.parse(edit)),
    () => 7,
  );

describe('applyEdits', () => {
  it('adds a node of the newest version between two others', () => {
    const next = edited(
      { do: 'add-node', id: 'c', kind: 'k.c' },
      { do: 'disconnect', from: 'a.out', to: 'b.in' },
      { do: 'connect', from: 'a.out', to: 'c.in' },
      { do: 'connect', from: 'c.out', to: 'b.in' },
    );
    expect(next.nodes.at(-1)).toEqual({ id: 'c', kind: 'k.c', version: 7, params: {} });
    expect(next.edges.map(({ from, to }) => `${from}>${to}`)).toEqual([
      '$inputs.word>a.in',
      'a.out>c.in',
      'c.out>b.in',
    ]);
    expect(document.nodes).toHaveLength(2);
  });

  it('replaces params one by one, and null takes one away', () => {
    expect(edited({ do: 'set-params', id: 'a', params: { x: 3, y: null, z: [1] } }).nodes[0]?.params).toEqual({
      x: 3,
      z: [1],
    });
  });

  it('takes the edges and outputs of what is removed along', () => {
    const next = edited({ do: 'remove-node', id: 'b' }, { do: 'remove-input', name: 'word' });
    expect(next).toMatchObject({ edges: [], outputs: {}, inputs: {} });
  });

  it.each([
    [{ do: 'remove-node', id: 'x' }, 'no node "x"'],
    [{ do: 'add-node', id: 'a', kind: 'k.a' }, '"a" already'],
    [{ do: 'disconnect', from: 'b.out', to: 'a.in' }, 'no edge'],
    [{ do: 'set-title', graph: 'g', id: 'a', title: 'A' }, 'no graph "g"'],
    [{ do: 'remove-output', name: 'none' }, 'no output "none"'],
  ])('refuses %j', (edit, message) => {
    expect(() => edited(edit)).toThrow(message);
  });
});
