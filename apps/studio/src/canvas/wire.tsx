import {
  BaseEdge,
  type ConnectionLineComponentProps,
  type EdgeProps,
  getBezierPath,
  useConnection,
  useStore,
} from '@xyflow/react';
import { memo } from 'react';
import { useServer } from '../api/server-store.ts';
import { useDocument } from '../document/document-store.ts';
import { useRun } from '../run/run-store.ts';
import { mayWire } from './connecting.ts';
import { isFar } from './far.ts';
import type { Wire } from './graph-model.ts';
import { useCrumb } from './view-store.ts';

export const WireView = memo(function WireView({
  source,
  sourceX,
  sourceY,
  targetX,
  targetY,
  sourcePosition,
  targetPosition,
  data,
  selected,
}: EdgeProps<Wire>) {
  const { prefix } = useCrumb();
  const far = useStore(isFar);
  const status = useRun((state) => (prefix === null ? undefined : state.nodes.get(prefix + source)?.status));
  const [path] = getBezierPath({ sourceX, sourceY, sourcePosition, targetX, targetY, targetPosition, curvature: 0.3 });
  const classes = ['wire', `tone-${data?.type ?? 'any'}`];
  if (data?.onError === true) classes.push('on-error');
  if (selected === true) classes.push('chosen');
  if (status === 'skipped') classes.push('dead');
  if (far) classes.push('far');
  return <BaseEdge path={path} className={classes.join(' ')} interactionWidth={far ? 0 : 16} />;
});

/** The wire in the hand; over a port that refuses it, it is red. */
export function WireInHand({
  fromX,
  fromY,
  toX,
  toY,
  fromPosition,
  toPosition,
  connectionStatus,
}: ConnectionLineComponentProps) {
  const [path] = getBezierPath({
    sourceX: fromX,
    sourceY: fromY,
    sourcePosition: fromPosition,
    targetX: toX,
    targetY: toY,
    targetPosition: toPosition,
    curvature: 0.3,
  });
  return <path d={path} className={connectionStatus === 'invalid' ? 'wire in-hand refused' : 'wire in-hand'} />;
}

/** Why the port under the pointer refuses the wire in the hand. */
export function Refusal() {
  const { graph } = useCrumb();
  const document = useDocument((state) => state.document);
  const kinds = useServer((state) => state.kinds);
  const ends = useConnection((connection) => {
    if (!connection.inProgress || connection.toHandle === null || connection.isValid === true) return null;
    const forwards = connection.fromHandle.type === 'source';
    const [source, target] = forwards
      ? [connection.fromHandle, connection.toHandle]
      : [connection.toHandle, connection.fromHandle];
    return `${source.nodeId}.${source.id} ${target.nodeId}.${target.id} ${source.type === target.type ? 'same' : ''}`;
  });
  const pointer = useConnection((connection) =>
    connection.inProgress && connection.pointer !== null ? `${connection.pointer.x} ${connection.pointer.y}` : null,
  );
  if (ends === null || pointer === null) return null;
  const [from = '', to = '', same] = ends.split(' ');
  const verdict =
    same === 'same'
      ? { ok: false as const, reason: 'An edge goes from an output to an input.' }
      : mayWire(document, graph, from, to, kinds);
  if (verdict.ok) return null;
  const [x, y] = pointer.split(' ').map(Number);
  return (
    <div className="refusal" role="alert" style={{ left: x, top: y }}>
      {verdict.reason}
    </div>
  );
}
