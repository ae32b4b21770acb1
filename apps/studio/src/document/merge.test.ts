import { GraphDocument } from '@cua-forge/spec/document';
import { diffDocuments } from '@cua-forge/spec/document-diff';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { apply, type Command } from './command.ts';
import { removeNodes } from './edits.ts';
import { mergeDocuments } from './merge.ts';

const graph = '$main';
const base = GraphDocument.parse({
  forge: 1,
  id: 'sample',
  title: 'Sample',
  inputs: { book: { type: 'file' } },
  nodes: ['a', 'b', 'c'].map((id) => ({ id, kind: 'data.transform', version: 1, params: { expression: id, size: 1 } })),
  edges: [
    { from: 'a.value', to: 'b.in' },
    { from: 'b.value', to: 'c.in' },
  ],
  outputs: { result: 'c.value' },
  graphs: { body: { nodes: [{ id: 'inner', kind: 'data.transform', version: 1 }] } },
  layout: { $main: { a: { x: 0, y: 0 } } },
});

const edited = (...commands: Command[]) => apply(base, { type: 'batch', commands }).document;
const params = (id: string, change: Record<string, string | number>): Command => {
  const node = base.nodes.find((each) => each.id === id);
  if (node === undefined) throw new Error(id);
  return { type: 'replace-node', graph, node: { ...node, params: { ...node.params, ...change } } };
};
const meta = (title: string): Command => ({
  type: 'set-meta',
  meta: { title, description: undefined, skill: undefined },
});

describe('merging', () => {
  it('takes from each side what it alone changed, within one node too', () => {
    const mine = edited(params('a', { expression: 'mine' }), meta('Mine'));
    const theirs = edited(params('a', { size: 2 }), params('b', { expression: 'theirs' }));
    const { document, conflicts } = mergeDocuments(base, mine, theirs);
    expect(conflicts).toEqual([]);
    expect(document.title).toBe('Mine');
    expect(document.nodes[0]?.params).toEqual({ expression: 'mine', size: 2 });
    expect(document.nodes[1]?.params.expression).toBe('theirs');
  });

  it('asks where both changed one thing, and follows the choice', () => {
    const mine = edited(params('a', { expression: 'mine' }));
    const theirs = edited(params('a', { expression: 'theirs' }));
    const { document, conflicts } = mergeDocuments(base, mine, theirs);
    expect(conflicts).toEqual([
      {
        path: 'graphs/$main/nodes/a/params/expression',
        label: 'node a · params.expression',
        mine: 'mine',
        theirs: 'theirs',
      },
    ]);
    expect(document.nodes[0]?.params.expression).toBe('mine');
    const path = conflicts[0]?.path ?? '';
    const chosen = mergeDocuments(base, mine, theirs, new Map([[path, 'theirs']]));
    expect(chosen.document.nodes[0]?.params.expression).toBe('theirs');
  });

  it('asks when one side took what the other changed, and leaves no edge in the air', () => {
    const mine = edited(params('c', { expression: 'mine' }));
    const theirs = edited(removeNodes(base, graph, ['c']));
    const { conflicts } = mergeDocuments(base, mine, theirs);
    expect(conflicts.map(({ path }) => path)).toEqual(['graphs/$main/nodes/c']);
    const gone = mergeDocuments(base, mine, theirs, new Map([['graphs/$main/nodes/c', 'theirs']])).document;
    expect(gone.nodes.map(({ id }) => id)).toEqual(['a', 'b']);
    expect(gone.edges).toEqual([{ from: 'a.value', to: 'b.in' }]);
    expect(gone.outputs).toEqual({});
  });

  it('never asks about places', () => {
    const at = (x: number): Command => ({ type: 'move', graph, positions: { a: { x, y: 0 } } });
    const { document, conflicts } = mergeDocuments(base, edited(at(1)), edited(at(2)));
    expect(conflicts).toEqual([]);
    expect(document.layout.$main?.a?.x).toBe(1);
  });

  const edit = fc.oneof(
    fc.constantFrom('a', 'b', 'c').map((id) => removeNodes(base, graph, [id])),
    fc.tuple(fc.constantFrom('a', 'b', 'c'), fc.string()).map(([id, text]) => params(id, { expression: text })),
    fc.string({ minLength: 1, maxLength: 9 }).map(meta),
    fc.constant<Command>({ type: 'set-graph', name: 'body', graph: undefined }),
  );

  it('is the other side where one side changed nothing, and itself where both did the same', () => {
    fc.assert(
      fc.property(edit, (command) => {
        const changed = apply(base, command).document;
        for (const [mine, theirs] of [
          [base, changed],
          [changed, base],
          [changed, changed],
        ] as const) {
          const { document, conflicts } = mergeDocuments(base, mine, theirs);
          expect(conflicts).toEqual([]);
          expect(diffDocuments(changed, document)).toEqual([]);
        }
      }),
    );
  });
});
