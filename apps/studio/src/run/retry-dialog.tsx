import type { NodeDetail } from '@cua-forge/spec/api/runs';
import { canonicalJson } from '@cua-forge/spec/canonical-json';
import type { GraphNode } from '@cua-forge/spec/document';
import type { Json, JsonObject } from '@cua-forge/spec/json';
import { kindIndex } from '@cua-forge/spec/kind-index';
import { useMemo, useState } from 'react';
import { readValue } from '../api/files-api.ts';
import { runsApi } from '../api/runs-api.ts';
import { useServer } from '../api/server-store.ts';
import { useLoad } from '../api/use-load.ts';
import { JsonEditor } from '../inspector/json-editor.tsx';
import { ParamsEditor } from '../inspector/params-editor.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { FailureNotice } from '../ui/states.tsx';
import { Tabs } from '../ui/tabs.tsx';
import { toastError, toastOk } from '../ui/toast.tsx';

interface RetryDialogProps {
  runId: string;
  runKey: string;
  node: GraphNode;
  detail: NodeDetail;
  onClose(): void;
}

/** Retry of one node with other params or inputs; what is not changed is not sent. */
export function RetryDialog({ runId, runKey, node, detail, onClose }: RetryDialogProps) {
  const kinds = useServer((state) => state.kinds);
  const kind = kindIndex(kinds).usable(node.kind, node.version);
  const [tab, setTab] = useState<'params' | 'inputs'>('params');
  const [params, setParams] = useState<JsonObject>(detail.params);
  const [inputs, setInputs] = useState<Record<string, Json[]>>({});
  const [invalid, setInvalid] = useState<ReadonlySet<string>>(new Set());
  const [busy, setBusy] = useState(false);
  const given = detail.outcomes[0]?.inputs ?? {};
  const [values] = useLoad(async () => {
    const ports = await Promise.all(
      Object.entries(given).map(
        async ([port, refs]): Promise<[string, Json[]]> => [port, await Promise.all(refs.map((ref) => readValue(ref)))],
      ),
    );
    return Object.fromEntries(ports);
  }, [detail.outcomes[0]?.token]);
  const original = values.status === 'loaded' ? values.value : {};
  const changedInputs = useMemo(
    () =>
      Object.fromEntries(
        Object.entries(inputs).filter(([port, list]) => canonicalJson(list) !== canonicalJson(original[port])),
      ),
    [inputs, original],
  );
  const paramsChanged = canonicalJson(params) !== canonicalJson(detail.params);
  const changes = [paramsChanged && 'params', Object.keys(changedInputs).length > 0 && 'inputs'].filter(Boolean);
  const mark = (name: string) => (valid: boolean) =>
    setInvalid((before) => new Set(valid ? [...before].filter((each) => each !== name) : [...before, name]));

  const submit = async () => {
    if (invalid.size > 0 || busy) return;
    setBusy(true);
    const edit = {
      ...(paramsChanged ? { params } : {}),
      ...(Object.keys(changedInputs).length > 0 ? { inputs: changedInputs } : {}),
    };
    try {
      await runsApi.retryRun(runId, { targets: [runKey], edits: changes.length === 0 ? {} : { [runKey]: edit } });
      toastOk('It runs again with your changes.');
      onClose();
    } catch (error) {
      toastError(error);
      setBusy(false);
    }
  };
  return (
    <Dialog
      wide
      title={`Retry ${node.title ?? node.id}`}
      onClose={onClose}
      onSubmit={() => void submit()}
      footer={
        <>
          <span className="grow hint">
            {changes.length === 0
              ? 'Nothing is changed yet.'
              : `Changed: ${changes.join(' and ')}. The edit stays with this run; the workflow is not changed.`}
          </span>
          <button type="button" className="button" onClick={onClose}>
            Keep as it is
          </button>
          <button type="submit" className="button primary" disabled={invalid.size > 0 || busy}>
            Retry
          </button>
        </>
      }
    >
      <Tabs
        label="What to change"
        value={tab}
        onChange={setTab}
        tabs={[
          { id: 'params', label: 'Parameters' },
          { id: 'inputs', label: 'Inputs' },
        ]}
      />
      {tab === 'params' && (
        <ParamsEditor schema={kind?.params} value={params} onChange={setParams} onValid={mark('params')} />
      )}
      {tab === 'inputs' && (
        <div className="stack">
          {values.status === 'loading' && <span className="hint">Loading…</span>}
          {values.status === 'failed' && <FailureNotice failure={values.error} />}
          {values.status === 'loaded' && Object.keys(original).length === 0 && (
            <span className="hint">This node was given no inputs.</span>
          )}
          {Object.entries(original).flatMap(([port, list]) =>
            list.map((value, index) => {
              const name = list.length > 1 ? `${port} (${index + 1} of ${list.length})` : port;
              return (
                <JsonEditor
                  key={name}
                  label={name}
                  rows={6}
                  value={inputs[port]?.[index] ?? value}
                  onValid={mark(name)}
                  onChange={(next) =>
                    setInputs((before) => ({ ...before, [port]: (before[port] ?? list).with(index, next) }))
                  }
                />
              );
            }),
          )}
        </div>
      )}
    </Dialog>
  );
}
