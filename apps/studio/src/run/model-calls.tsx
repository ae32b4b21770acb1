import type { ModelCall } from '@cua-forge/spec/store-port';
import { count, duration, money } from '../ui/format.ts';
import { ValueCard } from '../values/value-view.tsx';

/** Every call of a model that the node made, also repeated and failed ones, with what each cost. */
export function ModelCalls({ calls }: { calls: readonly ModelCall[] }) {
  if (calls.length === 0) return <p className="hint">It has asked no model.</p>;
  return (
    <div className="stack">
      <table className="grid call-sum" aria-label="Model calls in all">
        <thead>
          <tr>
            <th>Calls</th>
            <th className="number">In</th>
            <th className="number">Cached</th>
            <th className="number">Out</th>
            <th className="number">Cost</th>
            <th className="number">Time</th>
          </tr>
        </thead>
        <tbody>
          <tr>
            <td>
              {calls.length}
              {calls.some(({ status }) => status === 'failed') &&
                `, ${calls.filter(({ status }) => status === 'failed').length} failed`}
            </td>
            <td className="number">{count(sum(calls, ({ usage }) => usage.input))}</td>
            <td className="number">{count(sum(calls, ({ usage }) => usage.cached))}</td>
            <td className="number">{count(sum(calls, ({ usage }) => usage.output))}</td>
            <td className="number">{costOf(calls)}</td>
            <td className="number">{duration(sum(calls, ({ milliseconds }) => milliseconds))}</td>
          </tr>
        </tbody>
      </table>
      {calls.map((call) => (
        <Call key={`${call.token}/${call.activityAttempt}/${call.index}`} call={call} />
      ))}
    </div>
  );
}

function Call({ call }: { call: ModelCall }) {
  const { purpose, provider, model, usage, round, attempt, activityAttempt, status, error, prompt, response } = call;
  return (
    <details className="value">
      <summary>
        <strong className="truncate">{purpose}</strong>
        <span className="muted small truncate">{model}</span>
        <span className="grow" />
        <span className={status === 'ok' ? 'muted small nowrap' : 'bad-text small nowrap'}>
          {duration(call.milliseconds)} · {count(usage.input + usage.output)} tok
        </span>
      </summary>
      <div className="row wrap small muted facts-line">
        <span className={provider === 'rehearsal' ? 'badge warn' : 'badge'}>{provider}</span>
        <span>
          {count(usage.input)} in, {count(usage.cached)} of them cached, {count(usage.output)} out
        </span>
        <span>{costOf([call])}</span>
        {round > 1 && <span>round {round}</span>}
        {attempt > 1 && <span>attempt {attempt}</span>}
        {activityAttempt > 1 && <span>delivery {activityAttempt}</span>}
      </div>
      {error !== null && <p className="problem">{error}</p>}
      {prompt !== null && <ValueCard name="prompt" value={prompt} />}
      {response !== null && <ValueCard name="response" value={response} />}
    </details>
  );
}

const sum = (calls: readonly ModelCall[], of: (call: ModelCall) => number): number =>
  calls.reduce((total, call) => total + of(call), 0);

function costOf(calls: readonly ModelCall[]): string {
  if (calls.every(({ provider }) => provider === 'rehearsal')) return 'no cost';
  const unpriced = calls.some(({ usd, usage }) => usd === null && usage.input + usage.output > 0);
  return money(unpriced ? null : sum(calls, ({ usd }) => usd ?? 0));
}
