import { ERROR_PORT } from '@cua-forge/spec/ports';
import { Handle, type NodeProps, Position, useStore } from '@xyflow/react';
import { CircleAlert, Layers, Pin, TriangleAlert } from 'lucide-react';
import { memo } from 'react';
import { graphOf } from '../document/command.ts';
import { useDocument } from '../document/document-store.ts';
import { problemKey, useProblems } from '../document/problems-store.ts';
import { usePins } from '../run/pins-store.ts';
import { useRun } from '../run/run-store.ts';
import { nodeLook } from '../run/status.tsx';
import { count, duration } from '../ui/format.ts';
import { countsText } from './counts.ts';
import { KindTile } from './family.tsx';
import { isFar } from './far.ts';
import { CARD, footerMiddle, rowMiddle } from './geometry.ts';
import type { BorderCard, CardModel, NodeCard, Port } from './graph-model.ts';
import { handledNodes, NEW_OUTPUT } from './graph-model.ts';
import { useCrumb } from './view-store.ts';

function Ports({ ports, side }: { ports: readonly Port[]; side: 'target' | 'source' }) {
  return ports.map((port, index) => (
    <div key={port.name} className={`port ${side}`} style={{ top: rowMiddle(index) }}>
      <Handle
        type={side}
        position={side === 'target' ? Position.Left : Position.Right}
        id={port.name}
        className={`handle tone-${port.type}${port.multiple && side === 'target' ? ' many' : ''}`}
        role="img"
        aria-label={`${side === 'target' ? 'Input' : 'Output'} ${port.name}, ${port.type}`}
      />
      <span
        className="port-name truncate"
        title={`${port.name}: ${port.type}${port.required ? ', required' : ''}${port.doc === '' ? '' : `\n${port.doc}`}`}
      >
        {port.name === NEW_OUTPUT ? 'new output' : port.name}
        {port.required && <span className="required">*</span>}
      </span>
    </div>
  ));
}

function Problems({ id }: { id: string }) {
  const { graph } = useCrumb();
  const findings = useProblems((state) => state.byNode.get(problemKey(graph, id)));
  if (findings === undefined) return null;
  const bad = findings.some((finding) => finding.severity === 'error');
  const Icon = bad ? CircleAlert : TriangleAlert;
  return (
    <span className={bad ? 'mark bad' : 'mark warn'} title={findings.map((finding) => finding.message).join('\n')}>
      <Icon size={15} aria-label={`${findings.length} ${findings.length === 1 ? 'problem' : 'problems'}`} />
    </span>
  );
}

function Footer({ card }: { card: CardModel }) {
  const { prefix, graph } = useCrumb();
  const key = prefix === null ? null : prefix + card.id;
  const view = useRun((state) => (key === null ? undefined : state.nodes.get(key)));
  const outcome = useRun((state) => (key === null ? undefined : state.outcomes.get(key)));
  const message = useRun((state) => (key === null ? undefined : state.messages.get(key)));
  const pinned = usePins((state) => key !== null && key in state.pins);
  const handled = useDocument((state) => handledNodes(graphOf(state.document, graph).edges).has(card.id));
  const look = view && nodeLook(view.status);
  const done = view?.status === 'succeeded' || view?.status === 'failed';
  const tokens = outcome ? outcome.usage.input + outcome.usage.output : 0;
  const counts = view?.counts;
  return (
    <div className="card-foot">
      {look !== undefined && view !== undefined && (
        <span className={`state ${look.tone}`}>
          {look.icon}
          <span className="truncate">
            {view.status === 'running' && message !== undefined
              ? message.message
              : view.status === 'awaiting' && card.kind?.flow !== 'approval'
                ? 'waits'
                : look.label}
          </span>
        </span>
      )}
      {look === undefined && card.kind?.flow === 'map' && (
        <span className="state">
          <Layers size={12} aria-hidden /> for each item
        </span>
      )}
      {counts !== null && counts !== undefined && <span className="figure">{countsText(counts)}</span>}
      {done && outcome?.origin === 'executed' && outcome.startedAt !== null && outcome.endedAt !== null && (
        <span className="figure">{duration(outcome.endedAt - outcome.startedAt)}</span>
      )}
      {done && outcome !== undefined && outcome.origin !== 'executed' && (
        <span className="chip" title={outcome.madeBy === null ? undefined : `Made by run ${outcome.madeBy}`}>
          {outcome.origin === 'memo' ? 'cached' : outcome.origin}
        </span>
      )}
      {tokens > 0 && <span className="figure">{count(tokens)} tok</span>}
      {view !== undefined && view.attempt > 1 && <span className="chip">try {view.attempt}</span>}
      {view !== undefined && view.round > 1 && <span className="chip">round {view.round}</span>}
      <span className="grow" />
      {pinned && <Pin size={12} aria-label="Output pinned" className="pinned" />}
      <span className={handled ? 'error-label on' : 'error-label'}>on error</span>
    </div>
  );
}

function Handles({ card, height }: { card: CardModel; height: number }) {
  return (
    <>
      <Ports ports={card.inputs} side="target" />
      <Ports ports={card.outputs} side="source" />
      <Handle
        type="source"
        position={Position.Right}
        id={ERROR_PORT}
        className="handle error tone-error"
        style={{ top: footerMiddle(height) }}
        role="img"
        aria-label="Output error: followed when this node fails"
      />
    </>
  );
}

export const NodeCardView = memo(function NodeCardView({ data: { card }, height = 0 }: NodeProps<NodeCard>) {
  const { prefix } = useCrumb();
  const status = useRun((state) => (prefix === null ? undefined : state.nodes.get(prefix + card.id)?.status));
  const far = useStore(isFar);
  if (far) {
    return (
      <div className="card far" data-status={status}>
        <div className="card-title">{card.node.title ?? card.id}</div>
        <Handles card={card} height={height} />
      </div>
    );
  }
  return (
    <div className="card" data-status={status} data-gate={card.kind?.gate === true || undefined}>
      <div className="card-head">
        <KindTile kind={card.node.kind} />
        <div className="grow">
          <div className="card-title truncate" title={card.node.notes ?? card.node.title}>
            {card.node.title ?? card.id}
          </div>
          <div className="card-kind truncate">{card.node.kind}</div>
        </div>
        <Problems id={card.id} />
      </div>
      <Handles card={card} height={height} />
      <Footer card={card} />
    </div>
  );
});

export const BorderCardView = memo(function BorderCardView({ data: { side, ports } }: NodeProps<BorderCard>) {
  const readOnly = useDocument((state) => state.readOnly);
  const shown: readonly Port[] =
    side === 'outputs' && !readOnly
      ? [
          ...ports,
          { name: NEW_OUTPUT, type: 'any', doc: 'Connect here to make a new output.', required: false, multiple: true },
        ]
      : ports;
  return (
    <div className="card border-card" style={{ width: CARD.width }}>
      <div className="card-head">
        <div className="grow">
          <div className="card-title">{side === 'inputs' ? 'Inputs' : 'Outputs'}</div>
          <div className="card-kind">{side === 'inputs' ? 'given when a run starts' : 'what a run ends with'}</div>
        </div>
      </div>
      {side === 'inputs' && ports.length === 0 && (
        <div className="port source" style={{ top: rowMiddle(0) }}>
          <span className="port-name muted">none yet</span>
        </div>
      )}
      <Ports ports={shown} side={side === 'inputs' ? 'source' : 'target'} />
    </div>
  );
});
