import type { RetryRun } from '@cua-forge/spec/api/runs';
import type { Finding } from '@cua-forge/spec/document';
import { runWorkflowId } from '@cua-forge/spec/engine';
import { ForgeError } from '@cua-forge/spec/errors';
import type { Json, JsonObject } from '@cua-forge/spec/json';
import type { KindMeta } from '@cua-forge/spec/kind';
import { kindIndex } from '@cua-forge/spec/kind-index';
import { Plan, type PlanNode } from '@cua-forge/spec/plan';
import type { MetaStore, NodeEdit, NodeEdits, RunRecord } from '@cua-forge/spec/store-port';
import { checkParams } from '@cua-forge/spec/validate-params';
import type { ValueRef } from '@cua-forge/spec/value';
import { FindingsError } from '../http/findings-error.ts';
import type { Services } from '../services.ts';
import { announceRun } from './announce.ts';
import { findRun, isHosted, isOpen } from './find-run.ts';
import { getJson, putJson } from './json-artifact.ts';
import { planNodeAt } from './plan-node.ts';
import { portTypeOf } from './port-type.ts';
import { storeValue } from './store-value.ts';

const pageSize = 500;

/** Paths of the failed nodes of a run; with a code, of those that failed with it; with a prefix, of those below it. */
export async function failedNodes(
  meta: MetaStore,
  runId: string,
  { failureCode, prefix }: { failureCode?: string | undefined; prefix?: string | undefined } = {},
): Promise<string[]> {
  const keys: string[] = [];
  for (let after: string | undefined; ; ) {
    const page = await meta.listNodeViews(runId, {
      status: 'failed',
      limit: pageSize,
      ...(prefix === undefined ? {} : { prefix }),
      ...(after === undefined ? {} : { after }),
    });
    for (const view of page) if (failureCode === undefined || view.failure?.code === failureCode) keys.push(view.key);
    after = page.at(-1)?.key;
    if (page.length < pageSize) return keys;
  }
}

function nodeAt(plan: Plan, key: string): PlanNode {
  const node = planNodeAt(plan, key);
  if (node !== null) return node;
  throw new ForgeError('input.invalid', `The run has no node "${key}".`, {
    fix: 'Give the path as the run shows it, such as draft or files[3]/draft.',
    place: { node: key },
  });
}

async function targetsOf(meta: MetaStore, run: RunRecord, plan: Plan, request: RetryRun): Promise<string[]> {
  const named = [...new Set([...request.targets, ...Object.keys(request.edits)])];
  for (const key of named) nodeAt(plan, key);
  const { failureCode, prefix } = request;
  const filtered = failureCode !== undefined || prefix !== undefined;
  if (named.length > 0 && !filtered) return named;
  const failed = await failedNodes(meta, run.id, { failureCode, prefix });
  const targets = [...new Set([...named, ...failed])];
  // A run that was terminated or cancelled may have no failed node, and is simply taken up again.
  if (targets.length === 0 && (filtered || isOpen(run.state) || run.state === 'succeeded')) {
    const what = failureCode === undefined ? 'no failed node' : `no node that failed with ${failureCode}`;
    const where = prefix === undefined ? '' : ` below "${prefix}"`;
    throw new ForgeError('input.invalid', `Run "${run.id}" has ${what}${where} to retry.`, {
      fix: 'Name the nodes to run again.',
    });
  }
  return targets;
}

/** @throws FindingsError `params.invalid` naming each param that is wrong */
export function refuseParams(node: PlanNode, key: string, params: JsonObject, kinds: readonly KindMeta[]): void {
  const kind = kindIndex(kinds).usable(node.kind, node.version);
  if (kind === undefined) return;
  const faults = checkParams({ id: node.id, kind: node.kind, version: node.version, params }, kind);
  const [first] = faults;
  if (first === undefined) return;
  const findings = faults.map((fault): Finding => ({ ...fault, severity: 'error' }));
  throw new FindingsError(
    'params.invalid',
    `The params given for "${key}" are not right. ${first.message}`,
    findings,
    first.fix,
  );
}

/** Stores the new params and values. A value that stands in for a hidden one is hidden, too. */
async function storeEdits(
  { store: { artifacts, meta }, kinds }: Services,
  runId: string,
  plan: Plan,
  edits: RetryRun['edits'],
): Promise<NodeEdits> {
  const stored: NodeEdits = {};
  for (const [key, edit] of Object.entries(edits)) {
    const node = nodeAt(plan, key);
    const before = (await meta.listOutcomes(runId, { key })).at(-1);
    const store = (value: Json, side: 'inputs' | 'outputs', port: string, earlier: readonly ValueRef[]) => {
      const hidden = earlier.some((ref) => ref.hidden === true);
      return storeValue(artifacts, value, hidden ? 'hidden' : portTypeOf(kinds, node, side, port));
    };
    const result: NodeEdit = {};
    if (edit.params !== undefined) {
      refuseParams(node, key, edit.params, kinds);
      result.params = await putJson(artifacts, edit.params);
    }
    if (edit.inputs !== undefined) {
      result.inputs = {};
      for (const [port, values] of Object.entries(edit.inputs)) {
        if (!Object.hasOwn(node.inputs, port)) {
          const ports = Object.keys(node.inputs).join(', ');
          throw new ForgeError('input.invalid', `Node "${key}" has no connected input "${port}".`, {
            fix: ports === '' ? 'None of its inputs is connected.' : `Its inputs are: ${ports}.`,
            place: { node: key, port },
          });
        }
        const earlier = before?.inputs[port] ?? [];
        result.inputs[port] = await Promise.all(values.map((value) => store(value, 'inputs', port, earlier)));
      }
    }
    if (edit.pinned !== undefined) {
      result.pinned = {};
      for (const [port, value] of Object.entries(edit.pinned)) {
        const earlier = before?.outputs[port];
        result.pinned[port] = await store(value, 'outputs', port, earlier === undefined ? [] : [earlier]);
      }
    }
    stored[key] = result;
  }
  return stored;
}

export function mergeEdits(before: NodeEdits, added: NodeEdits): NodeEdits {
  const merged: NodeEdits = { ...before };
  for (const [key, edit] of Object.entries(added)) merged[key] = { ...merged[key], ...edit };
  return merged;
}

/** Opens a closed run again: its record says so before the workflow starts, and as before when the start fails. */
export async function reopenRun(
  services: Services,
  run: RunRecord,
  targets: readonly string[],
  edits: NodeEdits,
): Promise<void> {
  const { store, engine, now } = services;
  const reopened: RunRecord = {
    ...run,
    epoch: run.epoch + 1,
    workflowId: runWorkflowId(run.id),
    edits: mergeEdits(run.edits, edits),
    state: 'queued',
    failure: null,
    endedAt: null,
  };
  const { epoch, workflowId, state, failure, endedAt } = reopened;
  await store.meta.updateRun(run.id, { epoch, workflowId, edits: reopened.edits, state, failure, endedAt });
  await announceRun(store.meta, reopened, now());
  try {
    await engine.startRun(reopened, targets);
  } catch (thrown) {
    await store.meta.updateRun(run.id, { state: run.state, failure: run.failure, endedAt: run.endedAt });
    await announceRun(store.meta, { ...reopened, state: run.state }, now());
    throw thrown;
  }
}

const stillHosted = (runId: string): ForgeError =>
  new ForgeError('run.state', `Run "${runId}" is in progress beside others in one workflow, which takes no retries.`, {
    fix: 'Wait for its end, a few seconds at most, or cancel it; then retry it.',
  });

/**
 * Runs nodes again, after edits. An open run does it in its workflow; a closed one is opened again, even when Temporal has forgotten it.
 * @throws ForgeError `input.invalid` for unknown paths or nothing to retry, `run.state` when the workflow refuses
 */
export function retryRun(
  services: Services,
  runId: string,
  request: RetryRun,
): Promise<{ reset: string[]; reopened: boolean }> {
  const { store, engine, locks } = services;
  return locks.with(runId, async () => {
    const run = await findRun(store.meta, runId);
    const plan = await getJson(store.artifacts, run.planHash, Plan, 'plan');
    const targets = await targetsOf(store.meta, run, plan, request);
    const edits = await storeEdits(services, runId, plan, request.edits);
    if (request.budget !== undefined) await store.meta.updateRun(runId, { budget: request.budget });
    if (isOpen(run.state)) {
      if (isHosted(run)) throw stillHosted(runId);
      const { reset } = await engine.retry(run.workflowId, { targets, edits });
      if (Object.keys(edits).length > 0) await store.meta.updateRun(runId, { edits: mergeEdits(run.edits, edits) });
      return { reset, reopened: false };
    }
    // A host may go on with its other runs.
    const situation = isHosted(run) ? null : await engine.describe(run.workflowId);
    if (situation?.status === 'open') {
      throw new ForgeError('run.state', `Run "${runId}" is just ending.`, { fix: 'Try again in a few seconds.' });
    }
    await reopenRun(services, run, targets, edits);
    return { reset: targets, reopened: true };
  });
}
