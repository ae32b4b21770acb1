import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PlanIndex } from './plan-index.ts';
import { indexPlan, withDescendants } from './plan-index.ts';
import { splitPath } from './state.ts';
import { randomPlan } from './testing/random-plan.ts';
import { digest, SimulatedRun, SimulatedStore } from './testing/simulated-run.ts';

const runs = Number(process.env.FORGE_PROPERTY_RUNS ?? 400);

type Action = { type: 'step' | 'crash' | 'reload' | 'reopen' | 'retry' | 'edit' | 'cancel'; pick: number };
const action: fc.Arbitrary<Action> = fc.record({
  type: fc.oneof(
    { weight: 30, arbitrary: fc.constant<Action['type']>('step') },
    { weight: 4, arbitrary: fc.constantFrom<Action['type']>('crash', 'reload') },
    { weight: 2, arbitrary: fc.constantFrom<Action['type']>('reopen', 'retry', 'edit') },
    { weight: 1, arbitrary: fc.constantFrom<Action['type']>('step', 'step', 'cancel') },
  ),
  pick: fc.nat(1_000_000),
});

const luckOf = (seed: number) => ({
  roll: (text: string) => Number.parseInt(digest([seed, text]).slice(0, 8), 16) % 100,
});

/** Node paths that a retry of `key` may touch: what is downstream, here and around every enclosing composite. */
function affectedBy(run: SimulatedRun, plan: PlanIndex, key: string): (other: string) => boolean {
  const { instance, node } = splitPath(key);
  const scope = run.interpreter.state.instances[instance]?.scope;
  const index = scope === undefined ? undefined : plan.get(scope);
  const here = new Set((index ? withDescendants(index, [node]) : [node]).map((id) => instance + id));
  const inside = (other: string): boolean =>
    [...here].some((path) => other === path || other.startsWith(`${path}/`) || other.startsWith(`${path}#`));
  const parent = run.interpreter.state.instances[instance]?.parent;
  if (parent === null || parent === undefined) return inside;
  const around = affectedBy(run, plan, parent);
  // Of what is inside the enclosing composite, only what is downstream of the node, or a later iteration.
  return (other) => inside(other) || (around(other) && !other.startsWith(instance));
}

async function play(
  plan: PlanIndex,
  seed: number,
  actions: readonly Action[],
): Promise<{ run: SimulatedRun; store: SimulatedStore; cancelled: boolean }> {
  const store = new SimulatedStore();
  const run = SimulatedRun.start(plan, store, luckOf(seed));
  let cancelled = false;
  for (const { type, pick } of actions) {
    const { nodes } = run.interpreter.state;
    const keys = Object.keys(nodes);
    const key = keys[pick % keys.length] ?? '';
    switch (type) {
      case 'step':
      case 'crash':
        await run.step(pick, type === 'crash');
        break;
      case 'reload':
        run.reload();
        break;
      case 'cancel':
        run.cancel();
        cancelled = true;
        break;
      case 'reopen': {
        const before = Object.entries(structuredClone(nodes)).filter(([, node]) => node.status === 'succeeded');
        await run.reopen();
        cancelled = false;
        for (const [path, node] of before) {
          const after = run.interpreter.state.nodes[path];
          expect(after, `'${path}' is lost by reopening`).toBeDefined();
          // A composite whose inside was still open or a map that was in progress may be at work again, never with another value.
          if (after?.status === 'succeeded') expect(after.outputs).toEqual(node.outputs);
          else expect(['running', 'awaiting', 'waiting']).toContain(after?.status);
          // A gate's verdict that was committed but not yet taken may send it back.
          if (after?.round === node.round && store.order.some((commit) => commit.facts.key === path))
            expect(after?.status, `'${path}' had a committed outcome`).toBe('succeeded');
        }
        break;
      }
      case 'retry':
      case 'edit': {
        const touches = affectedBy(run, plan, key);
        const before = structuredClone(nodes);
        const wasFailedComposite = before[key]?.status === 'failed';
        const edits = type === 'edit' ? { [key]: { params: digest(['edited', pick]) } } : {};
        if (run.retry(key, edits) !== null) break;
        cancelled = false;
        const after = run.interpreter.state.nodes;
        for (const [path, node] of Object.entries(before)) {
          if (touches(path)) continue;
          expect(after[path], `'${path}' was touched by a retry of '${key}'`).toEqual(node);
        }
        if (!wasFailedComposite && before[key]?.token !== 0)
          expect(
            after[key]?.token === before[key]?.token && after[key]?.status === 'succeeded',
            `'${key}' was not reset`,
          ).toBe(false);
        break;
      }
    }
  }
  for (let budget = 5_000; budget > 0 && !run.idle; budget--) await run.step(0, false);
  return { run, store, cancelled };
}

describe('interpreter', () => {
  it('keeps its promises under failures, retries, edits, repairs, cancels, crashes and continue-as-new', async () => {
    await fc.assert(
      fc.asyncProperty(randomPlan, fc.integer(), fc.array(action, { maxLength: 80 }), async (source, seed, actions) => {
        const plan = indexPlan(source);
        const { run, store, cancelled } = await play(plan, seed, actions);
        const { state } = run.interpreter;

        expect(run.idle, `the run comes to an end: ${JSON.stringify([state, run.pending])}`).toBe(true);
        expect(run.settled.get('')?.status, `the root has settled: ${JSON.stringify(state)}`).toBeDefined();
        if (cancelled) expect(['cancelled', 'succeeded', 'failed']).toContain(run.settled.get('')?.status);

        for (const times of store.executed.values()) expect(times, 'no execution commits twice').toBe(1);

        for (const [key, node] of Object.entries(state.nodes)) {
          expect(['running', 'awaiting']).not.toContain(node.status);
          const { instance, node: id } = splitPath(key);
          const planNode = plan.get(state.instances[instance]?.scope ?? '')?.nodes.get(id);
          // A waiting node at the end waits for a failure that nobody has mended.
          if (node.status === 'waiting') expect(state.instances[instance]?.settled).toBe('failed');
          if (node.status !== 'succeeded' || planNode?.op.type !== 'execute') continue;
          // What it shows was committed, and was made from exactly the params and inputs that it has now: downstream of every edit ran again.
          const params = state.edits[key]?.params ?? planNode.params;
          const inputs: Record<string, unknown[]> = {};
          for (const [port, input] of Object.entries(planNode.inputs)) {
            const live = input.sources.flatMap((from): unknown[] => {
              if (from.node === null) return [state.instances[instance]?.inputs[from.port] ?? []].flat();
              const producer = state.nodes[instance + from.node];
              if (producer?.status === 'failed')
                return from.port === 'error' && producer.failure
                  ? [
                      {
                        literal: {
                          code: producer.failure.code,
                          message: producer.failure.message,
                          fix: producer.failure.fix ?? '',
                          place: producer.failure.place ?? {},
                        },
                      },
                    ]
                  : [];
              return [producer?.outputs?.[from.port] ?? []].flat();
            });
            if (live.length > 0) inputs[port] = live;
          }
          const made = store.order.find(
            (commit) =>
              commit.facts.key === key &&
              commit.result.status === 'succeeded' &&
              digest(commit.result.outputs) === digest(node.outputs) &&
              commit.facts.params === params &&
              digest(commit.facts.inputs) === digest(inputs),
          );
          expect(made, `'${key}' shows a result made from its present params and inputs`).toBeDefined();
        }
      }),
      { numRuns: runs },
    );
  });

  it('is deterministic: equal events, equal state and commands', async () => {
    await fc.assert(
      fc.asyncProperty(randomPlan, fc.integer(), fc.array(action, { maxLength: 40 }), async (source, seed, actions) => {
        const plan = indexPlan(source);
        const first = await play(plan, seed, actions);
        const second = await play(plan, seed, actions);
        expect(second.run.interpreter.state).toEqual(first.run.interpreter.state);
        expect(second.store.order).toEqual(first.store.order);
      }),
      { numRuns: Math.ceil(runs / 4) },
    );
  });
});
