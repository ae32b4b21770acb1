import type { BatchView } from '@cua-forge/spec/api/batches';
import type { ReactNode } from 'react';
import { count, money } from '../ui/format.ts';
import { pace, percent, spending, timeLeft } from './batch-parts.tsx';

interface FigureProps {
  label: string;
  value: ReactNode;
  note?: ReactNode;
  tone?: string;
}

export function Figure({ label, value, note, tone }: FigureProps) {
  return (
    <div className="figure">
      <dt>{label}</dt>
      <dd>
        <span className={`figure-value ${tone ?? ''}`}>{value}</span>
        {note !== undefined && note !== '' && <span className="small muted">{note}</span>}
      </dd>
    </div>
  );
}

/** What a batch has come to so far, in figures. */
export function BatchFigures({ view }: { view: BatchView }) {
  const { batch, counts, acceptance, perAccepted, progress, rehearsed, usage } = view;
  const spent = spending(view);
  const tokens = usage.usage;
  return (
    <dl className="figures">
      <Figure label="Ended" value={`${counts.done} of ${batch.count}`} note={`${counts.waiting} waiting`} />
      <Figure label="Running" value={counts.running} note={`${batch.window} at once`} />
      <Figure
        label="Accepted"
        value={counts.accepted}
        tone="ok-text"
        note={rehearsed ? 'rehearsal: no acceptance' : acceptance === null ? '' : percent(acceptance)}
      />
      <Figure label="Rejected" value={counts.rejected} tone={counts.rejected > 0 ? 'warn-text' : ''} note="by gates" />
      <Figure label="Failed" value={counts.failed} tone={counts.failed > 0 ? 'bad-text' : ''} />
      <Figure label="Pace" value={pace(progress) || '–'} note={timeLeft(progress)} />
      <Figure
        label="Tokens"
        value={count(tokens.input + tokens.output)}
        note={`${count(tokens.input)} in, ${count(tokens.cached)} of them cached, ${count(tokens.output)} out`}
      />
      <Figure
        label="Spent"
        value={spent.spent.split(' · ')[0]}
        note={
          spent.bound === null ? (
            'no budget'
          ) : (
            <>
              <span className="meter" aria-hidden>
                <span style={{ width: `${spent.part * 100}%` }} />
              </span>
              of {spent.bound}
            </>
          )
        }
      />
      <Figure
        label="For each accepted"
        value={perAccepted === null ? '–' : money(perAccepted.usd)}
        note={perAccepted === null ? '' : `${count(Math.round(perAccepted.tokens))} tokens`}
      />
    </dl>
  );
}
