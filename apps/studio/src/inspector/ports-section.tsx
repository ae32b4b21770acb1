import { ERROR_PORT } from '@cua-forge/spec/ports';
import { Link2, X } from 'lucide-react';
import { useState } from 'react';
import { ConnectDialog } from '../canvas/connect-dialog.tsx';
import { unwire } from '../canvas/connecting.ts';
import type { CardModel } from '../canvas/graph-model.ts';
import { graphOf } from '../document/command.ts';
import { useDocument, useDocumentStore } from '../document/document-store.ts';
import { OUTPUTS_NODE } from '../document/edge-end.ts';

/** The ports of a node with what hangs on them; edges can be made and taken here without a pointer. */
export function PortsSection({ card, graph: graphName }: { card: CardModel; graph: string }) {
  const store = useDocumentStore();
  const document = useDocument((state) => state.document);
  const readOnly = useDocument((state) => state.readOnly);
  const [connecting, setConnecting] = useState<string | null>(null);
  const graph = graphOf(document, graphName);
  const remove = (from: string, to: string) =>
    store.getState().perform(unwire(store.getState().document, graphName, [{ from, to }]));
  const row = (from: string, to: string, shown: string) => (
    <div key={`${from}>${to}`} className="row port-link">
      <code className="truncate grow">{shown}</code>
      {!readOnly && (
        <button
          type="button"
          className="button quiet compact square"
          aria-label={`Disconnect ${from} from ${to}`}
          title="Disconnect"
          onClick={() => remove(from, to)}
        >
          <X size={13} aria-hidden />
        </button>
      )}
    </div>
  );
  return (
    <div className="stack">
      <h3>Ports</h3>
      {card.inputs.map((port) => {
        const to = `${card.id}.${port.name}`;
        const edges = graph.edges.filter((edge) => edge.to === to);
        return (
          <div key={port.name} className="port-line">
            <span className={`port-dot tone-${port.type}`} />
            <div className="grow">
              <div className="row tight">
                <strong title={port.doc}>{port.name}</strong>
                {port.required && <span className="required">*</span>}
                <span className="muted small">
                  {port.type} in{port.multiple ? ', many' : ''}
                </span>
              </div>
              {edges.length === 0 && <span className="hint">not connected</span>}
              {edges.map((edge) => row(edge.from, to, `← ${edge.from}`))}
            </div>
          </div>
        );
      })}
      {[...card.outputs, { name: ERROR_PORT, type: 'error', doc: 'Followed when this node fails.' } as const].map(
        (port) => {
          const from = `${card.id}.${port.name}`;
          const outputs = Object.entries(graph.outputs).filter(([, end]) => end === from);
          return (
            <div key={port.name} className="port-line">
              <span className={`port-dot tone-${port.type}`} />
              <div className="grow">
                <div className="row tight">
                  <strong title={port.doc}>{port.name}</strong>
                  <span className="muted small">{port.type} out</span>
                  <span className="grow" />
                  {!readOnly && (
                    <button
                      type="button"
                      className="button quiet compact"
                      aria-label={`Connect output ${port.name}`}
                      onClick={() => setConnecting(port.name)}
                    >
                      <Link2 size={13} aria-hidden /> Connect
                    </button>
                  )}
                </div>
                {graph.edges.filter((edge) => edge.from === from).map((edge) => row(from, edge.to, `→ ${edge.to}`))}
                {outputs.map(([name]) => row(from, `${OUTPUTS_NODE}.${name}`, `→ output ${name}`))}
              </div>
            </div>
          );
        },
      )}
      {connecting !== null && <ConnectDialog node={card.id} port={connecting} onClose={() => setConnecting(null)} />}
    </div>
  );
}
