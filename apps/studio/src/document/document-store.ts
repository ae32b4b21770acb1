import type { GraphDocument } from '@cua-forge/spec/document';
import { createContext, useContext } from 'react';
import { createStore, type StoreApi, useStore } from 'zustand';
import { annotationCardId } from './annotation-id.ts';
import type { Command } from './command.ts';
import { INPUTS_NODE, OUTPUTS_NODE } from './edge-end.ts';
import { type History, markSaved, openHistory, perform, redo, seal, undo } from './history.ts';

export interface DocumentState extends History {
  /** Revision on the server that the edits stand on; null for a document that was never saved. */
  revision: number | null;
  readOnly: boolean;
  /** Ids of selected nodes; `$inputs` and `$outputs` for the cards of the graph's own ports. */
  selection: ReadonlySet<string>;
  /** Selected edges, as `from>to`. */
  selectedEdges: ReadonlySet<string>;
  /** One step for undo; does nothing in a document that is only shown. */
  perform(command: Command, merge?: string): void;
  seal(): void;
  undo(): void;
  redo(): void;
  select(nodes: Iterable<string>, edges?: Iterable<string>): void;
  /** Takes `document`, which a save has just stored, as the saved state. */
  acceptSave(document: GraphDocument, revision: number): void;
  /** Replaces everything, history too. */
  open(document: GraphDocument, revision: number | null): void;
}

export type DocumentStore = StoreApi<DocumentState>;

export function createDocumentStore(
  document: GraphDocument,
  options: { revision: number | null; readOnly?: boolean; unsaved?: boolean },
): DocumentStore {
  return createStore<DocumentState>((set, get) => {
    const edit = (change: (history: History) => History) => {
      if (!get().readOnly) set((state) => change(state));
    };
    return {
      ...openHistory(document, options.unsaved),
      revision: options.revision,
      readOnly: options.readOnly ?? false,
      selection: new Set(),
      selectedEdges: new Set(),
      perform: (command, merge) => edit((history) => perform(history, command, merge)),
      seal: () => edit(seal),
      undo: () => {
        edit(undo);
        set(withoutGone);
      },
      redo: () => {
        edit(redo);
        set(withoutGone);
      },
      select: (nodes, edges = []) => set({ selection: new Set(nodes), selectedEdges: new Set(edges) }),
      acceptSave: (sent, revision) => set((state) => ({ ...markSaved(state, sent), revision })),
      open: (next, revision) => set({ ...openHistory(next), revision, selection: new Set(), selectedEdges: new Set() }),
    };
  });
}

/** What an undo took away is selected no more. */
function withoutGone({ document, selection }: DocumentState): Partial<DocumentState> {
  const there = new Set([INPUTS_NODE, OUTPUTS_NODE]);
  for (const { nodes } of [document, ...Object.values(document.graphs)]) for (const { id } of nodes) there.add(id);
  for (const annotations of Object.values(document.annotations ?? {}))
    for (const id of Object.keys(annotations)) there.add(annotationCardId(id));
  const kept = [...selection].filter((id) => there.has(id));
  return kept.length === selection.size ? {} : { selection: new Set(kept) };
}

export const DocumentContext = createContext<DocumentStore | null>(null);

export function useDocumentStore(): DocumentStore {
  const store = useContext(DocumentContext);
  if (store === null) throw new Error('No document is open here.');
  return store;
}

export function useDocument<T>(select: (state: DocumentState) => T): T {
  return useStore(useDocumentStore(), select);
}
