import '../styles/boards.css';
import type { RunView } from '@cua-forge/spec/api/runs';
import { RotateCcw } from 'lucide-react';
import { Fragment, type ReactNode, useMemo, useState } from 'react';
import { runsApi } from '../api/runs-api.ts';
import { useMay } from '../api/session-store.ts';
import { useLive } from '../api/use-live.ts';
import { useLoad } from '../api/use-load.ts';
import { StaleNotice } from '../boards/stale-notice.tsx';
import {
  type ComparedRun,
  comparedNodes,
  type NodePair,
  type NodeSide,
  paramChanges,
} from '../compare/run-comparison.ts';
import { NodeBadge, RunBadge } from '../run/status.tsx';
import { count, dateTime, duration, money } from '../ui/format.ts';
import { Link } from '../ui/link.tsx';
import { FailureNotice, LoadFailed, Loading } from '../ui/states.tsx';
import { toastError, toastOk } from '../ui/toast.tsx';
import { ValueCard } from '../values/value-view.tsx';

type Sides = readonly [ComparedRun, ComparedRun];

/** Two runs side by side: what they were given, what they came to and cost, node by node. */
export function CompareRunsPage({ left, right }: { left: string; right: string }) {
  const { load, stale, stream, again } = useLive(() => Promise.all([compared(left), compared(right)]), [left, right], {
    feed: { inside: '' },
    wants: ({ runId }) => runId === left || runId === right,
  });
  if (load.status === 'loading') return <Loading what="the runs" />;
  if (load.status === 'failed') return <LoadFailed error={load.error} onRetry={again} />;
  return <Comparison sides={load.value} stale={<StaleNotice stale={stale} stream={stream} />} />;
}

async function compared(id: string): Promise<ComparedRun> {
  const [view, scope] = await Promise.all([runsApi.run(id), runsApi.scope(id, { prefix: '' })]);
  return { view, scope };
}

function Comparison({ sides, stale }: { sides: Sides; stale: ReactNode }) {
  const [onlyDiffering, setOnlyDiffering] = useState(false);
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const pairs = useMemo(() => comparedNodes(...sides), [sides]);
  const differing = pairs.filter(differs);
  const shown = onlyDiffering ? differing : pairs;
  const toggle = (id: string) =>
    setOpen((before) => new Set(before.has(id) ? [...before].filter((each) => each !== id) : [...before, id]));
  return (
    <div className="page wide compare stack">
      <h1>Two runs</h1>
      {stale}
      <div className="compare-sides">
        {sides.map(({ view }) => (
          <RunCard key={view.run.id} view={view} />
        ))}
      </div>
      <Given sides={sides} />
      <section className="panel" aria-labelledby="compared-nodes">
        <div className="row wrap">
          <h2 id="compared-nodes" className="grow">
            {differing.length === 0
              ? `All ${pairs.length} nodes are alike`
              : `${differing.length} of ${pairs.length} nodes differ`}
          </h2>
          <label className="row tight">
            <input
              type="checkbox"
              checked={onlyDiffering}
              onChange={(event) => setOnlyDiffering(event.target.checked)}
            />
            Only what differs
          </label>
        </div>
        <div className="grid-scroll compare-nodes">
          <table className="list">
            <thead>
              <tr>
                <th rowSpan={2}>Node</th>
                <th rowSpan={2}>Differs in</th>
                <th colSpan={4}>Left</th>
                <th colSpan={4}>Right</th>
              </tr>
              <tr>
                {[0, 1].map((side) => (
                  <Fragment key={side}>
                    <th>State</th>
                    <th className="number">Took</th>
                    <th className="number">Tokens</th>
                    <th className="number">Cost</th>
                  </Fragment>
                ))}
              </tr>
            </thead>
            <tbody>
              {shown.map((pair) => (
                <Fragment key={pair.id}>
                  <tr className={differs(pair) ? 'differs' : undefined}>
                    <td>
                      <button
                        type="button"
                        className="button quiet compact"
                        aria-expanded={open.has(pair.id)}
                        onClick={() => toggle(pair.id)}
                      >
                        {pair.title}
                      </button>
                    </td>
                    <td className="muted small">{whatDiffers(pair)}</td>
                    {pair.sides.map((side, index) => (
                      <SideCells key={sides[index]?.view.run.id} side={side} />
                    ))}
                  </tr>
                  {open.has(pair.id) && (
                    <tr>
                      <td colSpan={10}>
                        <PairDetail pair={pair} sides={sides} />
                      </td>
                    </tr>
                  )}
                </Fragment>
              ))}
            </tbody>
          </table>
        </div>
      </section>
    </div>
  );
}

const differs = ({ differs: what, sides: [left, right] }: NodePair): boolean =>
  what.length > 0 || left === null || right === null;
const whatDiffers = ({ differs: what, sides: [left, right] }: NodePair): string =>
  left === null ? 'only on the right' : right === null ? 'only on the left' : what.join(', ');

function RunCard({ view: { run, usage } }: { view: RunView }) {
  const [busy, setBusy] = useState(false);
  const mayRetry = useMay('author');
  const again = run.state === 'failed' || run.state === 'needs-attention' || run.state === 'cancelled';
  const retry = async () => {
    setBusy(true);
    try {
      await runsApi.retryRun(run.id, {});
      toastOk('What failed runs again.');
    } catch (thrown) {
      toastError(thrown);
    } finally {
      setBusy(false);
    }
  };
  const rehearsed = usage.providers.includes('rehearsal');
  return (
    <section className="panel" aria-label={`Run ${run.id}`}>
      <div className="row wrap">
        <Link to={{ page: 'run', id: run.id }} className="list-main package-title">
          {run.title}
        </Link>
        <span className="grow" />
        <RunBadge state={run.state} />
        {mayRetry && again && (
          <button type="button" className="button compact" disabled={busy} onClick={() => void retry()}>
            <RotateCcw size={13} aria-hidden /> Retry failed
          </button>
        )}
      </div>
      <div className="row wrap small muted facts-line">
        <code>{run.id}</code>
        <span>{dateTime(run.createdAt)}</span>
        {run.startedAt !== null && run.endedAt !== null && <span>took {duration(run.endedAt - run.startedAt)}</span>}
        <span>seed {run.seed}</span>
        <span>{count(usage.usage.input + usage.usage.output)} tokens</span>
        {rehearsed ? <span className="badge warn">rehearsed</span> : <span>{money(usage.usd)}</span>}
        <span>document {run.documentHash.slice(0, 8)}</span>
      </div>
      {run.failure !== null && <FailureNotice failure={run.failure} />}
    </section>
  );
}

/** What the runs were started with, where that differs. */
function Given({ sides: [left, right] }: { sides: Sides }) {
  const [a, b] = [left.view.run, right.view.run];
  const inputs = (run: RunView['run']) =>
    Object.fromEntries(Object.entries(run.inputs).map(([name, ref]) => [name, ref.preview ?? ref.hash.slice(0, 12)]));
  const given = (run: RunView['run']) => ({
    seed: run.seed,
    mode: run.mode,
    document: run.documentHash.slice(0, 12),
    inputs: inputs(run),
    edits: Object.keys(run.edits),
  });
  const changes = paramChanges(given(a), given(b));
  return (
    <section className="panel" aria-label="What they were given">
      <h2>{changes.length === 0 ? 'Both were given the same' : 'What they were given'}</h2>
      <Changes changes={changes} />
    </section>
  );
}

function Changes({ changes }: { changes: ReturnType<typeof paramChanges> }) {
  if (changes.length === 0) return null;
  return (
    <table className="grid paper-table">
      <tbody>
        {changes.map(({ path, left, right }) => (
          <tr key={path}>
            <th>{path}</th>
            <td className="pre-line">{left}</td>
            <td className="pre-line">{right}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function SideCells({ side }: { side: NodeSide | null }) {
  if (side === null)
    return (
      <td colSpan={4} className="muted">
        not in this run
      </td>
    );
  const { view, outcome, executions, milliseconds, tokens, usd } = side;
  return (
    <>
      <td>
        <span className="row tight">
          {view === null ? <span className="muted">not run</span> : <NodeBadge status={view.status} />}
          {outcome?.origin === 'memo' && <span className="badge">cached</span>}
          {executions > 1 && <span className="muted small">{executions} times</span>}
        </span>
      </td>
      <td className="number">{milliseconds === null ? '' : duration(milliseconds)}</td>
      <td className="number">{tokens === 0 ? '' : count(tokens)}</td>
      <td className="number">
        {tokens === 0 ? '' : outcome?.providers.includes('rehearsal') ? 'no cost' : money(usd)}
      </td>
    </>
  );
}

/** Params, verdict, inputs and outputs of one node in both runs; it can be run again in either. */
function PairDetail({ pair, sides }: { pair: NodePair; sides: Sides }) {
  const ids = [sides[0].view.run.id, sides[1].view.run.id] as const;
  const [load, again] = useLoad(
    () =>
      Promise.all(
        pair.sides.map((side, index) =>
          side === null ? Promise.resolve(null) : runsApi.node(ids[index] ?? '', { key: pair.id }),
        ),
      ),
    [pair.id, ...ids, pair.sides[0]?.outcome?.token, pair.sides[1]?.outcome?.token],
  );
  const mayRetry = useMay('author');
  if (load.status === 'loading') return <p className="hint pad">Loading…</p>;
  if (load.status === 'failed') return <LoadFailed error={load.error} onRetry={again} />;
  const [left, right] = load.value;
  const changes = left == null || right == null ? [] : paramChanges(left.params, right.params);
  return (
    <div className="stack pad">
      {changes.length > 0 && (
        <>
          <h3>Params that differ</h3>
          <Changes changes={changes} />
        </>
      )}
      <div className="compare-sides">
        {pair.sides.map((side, index) => (
          <div key={ids[index]} className="stack tight">
            {side !== null && mayRetry && side.view !== null && side.view.status !== 'running' && (
              <RetryHere runId={ids[index] ?? ''} node={pair.id} where={index === 0 ? 'left' : 'right'} />
            )}
            <SideDetail side={side} />
          </div>
        ))}
      </div>
    </div>
  );
}

function RetryHere({ runId, node, where }: { runId: string; node: string; where: string }) {
  const retry = async () => {
    try {
      await runsApi.retryRun(runId, { targets: [node] });
      toastOk('It runs again.');
    } catch (thrown) {
      toastError(thrown);
    }
  };
  return (
    <button type="button" className="button compact add" onClick={() => void retry()}>
      <RotateCcw size={13} aria-hidden /> Retry in the {where} run
    </button>
  );
}

function SideDetail({ side }: { side: NodeSide | null }) {
  const outcome = side?.outcome ?? null;
  if (outcome === null) return <p className="hint">It has not ended here.</p>;
  const { verdict, failure, outputs, inputs } = outcome;
  return (
    <>
      {failure !== null && <FailureNotice failure={failure} />}
      {verdict !== null && (
        <div className="stack tight">
          <h3>Verdict: {verdict.verdict}</h3>
          <ul className="evidence">
            {verdict.evidence.map((each) => (
              <li key={`${each.check}${each.detail}`} className={each.ok ? undefined : 'bad-text'}>
                {each.ok ? '✓' : '✗'} {each.check} <span className="muted">{each.detail}</span>
              </li>
            ))}
          </ul>
        </div>
      )}
      <h3>Outputs</h3>
      {Object.entries(outputs).map(([name, ref]) => (
        <ValueCard key={`${name}${ref.hash}`} name={name} value={ref} />
      ))}
      <h3>Inputs</h3>
      {Object.entries(inputs).flatMap(([name, refs]) =>
        refs.map((ref) => <ValueCard key={`${name}${ref.hash}${ref.index ?? ''}`} name={name} value={ref} />),
      )}
    </>
  );
}
