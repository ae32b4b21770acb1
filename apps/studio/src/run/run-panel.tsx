import { MAIN_GRAPH } from '@cua-forge/spec/document';
import type { NodeView } from '@cua-forge/spec/store-port';
import { Ban, ExternalLink, RotateCcw, Unplug, WifiOff } from 'lucide-react';
import { useMemo, useState } from 'react';
import { runsApi } from '../api/runs-api.ts';
import { useMay } from '../api/session-store.ts';
import { useLoad } from '../api/use-load.ts';
import { useCrumb, useView } from '../canvas/view-store.ts';
import { graphOf } from '../document/command.ts';
import { useDocument } from '../document/document-store.ts';
import { navigate } from '../route.ts';
import { count, dateTime, duration, money } from '../ui/format.ts';
import { Empty, FailureNotice, LoadFailed, Loading } from '../ui/states.tsx';
import { toastError, toastOk } from '../ui/toast.tsx';
import { ValueCard } from '../values/value-view.tsx';
import { NodeRun } from './node-run.tsx';
import { useRun } from './run-store.ts';
import { isOpen, NodeBadge, RunBadge } from './status.tsx';

/** The run at hand: its state, then the selected node or all nodes. */
export function RunPanel({ documentId, onRun }: { documentId: string; onRun(): void }) {
  const runId = useRun((state) => state.runId);
  const view = useRun((state) => state.view);
  const error = useRun((state) => state.error);
  const stream = useRun((state) => state.stream);
  const selection = useDocument((state) => state.selection);
  const { prefix, graph } = useCrumb();
  const nodes = useDocument((state) => graphOf(state.document, graph).nodes);
  if (runId === null) return <RecentRuns documentId={documentId} onRun={onRun} />;
  if (view === null)
    return error === null ? (
      <Loading what="the run" />
    ) : (
      <LoadFailed error={error} onRetry={() => void useRun.getState().refresh()} />
    );
  const [selected] = selection.size === 1 ? selection : [];
  const node = nodes.find((each) => each.id === selected);
  return (
    <div className="run-panel">
      {stream === 'reconnecting' && (
        <div className="notice warn small" role="status">
          <WifiOff size={15} aria-hidden />
          <span>The connection is away; states may be old. It comes back by itself.</span>
        </div>
      )}
      {/* The node says the same at more length. */}
      <RunHead nodeShown={node !== undefined} />
      {node !== undefined && prefix !== null && (
        <NodeRun key={prefix + node.id} runKey={prefix + node.id} node={node} />
      )}
      {node !== undefined && prefix === null && (
        <p className="hint pad">Open an item of the map to see this node in the run.</p>
      )}
      {node === undefined && <NodeStates />}
    </div>
  );
}

function RunHead({ nodeShown }: { nodeShown: boolean }) {
  const view = useRun((state) => state.view);
  const readOnly = useDocument((state) => state.readOnly);
  const [busy, setBusy] = useState(false);
  const mayChange = useMay('author');
  if (view === null) return null;
  const { run, usage, temporalUrl } = view;
  const act = async (work: () => Promise<unknown>, done: string) => {
    setBusy(true);
    try {
      await work();
      toastOk(done);
      await useRun.getState().refresh();
    } catch (error) {
      toastError(error);
    } finally {
      setBusy(false);
    }
  };
  const rehearsed = usage.providers.includes('rehearsal');
  return (
    <div className="run-head">
      <div className="row wrap">
        <RunBadge state={run.state} />
        <code className="muted truncate" title={run.id}>
          {run.id}
        </code>
        <span className="grow" />
        {isOpen(run.state) && mayChange && (
          <button
            type="button"
            className="button compact danger"
            disabled={busy}
            onClick={() => void act(() => runsApi.cancelRun(run.id), 'The run is being cancelled.')}
          >
            <Ban size={13} aria-hidden /> Cancel
          </button>
        )}
        {mayChange &&
        (run.state === 'failed' ||
          run.state === 'needs-attention' ||
          run.state === 'terminated' ||
          run.state === 'cancelled') ? (
          <button
            type="button"
            className="button compact"
            disabled={busy}
            onClick={() => void act(() => retryFailed(run.id), 'The failed nodes run again.')}
          >
            <RotateCcw size={13} aria-hidden /> Retry failed
          </button>
        ) : null}
        {!readOnly && (
          <button
            type="button"
            className="button quiet compact square"
            aria-label="Close this run"
            title="Take this run off the canvas"
            onClick={() => useRun.getState().follow(null)}
          >
            <Unplug size={14} aria-hidden />
          </button>
        )}
      </div>
      <div className="row wrap small muted facts-line">
        <span>{dateTime(run.createdAt)}</span>
        {run.startedAt !== null && run.endedAt !== null && <span>{duration(run.endedAt - run.startedAt)}</span>}
        <span>seed {run.seed}</span>
        {run.selection.mode !== 'all' && (
          <span>
            {run.selection.mode} {run.selection.node}
          </span>
        )}
        {rehearsed ? (
          <span className="badge warn">rehearsed, no model asked</span>
        ) : (
          usage.calls > 0 && (
            <span>{`${count(usage.usage.input + usage.usage.output)} tokens · ${money(usage.usd)}`}</span>
          )
        )}
        {temporalUrl !== null && (
          <a className="row tight" href={temporalUrl} target="_blank" rel="noreferrer">
            Temporal <ExternalLink size={12} aria-hidden />
          </a>
        )}
        {!readOnly && (
          <a
            href={`/runs/${encodeURIComponent(run.id)}`}
            onClick={(event) => {
              event.preventDefault();
              navigate({ page: 'run', id: run.id });
            }}
          >
            Run page
          </a>
        )}
      </div>
      {run.failure !== null && !nodeShown && <FailureNotice failure={run.failure} />}
    </div>
  );
}

/** Every node of the run that failed or was stopped, at any depth. */
async function retryFailed(runId: string): Promise<void> {
  const targets: string[] = [];
  for (const status of ['failed', 'cancelled'] as const) {
    let after: string | undefined;
    do {
      const { nodes, next } = await runsApi.nodes(runId, {
        prefix: '',
        status,
        limit: 500,
        ...(after === undefined ? {} : { after }),
      });
      targets.push(...nodes.map((node) => node.key));
      after = next ?? undefined;
    } while (after !== undefined);
    if (targets.length > 0) break;
  }
  await runsApi.retryRun(runId, { targets });
}

function NodeStates() {
  const { graph, prefix } = useCrumb();
  const nodes = useDocument((state) => graphOf(state.document, graph).nodes);
  const states = useRun((state) => state.nodes);
  const view = useRun((state) => state.view);
  const counts = useMemo(
    () => countByStatus(prefix === null ? [] : nodes.flatMap((node) => states.get(prefix + node.id) ?? [])),
    [nodes, states, prefix],
  );
  const outputs = graph === MAIN_GRAPH ? Object.entries(view?.run.outputs ?? {}) : [];
  return (
    <div className="stack pad">
      <div className="row wrap">
        {counts.map(([status, number]) => (
          <span key={status} className="row tight">
            <NodeBadge status={status} /> {number}
          </span>
        ))}
      </div>
      <ul className="plain-list">
        {nodes.map((node) => {
          const state = prefix === null ? undefined : states.get(prefix + node.id);
          return (
            <li key={node.id}>
              <button type="button" className="choice" onClick={() => useView.getState().show(graph, node.id)}>
                <span className="grow truncate">{node.title ?? node.id}</span>
                {state !== undefined && <NodeBadge status={state.status} />}
              </button>
            </li>
          );
        })}
      </ul>
      {outputs.length > 0 && <h3>Outputs of the run</h3>}
      {outputs.map(([name, ref]) => (
        <ValueCard key={name} name={name} value={ref} />
      ))}
      {view !== null && <RunPackages runId={view.run.id} done={view.run.state} />}
    </div>
  );
}

function countByStatus(views: readonly NodeView[]): [NodeView['status'], number][] {
  const counts = new Map<NodeView['status'], number>();
  for (const { status } of views) counts.set(status, (counts.get(status) ?? 0) + 1);
  return [...counts];
}

/** What asks for packages comes with them: most who edit never see this. */
const packagesOf = async (runId: string) => (await import('../api/packages-api.ts')).allPackages(runId);

function RunPackages({ runId, done }: { runId: string; done: string }) {
  const [load] = useLoad(() => packagesOf(runId), [runId, done]);
  if (load.status !== 'loaded' || load.value.length === 0) return null;
  return (
    <>
      <h3>Task packages</h3>
      {load.value.map((record) => (
        <button
          key={record.id}
          type="button"
          className="choice"
          onClick={() => navigate({ page: 'package', id: record.id })}
        >
          <span className="grow truncate">{record.title}</span>
          <span className="muted small">{record.outcomeKind}</span>
        </button>
      ))}
    </>
  );
}

function RecentRuns({ documentId, onRun }: { documentId: string; onRun(): void }) {
  const [load, again] = useLoad(() => runsApi.runs({ documentId }), [documentId]);
  if (load.status === 'loading') return <Loading what="runs" />;
  if (load.status === 'failed') return <LoadFailed error={load.error} onRetry={again} />;
  if (load.value.runs.length === 0) {
    return (
      <Empty title="No runs yet">
        <p>Run this workflow to see its states on the canvas.</p>
        <button type="button" className="button primary" onClick={onRun}>
          Run…
        </button>
      </Empty>
    );
  }
  return (
    <div className="stack pad">
      <h3>Runs of this workflow</h3>
      <p className="hint">Choose one to see its states on the canvas.</p>
      <ul className="plain-list">
        {load.value.runs.slice(0, 20).map((run) => (
          <li key={run.id}>
            <button type="button" className="choice" onClick={() => useRun.getState().follow(run.id)}>
              <span className="grow">{dateTime(run.createdAt)}</span>
              <span className="muted small">seed {run.seed}</span>
              <RunBadge state={run.state} />
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
