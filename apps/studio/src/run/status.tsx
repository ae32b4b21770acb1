import type { NodeStatus, RunState } from '@cua-forge/spec/store-port';
import { Ban, Check, CircleAlert, CircleDashed, CircleSlash, Hand, LoaderCircle, X } from 'lucide-react';
import type { ReactNode } from 'react';

type Tone = 'ok' | 'bad' | 'warn' | 'run' | '';

interface Look {
  label: string;
  tone: Tone;
  icon: ReactNode;
}

const icon = { size: 12, 'aria-hidden': true, strokeWidth: 2.5 } as const;
const spinning = <LoaderCircle {...icon} className="turning" />;

const nodeLooks: Record<NodeStatus, Look> = {
  waiting: { label: 'waiting', tone: '', icon: <CircleDashed {...icon} /> },
  running: { label: 'running', tone: 'run', icon: spinning },
  awaiting: { label: 'needs approval', tone: 'warn', icon: <Hand {...icon} /> },
  succeeded: { label: 'succeeded', tone: 'ok', icon: <Check {...icon} /> },
  failed: { label: 'failed', tone: 'bad', icon: <X {...icon} /> },
  skipped: { label: 'skipped', tone: '', icon: <CircleSlash {...icon} /> },
  cancelled: { label: 'cancelled', tone: '', icon: <Ban {...icon} /> },
};

const runLooks: Record<RunState, Look> = {
  queued: { label: 'queued', tone: '', icon: <CircleDashed {...icon} /> },
  running: { label: 'running', tone: 'run', icon: spinning },
  'needs-attention': { label: 'needs attention', tone: 'warn', icon: <CircleAlert {...icon} /> },
  succeeded: { label: 'succeeded', tone: 'ok', icon: <Check {...icon} /> },
  failed: { label: 'failed', tone: 'bad', icon: <X {...icon} /> },
  cancelled: { label: 'cancelled', tone: '', icon: <Ban {...icon} /> },
  terminated: { label: 'terminated', tone: 'bad', icon: <Ban {...icon} /> },
};

export const nodeLook = (status: NodeStatus): Look => nodeLooks[status];

function Badge({ look }: { look: Look }) {
  return (
    <span className={`badge ${look.tone}`}>
      {look.icon}
      {look.label}
    </span>
  );
}

export const NodeBadge = ({ status }: { status: NodeStatus }) => <Badge look={nodeLooks[status]} />;
export const RunBadge = ({ state }: { state: RunState }) => <Badge look={runLooks[state]} />;

/** Whether the run can still change by itself or by an answer. */
export const isOpen = (state: RunState): boolean =>
  state === 'queued' || state === 'running' || state === 'needs-attention';
