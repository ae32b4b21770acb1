import { useMemo, useState } from 'react';
import { useServer } from '../api/server-store.ts';
import { useDocument, useDocumentStore } from '../document/document-store.ts';
import { Dialog } from '../ui/dialog.tsx';
import { type Candidate, sourcesOf, targetsOf, wire } from './connecting.ts';
import { useCrumb } from './view-store.ts';

interface ConnectDialogProps {
  node: string;
  /** Port to start with. */
  port?: string;
  onClose(): void;
}

/** Connecting without a pointer: choose an output of the node, then one of the ports that take it. */
export function ConnectDialog({ node, port, onClose }: ConnectDialogProps) {
  const store = useDocumentStore();
  const { graph } = useCrumb();
  const document = useDocument((state) => state.document);
  const kinds = useServer((state) => state.kinds);
  const sources = useMemo(() => sourcesOf(document, graph, node, kinds), [document, graph, node, kinds]);
  const [chosen, setChosen] = useState(port ?? sources[0]?.name ?? '');
  const [query, setQuery] = useState('');
  const from = `${node}.${chosen}`;
  const targets = useMemo(
    () => (chosen === '' ? [] : targetsOf(document, graph, from, kinds)),
    [document, graph, chosen, from, kinds],
  );
  const shown = targets.filter((target) => `${target.title} ${target.end}`.toLowerCase().includes(query.toLowerCase()));
  const take = (target: Candidate | undefined) => {
    if (target === undefined) return;
    store.getState().perform(wire(store.getState().document, graph, from, target.end));
    onClose();
  };
  return (
    <Dialog title="Connect" onClose={onClose} onSubmit={() => take(shown[0])}>
      <div className="field">
        <label className="label" htmlFor="connect-source">
          From output
        </label>
        <select
          id="connect-source"
          className="select"
          value={chosen}
          onChange={(event) => setChosen(event.target.value)}
        >
          {sources.map((source) => (
            <option key={source.name} value={source.name}>
              {source.name} ({source.type})
            </option>
          ))}
        </select>
      </div>
      <input
        className="input"
        type="search"
        placeholder="Find a port…"
        aria-label="Find a port"
        value={query}
        onChange={(event) => setQuery(event.target.value)}
      />
      <section className="choices" aria-label="Ports that take it">
        {shown.length === 0 && <span className="hint">No port here takes this output.</span>}
        {shown.map((target) => (
          <button key={target.end} type="button" className="choice" onClick={() => take(target)}>
            <span className={`port-dot tone-${target.type}`} />
            <span className="grow truncate">{target.title}</span>
            <code className="muted">{target.port}</code>
          </button>
        ))}
      </section>
    </Dialog>
  );
}
