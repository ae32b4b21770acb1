import type { ApproveCommand, ItemsResult, RunItemsInput } from '@cua-forge/spec/engine';
import { decisionSignal } from '@cua-forge/spec/engine-names';
import { CancellationScope, condition, continueAsNew, defineSignal, setHandler } from '@temporalio/workflow';
import { local } from '../driver/activities.ts';
import { Driver } from '../driver/driver.ts';
import { indexPlan } from '../interpreter/plan-index.ts';
import { emptyState, itemInstance } from '../interpreter/state.ts';

export const decisionOfItem = defineSignal<[ApproveCommand]>(decisionSignal);

/** Runs some items of a map node, each in a scope instance of its own, and commits how each ended. Child of the run's workflow. */
export async function runItems(input: RunItemsInput): Promise<ItemsResult> {
  const decisions: ApproveCommand[] = [];
  let decide = (command: ApproveCommand): void => void decisions.push(command);
  setHandler(decisionOfItem, (command) => decide(command));
  const outside = CancellationScope.current();
  return CancellationScope.nonCancellable(async () => {
    const opened = await local.openItems(input);
    const index = indexPlan(opened.plan);
    const carried = input.carried === null ? null : await local.loadCarried(input.carried);
    const state = carried?.state ??
      opened.restored?.state ?? { ...emptyState(input.edits), nextToken: opened.nextToken };
    const driver = new Driver(input.runId, index, state);
    outside.cancelRequested.catch(() => driver.apply({ type: 'cancel' }));
    if (carried) driver.resume(carried);
    else if (opened.restored) driver.restored(opened.restored.commands);
    else {
      for (const item of input.items) {
        driver.interpreter.openRoot(
          itemInstance(input.mapKey, item),
          input.scope,
          { ...input.shared, item: { ...input.list, index: item } },
          { fresh: input.fresh },
        );
      }
      driver.apply({ type: 'start' });
    }
    if (outside.consideredCancelled) driver.apply({ type: 'cancel' });
    // One that came before the items were open, or that nothing waits for any more, moves nothing.
    decide = (command) => void driver.decide(command);
    for (const command of decisions) decide(command);

    const paths = new Map(input.items.map((item) => [item, itemInstance(input.mapKey, item)]));
    const ended = (): boolean =>
      [...paths.values()].every((path) => state.instances[path]?.settled !== 'open' && driver.settled.has(path));
    for (;;) {
      await condition(() => ended() || driver.historyIsLong);
      if (ended()) break;
      driver.drain();
      await condition(() => driver.drained);
      if (ended()) break;
      const { changes } = driver;
      const carried = await local.saveCarried(driver.carry());
      // A cancel that came while the state was written is not in it.
      if (driver.changes === changes) return continueAsNew<typeof runItems>({ ...input, resume: true, carried });
    }
    const result: ItemsResult = { succeeded: [], failed: [], cancelled: [] };
    const items = [];
    for (const [item, path] of paths) {
      const settled = driver.settled.get(path);
      if (!settled) continue;
      result[settled.status].push(item);
      if (settled.status !== 'cancelled')
        items.push({ item, token: state.nextToken++, outputs: settled.outputs, failure: settled.failure });
    }
    if (items.length > 0)
      await local.commitItems({
        runId: input.runId,
        mapKey: input.mapKey,
        scope: input.scope,
        list: input.list,
        shared: input.shared,
        items,
      });
    return result;
  });
}
