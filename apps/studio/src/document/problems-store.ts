import { type Finding, type GraphDocument, MAIN_GRAPH } from '@cua-forge/spec/document';
import { create } from 'zustand';
import { documentsApi } from '../api/documents-api.ts';
import { afterPaint } from '../ui/after-paint.ts';
import type { DocumentStore } from './document-store.ts';

interface ProblemsState {
  findings: readonly Finding[];
  byNode: ReadonlyMap<string, readonly Finding[]>;
  checking: boolean;
}

const none: ProblemsState = { findings: [], byNode: new Map(), checking: false };

/** What is wrong with the open document, by node. The server checks: it knows every kind and needs no evaluated code here. */
export const useProblems = create<ProblemsState>(() => none);

export const problemKey = (graph: string, node: string): string => `${graph}/${node}`;

function byNode(findings: readonly Finding[]): Map<string, Finding[]> {
  const map = new Map<string, Finding[]>();
  for (const finding of findings) {
    if (finding.node === undefined) continue;
    const key = problemKey(finding.graph ?? MAIN_GRAPH, finding.node);
    map.set(key, [...(map.get(key) ?? []), finding]);
  }
  return map;
}

const WAIT_MS = 300;
const AGAIN_MS = 2_000;

/** Checks the document after each pause in editing; what is wrong with it at first, `first` tells once the document is shown. Returns the function that ends it. */
export function watchProblems(store: DocumentStore, first: () => Promise<readonly Finding[]>): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let current = 0;
  let seen = store.getState().document;
  useProblems.setState({ ...none, checking: true });
  const find = async (ask: () => Promise<readonly Finding[]>) => {
    current += 1;
    const round = current;
    try {
      const findings = await ask();
      if (round === current) useProblems.setState({ findings, byNode: byNode(findings), checking: false });
    } catch {
      // The banner tells that the server is away; the last findings stay until it answers.
      if (round === current) timer = setTimeout(check, AGAIN_MS);
    }
  };
  const check = (): Promise<void> =>
    find(async () => (await documentsApi.validate({ source: JSON.stringify(store.getState().document) })).findings);
  const forget = afterPaint(() => void find(first));
  const schedule = () => {
    const { document } = store.getState();
    // Places of cards are no part of what is checked.
    if (sameMeaning(seen, document)) return;
    seen = document;
    forget();
    useProblems.setState({ checking: true });
    clearTimeout(timer);
    timer = setTimeout(check, WAIT_MS);
  };
  const unsubscribe = store.subscribe(schedule);
  return () => {
    unsubscribe();
    forget();
    clearTimeout(timer);
    current += 1;
    useProblems.setState(none);
  };
}

function sameMeaning(a: GraphDocument, b: GraphDocument): boolean {
  if (a === b) return true;
  return (
    a.nodes === b.nodes &&
    a.edges === b.edges &&
    a.inputs === b.inputs &&
    a.outputs === b.outputs &&
    a.graphs === b.graphs &&
    a.title === b.title &&
    a.skill === b.skill &&
    a.description === b.description
  );
}
