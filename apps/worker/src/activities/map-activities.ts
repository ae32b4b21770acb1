import type { EngineActivities } from '@cua-forge/spec/engine';
import { CollectItems, CommitItems, RunItemsInput, SplitItems } from '@cua-forge/spec/engine';
import type { Store } from '@cua-forge/spec/store-port';
import { Interpreter } from '@cua-forge/workflows/interpreter/interpreter';
import { indexPlan } from '@cua-forge/workflows/interpreter/plan-index';
import { isCurrent } from '@cua-forge/workflows/interpreter/restore';
import type { Command, RunState } from '@cua-forge/workflows/interpreter/state';
import { emptyState, itemInstance } from '@cua-forge/workflows/interpreter/state';
import { Context } from '@temporalio/activity';
import { resultOf } from '../executor/execute-member.ts';
import { collectItems, commitItems, splitList } from '../executor/map-items.ts';
import { firstSequence, nextTokenAfter, restoreInterpreter } from '../executor/restore-run.ts';
import type { RunFacts } from '../executor/run-facts.ts';
import type { Values } from '../executor/values.ts';

type MapActivities = Pick<
  EngineActivities<RunState, Command>,
  'openItems' | 'splitItems' | 'commitItems' | 'collectItems'
>;

export function mapActivities(store: Store, values: Values, facts: RunFacts): MapActivities {
  return {
    async openItems(raw) {
      const input = RunItemsInput.parse(raw);
      const run = await facts.run(input.runId);
      const plan = await facts.plan(run.planHash);
      const opened = {
        plan,
        title: run.title,
        skill: run.skill,
        mode: run.mode,
        inputs: {},
        edits: input.edits,
        batchId: run.batchId,
        nextToken: 1,
      };
      if (!input.resume || input.carried !== null) return { ...opened, restored: null };
      const paths = input.items.map((item) => itemInstance(input.mapKey, item));
      const inside = (
        await Promise.all(paths.map((prefix) => store.meta.listOutcomes(input.runId, { prefix })))
      ).flat();
      const whole = (
        await Promise.all(
          input.items.map((item) => store.meta.listOutcomes(input.runId, { key: `${input.mapKey}[${item}]` })),
        )
      ).flat();
      const index = indexPlan(plan);
      const state: RunState = {
        ...emptyState(structuredClone(input.edits)),
        nextToken: nextTokenAfter([...inside, ...whole]),
        seq: firstSequence(),
      };
      const roots = new Interpreter(index, state, { regions: false });
      input.items.forEach((item, position) => {
        roots.openRoot(
          paths[position] ?? '',
          input.scope,
          { ...input.shared, item: { ...input.list, index: item } },
          { fresh: input.fresh },
        );
      });
      const commands = await restoreInterpreter(store, values, run, plan, state, {
        own: input.fresh ? [] : inside,
        base: null,
        byKey: new Set(),
        never: new Set(),
      });
      const interpreter = new Interpreter(index, state);
      const targets = (
        input.retry === 'failed' ? paths.flatMap((path) => interpreter.failedKeys(path)) : input.retry
      ).filter((key) => interpreter.retryProblem([key], {}, true) === null);
      const again = targets.length === 0 ? [] : interpreter.apply({ type: 'retry', targets, edits: {}, grouped: true });
      return {
        ...opened,
        restored: { state, commands: [...commands, ...again].filter((command) => isCurrent(interpreter, command)) },
      };
    },

    async splitItems(raw) {
      return splitList(store, values, SplitItems.parse(raw));
    },

    async commitItems(raw) {
      await commitItems(store, values, CommitItems.parse(raw));
    },

    async collectItems(raw) {
      const input = CollectItems.parse(raw);
      return resultOf(
        await collectItems(store, values, input, (done) => Context.current().heartbeat({ done, of: input.count })),
      );
    },
  };
}
