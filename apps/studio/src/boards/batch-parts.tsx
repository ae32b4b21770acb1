import type { BatchView } from '@cua-forge/spec/api/batches';
import type { BatchState } from '@cua-forge/spec/store-port';
import { Ban, Check, CircleAlert, CircleDashed, Coins, LoaderCircle, Pause, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { count, duration, money } from '../ui/format.ts';

const icon = { size: 12, 'aria-hidden': true, strokeWidth: 2.5 } as const;
const looks: Record<BatchState, { label: string; tone: string; icon: ReactNode }> = {
  queued: { label: 'queued', tone: '', icon: <CircleDashed {...icon} /> },
  running: { label: 'running', tone: 'run', icon: <LoaderCircle {...icon} className="turning" /> },
  'needs-attention': { label: 'needs attention', tone: 'warn', icon: <CircleAlert {...icon} /> },
  paused: { label: 'paused', tone: 'warn', icon: <Pause {...icon} /> },
  budget: { label: 'out of budget', tone: 'warn', icon: <Coins {...icon} /> },
  succeeded: { label: 'done', tone: 'ok', icon: <Check {...icon} /> },
  failed: { label: 'failed', tone: 'bad', icon: <X {...icon} /> },
  cancelled: { label: 'cancelled', tone: '', icon: <Ban {...icon} /> },
  terminated: { label: 'terminated', tone: 'bad', icon: <Ban {...icon} /> },
};

export function BatchBadge({ state }: { state: BatchState }) {
  const look = looks[state];
  return (
    <span className={`badge ${look.tone}`}>
      {look.icon}
      {look.label}
    </span>
  );
}

/** Whether the batch can still start runs, now or after it is resumed. */
export const isOpenBatch = (state: BatchState): boolean =>
  state === 'queued' || state === 'running' || state === 'paused' || state === 'budget';

type Counts = BatchView['counts'];
/** What runs count as, with the colours that bars and plots share. */
export const shares: readonly { name: Exclude<keyof Counts, 'done' | 'waiting'>; label: string; color: string }[] = [
  { name: 'accepted', label: 'accepted', color: '--ok' },
  { name: 'rejected', label: 'rejected', color: '--warn' },
  { name: 'failed', label: 'failed', color: '--bad' },
  { name: 'cancelled', label: 'cancelled', color: '--faint' },
  { name: 'running', label: 'running', color: '--run' },
];

/** How far a batch is, by what became of its runs. */
export function BatchBar({ counts, total }: { counts: Counts; total: number }) {
  return (
    <div
      className="share-bar"
      role="progressbar"
      aria-label="Runs that ended"
      aria-valuemin={0}
      aria-valuemax={total}
      aria-valuenow={counts.done}
      aria-valuetext={`${counts.done} of ${total} ended`}
    >
      {shares.map(({ name, label, color }) => (
        <span
          key={name}
          title={`${counts[name]} ${label}`}
          style={{ width: `${(counts[name] / total) * 100}%`, background: `var(${color})` }}
        />
      ))}
    </div>
  );
}

export const pace = ({ perMinute }: BatchView['progress']): string =>
  perMinute === null ? '' : `${perMinute >= 10 ? Math.round(perMinute) : perMinute.toFixed(1)} / min`;

export const timeLeft = ({ secondsLeft }: BatchView['progress']): string =>
  secondsLeft === null ? '' : `${duration(Math.ceil(secondsLeft) * 1000)} left`;

/** `$1.20 of $5.00`, `12.4k tokens of 1.0M`; what was spent alone where there is no bound. */
export function spending({ batch, spent, rehearsed }: BatchView): {
  spent: string;
  bound: string | null;
  part: number;
} {
  const { usd, tokens } = batch.budget;
  const used = `${rehearsed ? 'no cost' : money(spent.unpriced > 0 ? null : spent.usd)} · ${count(spent.tokens)} tokens`;
  const bounds = [usd === null ? null : money(usd), tokens === null ? null : `${count(tokens)} tokens`].filter(
    (bound) => bound !== null,
  );
  const part = Math.max(usd === null ? 0 : spent.usd / usd, tokens === null ? 0 : spent.tokens / tokens);
  return { spent: used, bound: bounds.length === 0 ? null : bounds.join(' or '), part: Math.min(1, part) };
}

export const percent = (part: number): string => `${(part * 100).toFixed(part > 0.995 && part < 1 ? 1 : 0)} %`;

/** Id of the batch that an event tells of: the batch itself, or one of its runs. */
export const batchOfRun = (runId: string): string => runId.replace(/-\d+$/, '');
