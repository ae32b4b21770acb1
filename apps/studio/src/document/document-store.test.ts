import { GraphDocument } from '@cua-forge/spec/document';
import { expect, it } from 'vitest';
import { createDocumentStore } from './document-store.ts';

it('selects no longer what an undo takes away', () => {
  const node = (id: string) => ({ id, kind: 'data.transform', version: 1, params: {} });
  const document = GraphDocument.parse({ forge: 1, id: 'sample', title: 'Sample', nodes: [node('a')] });
  const store = createDocumentStore(document, { revision: 1 });
  store.getState().perform({ type: 'insert-node', graph: '$main', index: 1, node: node('b'), position: undefined });
  store.getState().select(['a', 'b', '$inputs']);
  store.getState().undo();
  expect([...store.getState().selection]).toEqual(['a', '$inputs']);
  store.getState().redo();
  expect([...store.getState().selection]).toEqual(['a', '$inputs']);
});
