import type { NodeDetail } from '@cua-forge/spec/api/runs';
import type { JsonObject } from '@cua-forge/spec/json';
import type { Outcome } from '@cua-forge/spec/store-port';
import { CircleCheck, CircleX } from 'lucide-react';
import { useState } from 'react';
import { count, duration, money } from '../ui/format.ts';
import { FailureNotice } from '../ui/states.tsx';
import { ValueCard } from '../values/value-view.tsx';

/** How a node ended: its outputs, inputs, verdict, params and model calls; earlier executions can be chosen. */
export function Outcomes({ detail }: { detail: NodeDetail }) {
  const [chosen, setChosen] = useState(0);
  const outcome = detail.outcomes[chosen] ?? detail.outcomes[0];
  if (outcome === undefined) return <p className="hint">It has not ended yet; inputs and outputs show once it has.</p>;
  const inputs = Object.entries(outcome.inputs);
  const outputs = Object.entries(outcome.outputs);
  return (
    <>
      {detail.outcomes.length > 1 && (
        <label className="row small">
          <span className="muted">Execution</span>
          <select className="select" value={chosen} onChange={(event) => setChosen(Number(event.target.value))}>
            {detail.outcomes.map((each, index) => (
              <option key={each.token} value={index}>
                {detail.outcomes.length - index}: round {each.round}, attempt {each.attempt}, {each.status}
              </option>
            ))}
          </select>
        </label>
      )}
      <OutcomeFacts outcome={outcome} />
      {outcome.failure !== null && outcome.status === 'failed' && detail.view?.status !== 'failed' && (
        <FailureNotice failure={outcome.failure} />
      )}
      {outcome.verdict !== null && <Verdict outcome={outcome} />}
      <h3>Outputs</h3>
      {outputs.length === 0 && <span className="hint">none</span>}
      {outputs.map(([name, ref]) => (
        <ValueCard key={`${outcome.token}${name}`} name={name} value={ref} />
      ))}
      <h3>Inputs</h3>
      {inputs.length === 0 && <span className="hint">none</span>}
      {inputs.flatMap(([name, refs]) =>
        refs.map((ref, index) => (
          <ValueCard
            key={`${outcome.token}${name}${ref.hash}${ref.index ?? ''}`}
            name={name}
            value={ref}
            {...(refs.length > 1 ? { note: `${index + 1} of ${refs.length}` } : {})}
          />
        )),
      )}
      <Params params={detail.params} />
    </>
  );
}

function Params({ params }: { params: JsonObject }) {
  return (
    <details className="details">
      <summary>Parameters as run</summary>
      <pre className="text-value">{JSON.stringify(params, null, 2)}</pre>
    </details>
  );
}

function OutcomeFacts({ outcome }: { outcome: Outcome }) {
  const origin = {
    executed: null,
    memo: `cached from run ${outcome.madeBy ?? 'of before'}`,
    pinned: 'pinned',
    reused: `taken from run ${outcome.madeBy ?? 'of before'}`,
    decision: 'decided by a person',
  }[outcome.origin];
  const tokens = outcome.usage.input + outcome.usage.output;
  return (
    <div className="row wrap small muted facts-line">
      <span>{duration(outcome.endedAt - outcome.startedAt)}</span>
      {origin !== null && <span className="badge">{origin}</span>}
      {tokens > 0 && (
        <span>{`${count(outcome.usage.input)} in (${count(outcome.usage.cached)} cached), ${count(outcome.usage.output)} out · ${money(outcome.usd)}`}</span>
      )}
      {outcome.providers.map((provider) => (
        <span key={provider} className={provider === 'rehearsal' ? 'badge warn' : 'badge'}>
          {provider}
        </span>
      ))}
    </div>
  );
}

function Verdict({ outcome }: { outcome: Outcome }) {
  const { verdict } = outcome;
  if (verdict === null) return null;
  return (
    <div className="stack tight">
      <h3>
        Verdict:{' '}
        <span
          className={verdict.verdict === 'pass' ? 'ok-text' : verdict.verdict === 'repair' ? 'warn-text' : 'bad-text'}
        >
          {verdict.verdict}
        </span>
      </h3>
      <ul className="evidence">
        {verdict.evidence.map((each) => (
          <li key={`${each.check}${each.detail}`}>
            {each.ok ? (
              <CircleCheck size={14} className="ok-text" aria-label="holds" />
            ) : (
              <CircleX size={14} className="bad-text" aria-label="does not hold" />
            )}
            <span>
              {each.check} <span className="muted">{each.detail}</span>
            </span>
          </li>
        ))}
      </ul>
      {verdict.feedback !== undefined && <pre className="text-value">{verdict.feedback}</pre>}
    </div>
  );
}
