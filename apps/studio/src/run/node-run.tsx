import type { NodeDetail } from '@cua-forge/spec/api/runs';
import type { GraphNode } from '@cua-forge/spec/document';
import type { JsonObject } from '@cua-forge/spec/json';
import {
  ArrowLeftToLine,
  ArrowRightToLine,
  Check,
  ChevronDown,
  Columns2,
  Crosshair,
  Download,
  Pencil,
  Pin,
  PinOff,
  RotateCcw,
  X,
} from 'lucide-react';
import { useState } from 'react';
import { readValue } from '../api/files-api.ts';
import { runsApi } from '../api/runs-api.ts';
import { useServer } from '../api/server-store.ts';
import { useMay } from '../api/session-store.ts';
import { useLoad } from '../api/use-load.ts';
import { useDocument } from '../document/document-store.ts';
import { May } from '../ui/may.tsx';
import { Menu, MenuItem } from '../ui/menu.tsx';
import { saveAs } from '../ui/save-as.ts';
import { FailureNotice, LoadFailed } from '../ui/states.tsx';
import { Tabs } from '../ui/tabs.tsx';
import { toastError, toastOk } from '../ui/toast.tsx';
import { MapItems } from './map-items.tsx';
import { ModelCalls } from './model-calls.tsx';
import { nodeFile } from './node-file.ts';
import { NodeLog } from './node-log.tsx';
import { Outcomes } from './outcome-view.tsx';
import { usePins } from './pins-store.ts';
import { RetryDialog } from './retry-dialog.tsx';
import { roundsOf } from './rounds.ts';
import { RoundsDialog } from './rounds-dialog.tsx';
import { useRunRequest } from './run-request.ts';
import { useRun } from './run-store.ts';
import { NodeBadge } from './status.tsx';

/** One node in the run: what it was given, what it gave, why it failed, and what can be done now. */
export function NodeRun({ runKey, node }: { runKey: string; node: GraphNode }) {
  const runId = useRun((state) => state.runId) ?? '';
  const view = useRun((state) => state.nodes.get(runKey));
  const outcome = useRun((state) => state.outcomes.get(runKey));
  const [load, again] = useLoad(
    () => runsApi.node(runId, { key: runKey }),
    [runId, runKey, view?.status, view?.attempt, view?.round, outcome?.token],
  );
  const kinds = useServer((state) => state.kinds);
  const isMap = kinds.some((kind) => kind.id === node.kind && kind.flow === 'map');
  const asks = kinds.some((kind) => kind.id === node.kind && kind.flow === 'approval');
  const failure = view?.failure ?? (load.status === 'loaded' ? (load.value.view?.failure ?? null) : null);
  return (
    <div className="stack pad node-run">
      <div className="row wrap">
        <h2 className="grow truncate">{node.title ?? node.id}</h2>
        {view !== undefined && <NodeBadge status={view.status} />}
      </div>
      <div className="row wrap small muted facts-line">
        <code>{runKey}</code>
        {view !== undefined && view.attempt > 1 && <span>attempt {view.attempt}</span>}
        {view !== undefined && view.round > 1 && <span>round {view.round}</span>}
        {view?.note !== null && view?.note !== undefined && <span>{view.note}</span>}
      </div>
      {view?.status === 'awaiting' && asks && <Approval runId={runId} runKey={runKey} />}
      {failure !== null && view?.status !== 'running' && <FailureNotice failure={failure} />}
      {load.status === 'loaded' && <Actions runId={runId} runKey={runKey} node={node} detail={load.value} />}
      {isMap && <MapItems runId={runId} runKey={runKey} node={node} />}
      {load.status === 'failed' && <LoadFailed error={load.error} onRetry={again} />}
      {load.status === 'loaded' && <Detail runId={runId} runKey={runKey} node={node} detail={load.value} />}
    </div>
  );
}

type Part = 'values' | 'calls' | 'log';

/** Values, model calls and log of the node, one at a time; its rounds side by side; all of it as a file. */
function Detail({
  runId,
  runKey,
  node,
  detail,
}: {
  runId: string;
  runKey: string;
  node: GraphNode;
  detail: NodeDetail;
}) {
  const [part, setPart] = useState<Part>('values');
  const [comparing, setComparing] = useState(false);
  const rounds = roundsOf(detail.outcomes);
  const download = async () => {
    try {
      saveAs(`${runId} ${runKey.replace(/[^\w.-]+/g, '-')}.json`, await nodeFile(runId, runKey, detail));
    } catch (error) {
      toastError(error);
    }
  };
  return (
    <>
      <div className="row">
        <Tabs
          label="Of the node"
          value={part}
          onChange={setPart}
          tabs={[
            { id: 'values', label: 'Values' },
            { id: 'calls', label: `Model calls${detail.calls.length === 0 ? '' : ` (${detail.calls.length})`}` },
            { id: 'log', label: 'Log' },
          ]}
        />
        <span className="grow" />
        {rounds.length > 1 && (
          <button type="button" className="button compact" onClick={() => setComparing(true)}>
            <Columns2 size={13} aria-hidden /> {rounds.length} rounds
          </button>
        )}
        <button
          type="button"
          className="button quiet compact square"
          aria-label="Download all of this node"
          title="Executions, model calls with prompts and answers, and log, as JSON"
          onClick={() => void download()}
        >
          <Download size={14} aria-hidden />
        </button>
      </div>
      {part === 'values' && <Outcomes detail={detail} />}
      {part === 'calls' && <ModelCalls calls={detail.calls} />}
      {part === 'log' && <NodeLog runId={runId} runKey={runKey} />}
      {comparing && <RoundsDialog node={node} rounds={rounds} onClose={() => setComparing(false)} />}
    </>
  );
}

function Approval({ runId, runKey }: { runId: string; runKey: string }) {
  const [note, setNote] = useState('');
  const [busy, setBusy] = useState(false);
  const decide = async (decision: 'approve' | 'reject') => {
    setBusy(true);
    try {
      await runsApi.approve(runId, { key: runKey, decision, note });
      toastOk(decision === 'approve' ? 'Approved.' : 'Rejected.');
    } catch (error) {
      toastError(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <div className="notice warn">
      <div className="stack grow">
        <strong>This step waits for a decision.</strong>
        <input
          className="input"
          aria-label="Note"
          placeholder="Note (optional)"
          value={note}
          onChange={(event) => setNote(event.target.value)}
        />
        <May needs="operator">
          <div className="row">
            <button type="button" className="button primary" disabled={busy} onClick={() => void decide('approve')}>
              <Check size={14} aria-hidden /> Approve
            </button>
            <button type="button" className="button danger" disabled={busy} onClick={() => void decide('reject')}>
              <X size={14} aria-hidden /> Reject
            </button>
          </div>
        </May>
      </div>
    </div>
  );
}

function Actions({
  runId,
  runKey,
  node,
  detail,
}: {
  runId: string;
  runKey: string;
  node: GraphNode;
  detail: NodeDetail;
}) {
  const [editing, setEditing] = useState(false);
  const mayChange = useMay('author');
  const [busy, setBusy] = useState(false);
  const status = useRun((state) => state.nodes.get(runKey)?.status);
  const readOnly = useDocument((state) => state.readOnly);
  const topLevel = runKey === node.id;
  const pinned = usePins((state) => runKey in state.pins);
  const latest = detail.outcomes.find((outcome) => outcome.status === 'succeeded');
  const ended = status === 'succeeded' || status === 'failed' || status === 'cancelled' || status === 'skipped';
  const act = async (work: () => Promise<unknown>, done: string) => {
    setBusy(true);
    try {
      await work();
      toastOk(done);
    } catch (error) {
      toastError(error);
    } finally {
      setBusy(false);
    }
  };
  const pin = async () => {
    const outputs: JsonObject = {};
    for (const [port, ref] of Object.entries(latest?.outputs ?? {})) outputs[port] = await readValue(ref);
    await usePins.getState().set(runKey, outputs);
  };
  const request = useRunRequest((state) => state.ask);
  return (
    <>
      <div className="row wrap">
        {ended && mayChange && (
          <>
            <button
              type="button"
              className="button compact"
              disabled={busy}
              onClick={() => void act(() => runsApi.retryRun(runId, { targets: [runKey] }), 'It runs again.')}
            >
              <RotateCcw size={13} aria-hidden /> Retry
            </button>
            <button type="button" className="button compact" disabled={busy} onClick={() => setEditing(true)}>
              <Pencil size={13} aria-hidden /> Edit and retry
            </button>
          </>
        )}
        {!readOnly && topLevel && mayChange && (
          <Menu
            label="Run a part of the workflow"
            className="button compact"
            trigger={
              <>
                Run part <ChevronDown size={13} aria-hidden />
              </>
            }
          >
            <MenuItem
              icon={<Crosshair size={14} aria-hidden />}
              onSelect={() => request({ mode: 'only', node: node.id })}
            >
              Only this node
            </MenuItem>
            <MenuItem
              icon={<ArrowRightToLine size={14} aria-hidden />}
              onSelect={() => request({ mode: 'to', node: node.id })}
            >
              Up to this node
            </MenuItem>
            <MenuItem
              icon={<ArrowLeftToLine size={14} aria-hidden />}
              onSelect={() => request({ mode: 'from', node: node.id })}
            >
              From this node on
            </MenuItem>
          </Menu>
        )}
        {!readOnly && topLevel && pinned && (
          <button
            type="button"
            className="button compact"
            disabled={busy}
            onClick={() => void act(() => usePins.getState().set(runKey, null), 'No longer pinned.')}
          >
            <PinOff size={13} aria-hidden /> Unpin
          </button>
        )}
        {!readOnly && topLevel && !pinned && latest !== undefined && (
          <button
            type="button"
            className="button compact"
            title="Use these outputs in draft runs instead of running the node"
            disabled={busy}
            onClick={() => void act(pin, 'Pinned.')}
          >
            <Pin size={13} aria-hidden /> Pin
          </button>
        )}
      </div>
      {editing && (
        <RetryDialog runId={runId} runKey={runKey} node={node} detail={detail} onClose={() => setEditing(false)} />
      )}
    </>
  );
}
