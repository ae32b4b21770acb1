import type { Played, PlayResult } from '@cua-forge/spec/models-view';
import { CircleCheck, CircleX } from 'lucide-react';
import { count, duration, money } from '../ui/format.ts';
import { FailureNotice } from '../ui/states.tsx';
import { ValueView } from '../values/value-view.tsx';

/** What each model made of the node, beside one another. */
export function PlayedCards({ result }: { result: PlayResult }) {
  return (
    <ul className="played plain-list" aria-label="Answers by model">
      {result.results.map((played) => (
        <li key={played.model} className="panel">
          <PlayedCard played={played} />
        </li>
      ))}
    </ul>
  );
}

function PlayedCard({ played }: { played: Played }) {
  const { model, valid, rehearsed, outputs, hidden, failure, calls, usage, usd, seconds } = played;
  return (
    <>
      <div className="row">
        {valid ? (
          <CircleCheck size={15} className="ok-text" aria-label="the node took the answer" />
        ) : (
          <CircleX size={15} className="bad-text" aria-label="the node did not take the answer" />
        )}
        <h3 className="grow truncate" title={model}>
          {model}
        </h3>
        {rehearsed && <span className="badge warn">rehearsal</span>}
      </div>
      <div className="row wrap muted small">
        <span>{duration(seconds * 1000)}</span>
        <span>
          {count(usage.input)} in, {count(usage.output)} out
        </span>
        <span>{rehearsed ? 'no cost' : money(usd)}</span>
        <span>{calls.length === 1 ? 'one call' : `${calls.length} calls`}</span>
      </div>
      {failure !== null && <FailureNotice failure={failure} />}
      {Object.entries(outputs).map(([port, value]) => (
        <div key={port} className="stack tight">
          <strong className="small">{port}</strong>
          <ValueView value={value} />
        </div>
      ))}
      {hidden.length > 0 && <p className="hint">Kept back: {hidden.join(', ')}.</p>}
      {calls.length > 0 && (
        <details className="details">
          <summary>Answers as they came</summary>
          {calls.map((call, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: calls have no identity but their order
            <pre key={index} className="text-value">
              {call.text ?? call.error}
            </pre>
          ))}
        </details>
      )}
    </>
  );
}
