import type { GraphNode } from '@cua-forge/spec/document';
import type { NodeStatus, NodeView } from '@cua-forge/spec/store-port';
import { useEffect, useMemo, useState } from 'react';
import { api } from '../api/api-client.ts';
import { countsText } from '../canvas/counts.ts';
import { useView } from '../canvas/view-store.ts';
import { useDocumentStore } from '../document/document-store.ts';
import { toastError } from '../ui/toast.tsx';
import { mapItems } from './run-progress.ts';
import { useRun } from './run-store.ts';
import { NodeBadge } from './status.tsx';

const PAGE = 500;
const SHOWN = 60;
const filters: readonly (NodeStatus | 'all')[] = ['all', 'failed', 'running', 'succeeded'];

/** The items of a map node with their states; one can be opened on the canvas. */
export function MapItems({ runId, runKey, node }: { runId: string; runKey: string; node: GraphNode }) {
  const store = useDocumentStore();
  const live = useRun((state) => state.nodes);
  const counts = useRun((state) => state.nodes.get(runKey)?.counts ?? null);
  const [filter, setFilter] = useState<NodeStatus | 'all'>('all');
  const [stored, setStored] = useState<readonly NodeView[]>([]);
  const [next, setNext] = useState<string | null>(null);
  const [shown, setShown] = useState(SHOWN);
  const prefix = `${runKey}[`;

  const load = async (after: string | null, before: readonly NodeView[]) => {
    try {
      const page = await api.nodes(runId, {
        prefix,
        limit: PAGE,
        ...(filter === 'failed' ? { status: filter } : {}),
        ...(after === null ? {} : { after }),
      });
      setStored([...before, ...page.nodes]);
      setNext(page.next);
    } catch (error) {
      toastError(error);
    }
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: loads anew for another node or filter only
  useEffect(() => {
    setShown(SHOWN);
    void load(null, []);
  }, [runId, prefix, filter]);

  const items = useMemo(() => {
    const newest = new Map(stored.map((view) => [view.key, view]));
    for (const view of live.values()) {
      const known = newest.get(view.key);
      if (known === undefined || known.seq < view.seq) newest.set(view.key, view);
    }
    return mapItems(newest.values(), runKey).filter((item) => filter === 'all' || item.status === filter);
  }, [stored, live, runKey, filter]);

  const { graph } = node.params;
  const open = (index: number) => {
    if (typeof graph !== 'string') return;
    useView
      .getState()
      .enter({ graph, prefix: `${runKey}[${index}]/`, label: `${node.title ?? node.id} · item ${index + 1}` });
    store.getState().select([]);
  };
  return (
    <div className="stack tight">
      <div className="row">
        <h3 className="grow">Items {counts !== null && <span className="muted">{countsText(counts)}</span>}</h3>
        <div className="segments">
          {filters.map((each) => (
            <button key={each} type="button" aria-pressed={filter === each} onClick={() => setFilter(each)}>
              {each}
            </button>
          ))}
        </div>
      </div>
      <ul className="plain-list">
        {items.slice(0, shown).map((item) => {
          const failure = item.nodes.find((view) => view.failure !== null)?.failure;
          return (
            <li key={item.index}>
              <button type="button" className="choice" onClick={() => open(item.index)}>
                <span>Item {item.index + 1}</span>
                <span className="grow truncate muted small">{failure?.message}</span>
                <NodeBadge status={item.status} />
              </button>
            </li>
          );
        })}
      </ul>
      {items.length === 0 && <span className="hint">No items{filter === 'all' ? ' yet' : ` that are ${filter}`}.</span>}
      {(items.length > shown || next !== null) && (
        <button
          type="button"
          className="button compact"
          onClick={() => {
            setShown(shown + SHOWN * 4);
            if (next !== null && items.length <= shown + SHOWN) void load(next, stored);
          }}
        >
          Show more
        </button>
      )}
    </div>
  );
}
