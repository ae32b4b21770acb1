import { untilHolds } from '@cua-forge/nodes/flow/repeat.node';
import type { Slot } from '@cua-forge/spec/engine';
import type { Plan, PlanNode } from '@cua-forge/spec/plan';
import type { Outcome, RunRecord, Store } from '@cua-forge/spec/store-port';
import { Interpreter } from '@cua-forge/workflows/interpreter/interpreter';
import type { PlanIndex } from '@cua-forge/workflows/interpreter/plan-index';
import { indexPlan } from '@cua-forge/workflows/interpreter/plan-index';
import type { Recall } from '@cua-forge/workflows/interpreter/restore';
import { restore } from '@cua-forge/workflows/interpreter/restore';
import type { Command, ExecutionFacts, Result, RunState } from '@cua-forge/workflows/interpreter/state';
import { z } from 'zod';
import { splitList } from './map-items.ts';
import type { Values } from './values.ts';
import { fingerprintOf } from './values.ts';

/** Tokens that executions in flight at a crash may have used without leaving a trace. */
const TOKEN_GAP = 1_000;

export interface Memory {
  /** Outcomes of this run, any order. */
  own: readonly Outcome[];
  /** Outcomes of the run whose values may be taken over. */
  base: { runId: string; outcomes: readonly Outcome[] } | null;
  /** Nodes of the top scope for which an outcome of the base run is taken whatever it was made from. */
  byKey: ReadonlySet<string>;
  /** Nodes of the top scope that must run again. */
  never: ReadonlySet<string>;
}

export function nextTokenAfter(outcomes: readonly Outcome[]): number {
  return outcomes.reduce((highest, { token }) => Math.max(highest, token), 0) + TOKEN_GAP;
}

/** First sequence number for the reports of a workflow that goes on from the store: above those of all that reported on the run before. */
export const firstSequence = (): number => Date.now() * 1_000;

/** Replays the interpreter against what is committed. Mutates `state`; the instances must be open. Returns what remains to be done. */
export async function restoreInterpreter(
  store: Store,
  values: Values,
  run: RunRecord,
  plan: Plan,
  state: RunState,
  memory: Memory,
): Promise<Command[]> {
  const index = indexPlan(plan);
  const own = byKey(memory.own);
  const base = byKey(memory.base?.outcomes ?? []);
  /** Since when a map's collection holds all of its items: items that ran again later are not in it. */
  const collectable = (node: PlanNode, key: string): number =>
    node.op.type === 'map'
      ? memory.own.reduce((at, item) => (item.key.startsWith(`${key}[`) ? Math.max(at, item.endedAt) : at), 0)
      : 0;
  const recall: Recall = {
    async outcome(facts) {
      const node = nodeOf(index, facts);
      const fingerprint = fingerprintOf({
        kind: node.kind,
        version: node.version,
        params: facts.params,
        inputs: facts.inputs,
        feedback: facts.feedback,
      });
      const known = own
        .get(facts.key)
        ?.find((outcome) => outcome.fingerprint === fingerprint && outcome.startedAt >= collectable(node, facts.key));
      if (known) return resultFrom(known);
      if (!memory.base || memory.never.has(facts.key)) return null;
      const candidates = base.get(facts.key)?.filter((outcome) => outcome.status === 'succeeded');
      const taken =
        candidates?.find((outcome) => outcome.fingerprint === fingerprint) ??
        (memory.byKey.has(facts.key) ? candidates?.[0] : undefined);
      if (!taken) return null;
      return resultFrom(await takeOver(store, values, run, facts, node, fingerprint, taken));
    },
    split: (command) => splitList(store, values, { runId: run.id, ...command }),
    until: async (command) => untilOf(values, command.params, command.outputs),
  };
  return restore(new Interpreter(index, state, { regions: false }), recall);
}

const Until = z.object({ until: z.string() });

/** Whether the condition of a repeat holds for these outputs of its body. */
export async function untilOf(values: Values, params: string, outputs: Record<string, Slot>): Promise<boolean> {
  const { until } = Until.parse(await values.read({ hash: params, size: 0 }));
  const read = Object.fromEntries(
    await Promise.all(Object.entries(outputs).map(async ([name, slot]) => [name, await values.read(slot)] as const)),
  );
  return untilHolds(until, read);
}

/** Newest first. */
function byKey(outcomes: readonly Outcome[]): Map<string, Outcome[]> {
  const map = new Map<string, Outcome[]>();
  for (const outcome of [...outcomes].sort((a, b) => b.token - a.token)) {
    const list = map.get(outcome.key);
    if (list) list.push(outcome);
    else map.set(outcome.key, [outcome]);
  }
  return map;
}

function nodeOf(index: PlanIndex, facts: ExecutionFacts): PlanNode {
  const node = index.get(facts.scope)?.nodes.get(facts.node);
  if (!node) throw new Error(`the plan has no node '${facts.node}' in '${facts.scope}'`);
  return node;
}

function resultFrom(outcome: Outcome): Result {
  if (outcome.failure) return { status: 'failed', failure: outcome.failure };
  const outputs = Object.fromEntries(
    Object.entries(outcome.outputs).map(([port, { preview, ...ref }]) => {
      void preview;
      return [port, ref];
    }),
  );
  return { status: 'succeeded', outputs, ...(outcome.verdict ? { verdict: outcome.verdict } : {}) };
}

/** Commits another run's outcome as this run's own, so that it shows where the value is from. */
async function takeOver(
  store: Store,
  values: Values,
  run: RunRecord,
  facts: ExecutionFacts,
  node: PlanNode,
  fingerprint: string,
  taken: Outcome,
): Promise<Outcome> {
  const inputs: Outcome['inputs'] = {};
  for (const [port, slots] of Object.entries(facts.inputs))
    inputs[port] = await Promise.all(slots.map((slot) => values.refOf(slot)));
  const now = Date.now();
  return store.meta.commitOutcome(
    {
      ...taken,
      runId: run.id,
      key: facts.key,
      token: facts.token,
      round: facts.round,
      attempt: facts.attempt,
      title: node.title,
      fingerprint,
      params: facts.params,
      inputs,
      origin: 'reused',
      madeBy: taken.madeBy ?? taken.runId,
      memoKey: null,
      usage: { input: 0, cached: 0, output: 0 },
      usd: 0,
      startedAt: now,
      endedAt: now,
    },
    [],
  );
}
