import '../styles/boards.css';
import type { CostBy, CostRow, CostTable } from '@cua-forge/spec/costs';
import { Coins } from 'lucide-react';
import { useId, useState } from 'react';
import { costsApi } from '../api/costs-api.ts';
import { useLive } from '../api/use-live.ts';
import { Figure } from '../boards/batch-figures.tsx';
import { daysBefore, type Period, periodQuery, periods } from '../boards/period.ts';
import { StaleNotice } from '../boards/stale-notice.tsx';
import type { Route } from '../route.ts';
import { count, money } from '../ui/format.ts';
import { Link } from '../ui/link.tsx';
import { Empty, LoadFailed, Loading } from '../ui/states.tsx';
import { Tabs } from '../ui/tabs.tsx';

const groups: Record<CostBy, { label: string; none: string }> = {
  skill: { label: 'Skill', none: 'no skill' },
  model: { label: 'Model', none: 'unknown model' },
  batch: { label: 'Batch', none: 'outside batches' },
  node: { label: 'Node', none: 'unknown node' },
  run: { label: 'Run', none: 'unknown run' },
};
const order: readonly CostBy[] = ['skill', 'model', 'batch', 'node', 'run'];
const ROWS = 200;

/** What model calls cost, by what they were for; also for each accepted package. */
export function CostsPage() {
  const [by, setBy] = useState<CostBy>('skill');
  const [period, setPeriod] = useState<Period>({ days: 30 });
  const query = periodQuery(period);
  const { load, stale, stream, again } = useLive(
    () => costsApi.costs({ by, limit: ROWS, ...query }),
    [by, query.from, query.to],
    { feed: {}, wants: ({ type }) => type === 'outcome' || type === 'package', paceMs: 3_000 },
  );
  return (
    <div className="page wide stack board">
      <div className="page-head">
        <h1 className="grow">Costs</h1>
        <PeriodFilter period={period} onChange={setPeriod} />
      </div>
      <Tabs label="Costs by" value={by} onChange={setBy} tabs={order.map((id) => ({ id, label: groups[id].label }))} />
      {load.status === 'loading' && <Loading what="costs" />}
      {load.status === 'failed' && <LoadFailed error={load.error} onRetry={again} />}
      {load.status === 'loaded' && (
        <>
          <StaleNotice stale={stale} stream={stream} />
          <Costs table={load.value} />
        </>
      )}
    </div>
  );
}

function PeriodFilter({ period, onChange }: { period: Period; onChange(period: Period): void }) {
  const id = useId();
  const custom = 'from' in period;
  return (
    <div className="row wrap">
      <select
        className="select filter"
        aria-label="Period"
        value={custom ? 'custom' : String(period.days)}
        onChange={({ target: { value } }) => {
          if (value === 'custom') onChange({ from: daysBefore(7), to: daysBefore(0) });
          else onChange({ days: value === 'null' ? null : Number(value) });
        }}
      >
        {periods.map(({ days, label }) => (
          <option key={label} value={String(days)}>
            {label}
          </option>
        ))}
        <option value="custom">from … to …</option>
      </select>
      {custom && (
        <>
          <label className="visually-hidden" htmlFor={`${id}-from`}>
            First day (UTC)
          </label>
          <input
            id={`${id}-from`}
            className="input date"
            type="date"
            value={period.from}
            max={period.to}
            onChange={({ target }) => target.value !== '' && onChange({ ...period, from: target.value })}
          />
          <span className="muted">to</span>
          <label className="visually-hidden" htmlFor={`${id}-to`}>
            Last day (UTC)
          </label>
          <input
            id={`${id}-to`}
            className="input date"
            type="date"
            value={period.to}
            min={period.from}
            onChange={({ target }) => target.value !== '' && onChange({ ...period, to: target.value })}
          />
        </>
      )}
    </div>
  );
}

function Costs({ table }: { table: CostTable }) {
  const { total, rows, rehearsedCalls, by } = table;
  const rehearsed =
    rehearsedCalls === 0 ? null : `${count(rehearsedCalls)} rehearsed calls, which cost nothing, are in no row.`;
  if (rows.length === 0) {
    return (
      <Empty icon={<Coins size={28} aria-hidden />} title="No model was asked in this time">
        <p>{rehearsed ?? 'Costs appear here as soon as a run asks a model.'}</p>
      </Empty>
    );
  }
  const dearest = Math.max(...rows.map(weightOf));
  return (
    <>
      <dl className="figures">
        <Figure label="Money" value={money(total.usd)} note={unpriced(total)} />
        <Figure
          label="Calls"
          value={count(total.calls)}
          note={total.failedCalls > 0 ? `${total.failedCalls} failed` : ''}
        />
        <Figure label="Input" value={count(total.usage.input)} note={`${count(total.usage.cached)} of them cached`} />
        <Figure label="Output" value={count(total.usage.output)} />
        <Figure label="Accepted packages" value={total.accepted} note={`of ${total.runs} runs`} />
        <Figure
          label="For each accepted"
          value={total.accepted === 0 ? '–' : money(total.usdPerAccepted)}
          note={total.tokensPerAccepted === null ? '' : `${count(Math.round(total.tokensPerAccepted))} tokens`}
        />
      </dl>
      <table className="list">
        <thead>
          <tr>
            <th>{groups[by].label}</th>
            <th className="number">Money</th>
            <th className="number">Calls</th>
            <th className="number">Input</th>
            <th className="number">Cached</th>
            <th className="number">Output</th>
            <th className="number">Accepted</th>
            <th className="number">Money each</th>
            <th className="number">Tokens each</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.key}>
              <td>
                <Key by={by} row={row} />
                <div className="meter" aria-hidden>
                  <span style={{ width: `${dearest === 0 ? 0 : (weightOf(row) / dearest) * 100}%` }} />
                </div>
              </td>
              <td className="number" title={unpriced(row)}>
                {money(row.usd)}
              </td>
              <td className="number">
                {count(row.calls)}
                {row.failedCalls > 0 && <div className="small bad-text">{row.failedCalls} failed</div>}
              </td>
              <td className="number">{count(row.usage.input)}</td>
              <td className="number">{count(row.usage.cached)}</td>
              <td className="number">{count(row.usage.output)}</td>
              <td className="number">{row.accepted}</td>
              <td className="number">{row.accepted === 0 ? '–' : money(row.usdPerAccepted)}</td>
              <td className="number">
                {row.tokensPerAccepted === null ? '–' : count(Math.round(row.tokensPerAccepted))}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length === ROWS && <p className="hint">The {ROWS} dearest.</p>}
      {rehearsed !== null && <p className="hint">{rehearsed}</p>}
    </>
  );
}

/** Length of a row's bar: its money, or its tokens where no price is known. */
const weightOf = ({ usd, usage }: CostRow): number => usd ?? (usage.input + usage.output) / 1e6;

const unpriced = ({ unpricedCalls }: CostRow): string =>
  unpricedCalls === 0 ? '' : `no price is known for ${unpricedCalls} calls`;

function Key({ by, row: { key } }: { by: CostBy; row: CostRow }) {
  if (key === '') return <span className="muted">{groups[by].none}</span>;
  const to: Route | null =
    by === 'batch'
      ? { page: 'batch', id: key }
      : by === 'run'
        ? { page: 'run', id: key }
        : by === 'node'
          ? { page: 'document', id: key.slice(0, key.indexOf('/')) }
          : null;
  return to === null ? (
    <strong>{key}</strong>
  ) : (
    <Link to={to} className="list-main">
      {key}
    </Link>
  );
}
