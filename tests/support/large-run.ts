import { type NodeView, type RunRecord, RunRecord as Schema, type Store } from '@cua-forge/spec/store-port';

const AT_ONCE = 1_000;
const codes = ['node.timeout', 'model.bad-output', 'input.invalid'] as const;

/**
 * A run of a map with this many items, written straight into the store: no engine made it. `from` is a run of the same document, whose plan it
 * shares; `map` and `node` are the ids of the map and of the node inside. Every hundredth item failed, in one of three ways.
 */
export async function writeLargeRun(
  { meta }: Pick<Store, 'meta'>,
  from: RunRecord,
  { items, map, node }: { items: number; map: string; node: string },
): Promise<RunRecord> {
  const id = `${from.id}-large`;
  const failed = Math.floor(items / 100);
  const failure = {
    code: 'map.items-failed' as const,
    message: `${failed} of ${items} items failed.`,
    place: { node: map },
  };
  const run = Schema.parse({ ...from, id, workflowId: `run/${id}`, state: 'failed', failure });
  let seq = 0;
  const view = (key: string, change: Partial<NodeView>): NodeView => ({
    runId: id,
    key,
    seq: ++seq,
    token: seq,
    status: 'succeeded',
    round: 1,
    attempt: 1,
    failure: null,
    note: null,
    counts: null,
    at: from.createdAt + seq,
    ...change,
  });
  await meta.createRun(run);
  const views = Array.from({ length: items }, (_, index) => {
    const key = `${map}[${index}]/${node}`;
    if ((index + 1) % 100 !== 0) return view(key, {});
    const code = codes[((index + 1) / 100) % codes.length] ?? 'node.timeout';
    return view(key, { status: 'failed', failure: { code, message: `Item ${index + 1} went wrong.` } });
  });
  for (let at = 0; at < views.length; at += AT_ONCE) await meta.saveNodeViews(views.slice(at, at + AT_ONCE));
  const counts = { total: items, succeeded: items - failed, failed, running: 0, waiting: 0 };
  await meta.saveNodeViews([view(map, { status: 'failed', failure, counts })]);
  return run;
}
