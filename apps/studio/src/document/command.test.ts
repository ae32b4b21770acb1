import type { GraphDocument } from '@cua-forge/spec/document';
import { MAIN_GRAPH } from '@cua-forge/spec/document';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { copyNodes, pasteNodes } from './clipboard.ts';
import { apply, type Command } from './command.ts';
import { connect, disconnect, freshId, removeInput, removeNodes, renameInput } from './edits.ts';
import { markSaved, openHistory, perform, redo, seal, undo } from './history.ts';

const graph = MAIN_GRAPH;

function sample(): GraphDocument {
  return {
    forge: 1,
    id: 'sample',
    title: 'Sample',
    inputs: { workbook: { type: 'file' } },
    nodes: ['a', 'b', 'c', 'd'].map((id) => ({ id, kind: 'data.transform', version: 1, params: {} })),
    edges: [
      { from: '$inputs.workbook', to: 'a.in' },
      { from: 'a.value', to: 'b.in' },
      { from: 'b.value', to: 'c.in' },
    ],
    outputs: { result: 'c.value' },
    graphs: {},
    layout: { [graph]: { a: { x: 0, y: 0 }, b: { x: 10, y: 0 } } },
    annotations: { [graph]: { note: { type: 'note', text: 'Why', x: 0, y: 90, width: 200, height: 80 } } },
  };
}

const id = fc.constantFrom('a', 'b', 'c', 'd');
/** Builds a command that is possible on the document it is given. */
const edit: fc.Arbitrary<(document: GraphDocument) => Command> = fc.oneof(
  fc.tuple(id, fc.integer({ min: -500, max: 500 })).map(
    ([node, x]) =>
      (): Command => ({ type: 'move', graph, positions: { [node]: { x, y: x } } }),
  ),
  fc.subarray(['a', 'b', 'c', 'd']).map((ids) => (document: GraphDocument) => removeNodes(document, graph, ids)),
  fc.tuple(id, id).map(
    ([from, to]) =>
      (document: GraphDocument) =>
        connect(document, graph, `${from}.value`, `${to}.in`),
  ),
  fc.tuple(id, id).map(
    ([from, to]) =>
      (document: GraphDocument) =>
        disconnect(document, graph, [{ from: `${from}.value`, to: `${to}.in` }]),
  ),
  fc
    .string({ minLength: 1, maxLength: 20 })
    .map((title) => (): Command => ({ type: 'set-meta', meta: { title, description: title, skill: undefined } })),
  fc.subarray(['a', 'b', 'c', 'd'], { minLength: 1 }).map((ids) => (document: GraphDocument): Command => {
    const text = copyNodes(document, graph, new Set(ids));
    return (text === null ? null : pasteNodes(document, graph, text)?.command) ?? { type: 'batch', commands: [] };
  }),
  id.map((node) => (document: GraphDocument): Command => {
    const has = document.nodes.some((each) => each.id === node);
    const to = freshId('renamed', new Set(document.nodes.map((each) => each.id)));
    return has ? { type: 'rename-node', graph, from: node, to } : { type: 'batch', commands: [] };
  }),
  fc.constant((document: GraphDocument) => renameInput(document, graph, 'workbook', 'book')),
  fc.constant((document: GraphDocument) => removeInput(document, graph, 'workbook')),
  fc.constant(
    (): Command => ({ type: 'set-graph', name: 'body', graph: { inputs: {}, nodes: [], edges: [], outputs: {} } }),
  ),
  fc.constant((): Command => ({ type: 'set-output', graph, name: 'result', end: undefined })),
  fc.tuple(fc.constantFrom('note', 'frame'), fc.option(fc.integer({ min: 80, max: 900 }))).map(
    ([which, width]) =>
      (): Command => ({
        type: 'set-annotation',
        graph,
        id: which,
        annotation: width === null ? undefined : { type: 'frame', text: which, x: 1, y: 2, width, height: 90 },
      }),
  ),
  fc
    .string({ minLength: 1, maxLength: 9 })
    .map((title) => (): Command => ({ type: 'set-document', document: { ...sample(), title } })),
);

describe('commands', () => {
  it('are undone exactly by their inverses, whatever came before', () => {
    fc.assert(
      fc.property(fc.array(edit, { minLength: 1, maxLength: 25 }), (edits) => {
        let document = sample();
        for (const make of edits) {
          const applied = apply(document, make(document));
          expect(apply(applied.document, applied.inverse).document).toEqual(document);
          document = applied.document;
        }
      }),
      { numRuns: 200 },
    );
  });

  it('leave what they do not touch identical', () => {
    const before = sample();
    const { document } = apply(before, { type: 'move', graph, positions: { a: { x: 5, y: 5 } } });
    expect(document.nodes).toBe(before.nodes);
    expect(document.edges).toBe(before.edges);
  });

  it('take edges, outputs and repair rules along with a removed node', () => {
    const before = sample();
    before.nodes[3] = { id: 'd', kind: 'gate.script', version: 1, params: {}, repair: { target: 'c', rounds: 2 } };
    const { document } = apply(before, removeNodes(before, graph, ['c']));
    expect(document.edges).toEqual([before.edges[0], before.edges[1]]);
    expect(document.outputs).toEqual({});
    expect(document.nodes.at(-1)).toEqual({ id: 'd', kind: 'gate.script', version: 1, params: {} });
  });

  it('refuse to rename onto an id that is taken', () => {
    expect(() => apply(sample(), { type: 'rename-node', graph, from: 'a', to: 'b' })).toThrow(/already/);
  });
});

describe('history', () => {
  const move = (x: number): Command => ({ type: 'move', graph, positions: { a: { x, y: 0 } } });

  it('undoes and redoes to the same documents', () => {
    fc.assert(
      fc.property(fc.array(edit, { minLength: 1, maxLength: 15 }), (edits) => {
        let history = openHistory(sample());
        const seen = [history.document];
        for (const make of edits) {
          history = perform(history, make(history.document));
          seen.push(history.document);
        }
        for (let index = seen.length - 2; index >= 0; index -= 1) {
          history = undo(history);
          expect(history.document).toEqual(seen[index]);
        }
        expect(history.dirty).toBe(false);
        for (const document of seen.slice(1)) {
          history = redo(history);
          expect(history.document).toEqual(document);
        }
      }),
      { numRuns: 60 },
    );
  });

  it('makes a paste of several nodes one step with fresh ids and inner edges', () => {
    const history = openHistory(sample());
    const text = copyNodes(history.document, graph, new Set(['a', 'b'])) ?? '';
    const paste = pasteNodes(history.document, graph, text);
    if (paste === null) throw new Error('nothing to paste');
    const after = perform(history, paste.command);
    expect(paste.ids).toEqual(['a-2', 'b-2']);
    expect(after.document.edges.at(-1)).toEqual({ from: 'a-2.value', to: 'b-2.in' });
    expect(undo(after).document).toEqual(history.document);
  });

  it('pastes notes with fresh ids, alone or with nodes', () => {
    const history = openHistory(sample());
    const text = copyNodes(history.document, graph, new Set(['a']), new Set(['note'])) ?? '';
    const both = pasteNodes(history.document, graph, text);
    expect(both?.ids).toEqual(['a-2', '#note-2']);
    if (both === null) throw new Error('nothing to paste');
    const after = perform(history, both.command);
    expect(after.document.annotations?.[graph]?.['note-2']).toMatchObject({ text: 'Why', x: 40, y: 130 });
    expect(undo(after).document).toEqual(history.document);
    const alone = copyNodes(history.document, graph, new Set(), new Set(['note'])) ?? '';
    expect(pasteNodes(history.document, graph, alone)?.ids).toEqual(['#note-2']);
  });

  it('merges typing in one field until it is sealed', () => {
    let history = openHistory(sample());
    history = perform(history, move(1), 'x');
    history = perform(history, move(2), 'x');
    expect(history.past).toHaveLength(1);
    history = perform(seal(history), move(3), 'x');
    expect(history.past).toHaveLength(2);
    expect(undo(undo(history)).document).toEqual(sample());
    expect(redo(undo(history)).document).toEqual(history.document);
  });

  it('knows the saved state again after undo, and keeps edits made during a save unsaved', () => {
    let history = perform(openHistory(sample()), move(1));
    const sent = history.document;
    history = markSaved(perform(history, move(2)), sent);
    expect(history.dirty).toBe(true);
    expect(undo(history).dirty).toBe(false);
    expect(undo(undo(history)).dirty).toBe(true);
  });

  it('reads foreign clipboard text as nothing', () => {
    expect(pasteNodes(sample(), graph, 'hello')).toBeNull();
    expect(pasteNodes(sample(), graph, '{"nodes": []}')).toBeNull();
  });
});
