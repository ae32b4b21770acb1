import { splitItems } from '@cua-forge/nodes/flow/map.node';
import type { CollectItems, CommitItems, Slot, SplitAnswer } from '@cua-forge/spec/engine';
import { ForgeError } from '@cua-forge/spec/errors';
import type { Json, JsonObject } from '@cua-forge/spec/json';
import type { Outcome, Store } from '@cua-forge/spec/store-port';
import { sha256 } from '@cua-forge/store/hash';
import type { Values } from './values.ts';
import { fingerprintOf } from './values.ts';

/** Kind name under which a whole item's outcome is committed. */
const ITEM = 'flow.item';

const itemKey = (mapKey: string, item: number): string => `${mapKey}[${item}]`;

function itemFingerprint(scope: string, list: Slot, item: number, shared: Record<string, Slot>): string {
  const element: Slot = 'literal' in list ? list : { ...list, index: item };
  const inputs: Record<string, Slot[]> = { item: [element] };
  for (const [port, slot] of Object.entries(shared)) inputs[port] = [slot];
  return fingerprintOf({ kind: ITEM, version: 1, params: sha256(scope), inputs, feedback: [] });
}

/** Newest outcome of each item that was made from this list and these shared inputs. */
async function knownItems(
  store: Store,
  runId: string,
  mapKey: string,
  scope: string,
  list: Slot,
  shared: Record<string, Slot>,
): Promise<Map<number, Outcome>> {
  const known = new Map<number, Outcome>();
  const number = new RegExp(`^${mapKey.replaceAll(/[[\]#/]/g, '\\$&')}\\[(\\d+)\\]$`);
  for (const outcome of await store.meta.listOutcomes(runId, { prefix: `${mapKey}[`, kind: ITEM })) {
    const item = Number(number.exec(outcome.key)?.[1] ?? Number.NaN);
    if (Number.isInteger(item) && outcome.fingerprint === itemFingerprint(scope, list, item, shared))
      known.set(item, outcome);
  }
  return known;
}

/** How many items a list has, and which of them earlier slices have ended. @throws ForgeError `input.invalid`, `map.too-many-items` */
export async function splitList(
  store: Store,
  values: Values,
  input: {
    runId: string;
    key: string;
    scope: string;
    list: Slot;
    shared: Record<string, Slot>;
    maxItems: number;
    reuse: boolean;
  },
): Promise<SplitAnswer> {
  const items = splitItems(await values.read(input.list));
  if (items.length > input.maxItems) {
    throw new ForgeError(
      'map.too-many-items',
      `The list has ${items.length} items; '${input.key}' takes ${input.maxItems}.`,
      { fix: 'Raise maxItems of the node, or shorten the list.', place: { node: input.key } },
    );
  }
  const succeeded: number[] = [];
  const failed: number[] = [];
  if (input.reuse) {
    for (const [item, outcome] of await knownItems(
      store,
      input.runId,
      input.key,
      input.scope,
      input.list,
      input.shared,
    )) {
      if (item < items.length) (outcome.status === 'succeeded' ? succeeded : failed).push(item);
    }
  }
  const ascending = (a: number, b: number): number => a - b;
  return { count: items.length, succeeded: succeeded.sort(ascending), failed: failed.sort(ascending) };
}

export async function commitItems(store: Store, values: Values, input: CommitItems): Promise<void> {
  const now = Date.now();
  await Promise.all(
    input.items.map(async ({ item, token, outputs, failure }) => {
      const refs = Object.fromEntries(
        await Promise.all(
          Object.entries(outputs).map(async ([name, slot]) => [name, await values.refOf(slot)] as const),
        ),
      );
      await store.meta.commitOutcome(
        {
          runId: input.runId,
          key: itemKey(input.mapKey, item),
          token,
          round: 1,
          attempt: 1,
          status: failure ? 'failed' : 'succeeded',
          kind: ITEM,
          title: `Item ${item}`,
          fingerprint: itemFingerprint(input.scope, input.list, item, input.shared),
          params: sha256(input.scope),
          inputs: { item: [{ ...input.list, index: item }] },
          outputs: refs,
          verdict: null,
          failure,
          origin: 'executed',
          madeBy: null,
          memoKey: null,
          providers: [],
          usage: { input: 0, cached: 0, output: 0 },
          usd: 0,
          startedAt: now,
          endedAt: now,
        },
        [],
      );
    }),
  );
}

/** Puts the items' outputs together, in the order of the list. @throws ForgeError `node.output-too-large`, `artifact.*` */
export async function collectItems(
  store: Store,
  values: Values,
  input: CollectItems,
  progress: (done: number) => void,
): Promise<Outcome> {
  const committed = await store.meta.findOutcome(input.runId, input.key, input.token);
  if (committed) return committed;
  const startedAt = Date.now();
  const known = await knownItems(store, input.runId, input.key, input.scope, input.list, input.shared);
  const results: JsonObject[] = [];
  const failures: Json[] = [];
  let hidden = false;
  for (let item = 0; item < input.count; item++) {
    const outcome = known.get(item);
    if (outcome?.status === 'succeeded') {
      const result: JsonObject = {};
      for (const [name, ref] of Object.entries(outcome.outputs)) {
        result[name] = await values.read(ref);
        hidden ||= ref.hidden === true;
      }
      results.push(result);
    } else
      failures.push({
        item,
        code: outcome?.failure?.code ?? 'internal',
        message: outcome?.failure?.message ?? 'The item has no outcome.',
      });
    if (item % 50 === 0) progress(item);
  }
  const written = {
    results: await values.write(results, { port: 'results', hidden }),
    failures: await values.write(failures, { port: 'failures', hidden: false }),
  };
  const inputs: Record<string, Slot[]> = { items: [input.list] };
  for (const [port, slot] of Object.entries(input.shared)) inputs[port] = [slot];
  const refs = Object.fromEntries(
    await Promise.all(
      Object.entries(inputs).map(
        async ([port, slots]) => [port, await Promise.all(slots.map((slot) => values.refOf(slot)))] as const,
      ),
    ),
  );
  return store.meta.commitOutcome(
    {
      runId: input.runId,
      key: input.key,
      token: input.token,
      round: input.round,
      attempt: input.attempt,
      status: 'succeeded',
      kind: input.kind,
      title: input.title,
      fingerprint: fingerprintOf({
        kind: input.kind,
        version: input.version,
        params: input.params,
        inputs,
        feedback: [],
      }),
      params: input.params,
      inputs: refs,
      outputs: {
        results: { ...written.results.ref, ...(hidden ? {} : { preview: `${results.length} results` }) },
        failures: written.failures.ref,
      },
      verdict: null,
      failure: null,
      origin: 'executed',
      madeBy: null,
      memoKey: null,
      providers: [],
      usage: { input: 0, cached: 0, output: 0 },
      usd: 0,
      startedAt,
      endedAt: Date.now(),
    },
    Object.values(written).flatMap(({ artifact }) => (artifact ? [artifact] : [])),
  );
}
