import { policies } from '@cua-forge/spec/kind';
import { beforeEach, describe, expect, it } from 'vitest';
import { useServer } from '../api/server-store.ts';
import { emptyDocument } from '../document/document-file.ts';
import { createDocumentStore } from '../document/document-store.ts';
import { editorActions, freePlace } from './editor-actions.ts';

const kind = {
  id: 'data.step',
  version: 2,
  title: 'Step',
  doc: 'A step.',
  params: { type: 'object', properties: { expression: { type: 'string', default: '$' } } },
  inputs: { value: { type: 'json' as const, doc: '', required: true, multiple: false } },
  outputs: { value: { type: 'json' as const, doc: '', hidden: false } },
  policy: policies.cheap,
  gate: false,
  implementation: '',
  example: {},
};

describe('actions of the editor', () => {
  beforeEach(() => useServer.setState({ kinds: [kind] }));

  it('adds nodes with the defaults of their kind, beside each other, and takes them away in one step', () => {
    const store = createDocumentStore(emptyDocument('a', 'A'), { revision: 1 });
    const actions = editorActions(store);
    actions.add(kind, { x: 300, y: 300 });
    actions.add(kind, { x: 300, y: 300 });
    const { nodes, layout } = store.getState().document;
    expect(nodes.map(({ id, version, params }) => [id, version, params.expression])).toEqual([
      ['step', 2, '$'],
      ['step-2', 2, '$'],
    ]);
    expect(layout.$main?.['step-2']?.x).toBeGreaterThan(layout.$main?.step?.x ?? 0);
    actions.selectAll();
    actions.removeSelected();
    expect(store.getState().document.nodes).toEqual([]);
    actions.undo();
    expect(store.getState().document.nodes).toHaveLength(2);
  });

  it('duplicates what is selected under new ids', () => {
    const store = createDocumentStore(emptyDocument('a', 'A'), { revision: 1 });
    const actions = editorActions(store);
    actions.add(kind, { x: 0, y: 0 });
    actions.duplicate();
    expect(store.getState().document.nodes.map(({ id }) => id)).toEqual(['step', 'step-2']);
    expect([...store.getState().selection]).toEqual(['step-2']);
  });

  it('changes nothing in a document that is only shown', () => {
    const store = createDocumentStore(emptyDocument('a', 'A'), { revision: 1, readOnly: true });
    editorActions(store).add(kind, { x: 0, y: 0 });
    expect(store.getState().document.nodes).toEqual([]);
  });

  it('finds a free place below what is in the way', () => {
    expect(freePlace({ x: 0, y: 0 }, [{ position: { x: 10, y: 10 }, width: 200, height: 100 }])).toEqual({
      x: 0,
      y: 144,
    });
  });
});
