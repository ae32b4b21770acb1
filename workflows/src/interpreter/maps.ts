import type { Slot } from '@cua-forge/spec/engine';
import type { NodeEdits } from '@cua-forge/spec/store-port';
import type { Located, Machine } from './machine.ts';
import type { Event, MapState, QueuedItems } from './state.ts';
import { itemInstance } from './state.ts';

type Op<T> = Extract<Located['plan']['op'], { type: T }>;

function mapOp(node: Located): Op<'map'> {
  if (node.plan.op.type !== 'map') throw new Error(`'${node.key}' is not a map`);
  return node.plan.op;
}

function inputsOf(machine: Machine, node: Located): { list: Slot; shared: Record<string, Slot> } | null {
  const inputs = machine.resolve(node);
  if (inputs === 'pending' || inputs === 'skip') return null;
  const slots: Record<string, Slot> = {};
  for (const [port, values] of Object.entries(inputs)) {
    const first = values[0];
    if (first && !('token' in first)) slots[port] = first;
  }
  const { items, ...shared } = slots;
  return items ? { list: items, shared } : null;
}

/** Asks for the length of the list, and which of its items have been done already. */
export function startMap(machine: Machine, node: Located): void {
  const inputs = inputsOf(machine, node);
  if (!inputs) return;
  const token = machine.begin(node, 'running');
  const op = mapOp(node);
  if ('literal' in inputs.list) {
    machine.fail(node, {
      code: 'input.invalid',
      message: 'The items are not a list.',
      fix: 'Connect a port that carries a list.',
      place: { node: node.key, port: 'items' },
    });
    return;
  }
  machine.commands.push({
    type: 'split',
    key: node.key,
    token,
    scope: op.scope,
    ...inputs,
    maxItems: op.maxItems,
    reuse: !node.state.bypass,
  });
}

export function onSplit(machine: Machine, node: Located, event: Extract<Event, { type: 'split' }>): void {
  // Failed items of an earlier try run again: that is what a retry of the map is for. A restored run only remembers them.
  const failed = event.keepFailed ? event.failed : [];
  const done = new Set([...event.succeeded, ...failed]);
  const pending = Array.from({ length: event.count }, (_, item) => item).filter((item) => !done.has(item));
  const fresh = node.state.bypass === true || node.instance.fresh;
  node.state.map = {
    count: event.count,
    open: {},
    pending,
    succeeded: event.succeeded.length,
    failed,
    queued: [],
    resume: event.succeeded.length + event.failed.length > 0 || node.state.attempt > 1,
    retry: 'failed',
    fresh,
  };
  machine.note(node);
  pump(machine, node);
}

export function onSlice(machine: Machine, node: Located, event: Extract<Event, { type: 'slice' }>): void {
  const map = node.state.map;
  if (!map?.open[event.slice]) return;
  delete map.open[event.slice];
  map.succeeded += event.succeeded.length;
  map.failed = [...map.failed, ...event.failed].sort((a, b) => a - b);
  if (machine.state.cancelling) {
    map.pending = [];
    map.queued = [];
    if (Object.keys(map.open).length === 0) machine.cancelNode(node);
    else machine.note(node);
    return;
  }
  // A slice that was cancelled from outside ran nothing to its end: its items are taken again.
  map.pending = [...map.pending, ...event.cancelled].sort((a, b) => a - b);
  if (event.cancelled.length > 0) map.resume = true;
  machine.note(node);
  pump(machine, node);
}

/** Runs nodes inside an item again; everything else in the map stays. */
export function retryInItem(node: Located, item: number, key: string, grouped: boolean): void {
  const map = node.state.map;
  if (!map || item >= map.count) return;
  const queued = map.queued.find((entry) => entry.items.includes(item));
  const last = map.queued.at(-1);
  if (queued) queued.retry.push(key);
  else if (!grouped) map.queued.push({ items: [item], retry: [key] });
  else if (last?.bounded && last.items.length < mapOp(node).slice) {
    last.items.push(item);
    last.retry.push(key);
  } else map.queued.push({ items: [item], retry: [key], bounded: true });
}

/** As many items of a queued entry as there is room for, and the rest. */
function splitQueued(node: Located, entry: QueuedItems, room: number): [QueuedItems, QueuedItems | null] {
  if (!entry.bounded || entry.items.length <= room) return [entry, null];
  const part = (items: number[]): QueuedItems => {
    const prefixes = new Set(items.map((item) => itemInstance(node.key, item)));
    const prefixOf = (key: string) => key.slice(0, key.indexOf('/', node.key.length) + 1);
    return { items, retry: entry.retry.filter((key) => prefixes.has(prefixOf(key))), bounded: true };
  };
  return [part(entry.items.slice(0, room)), part(entry.items.slice(room))];
}

/** Starts slices while the window has room, and ends the node when nothing is left. */
export function pump(machine: Machine, node: Located): void {
  const map = node.state.map;
  const inputs = inputsOf(machine, node);
  if (!map || !inputs || machine.state.cancelling) return;
  const op = mapOp(node);
  const busy = new Set(Object.values(map.open).flat());
  const later: MapState['queued'] = [];
  let room = op.window - busy.size;
  for (const whole of map.queued) {
    const blocked = whole.items.some((item) => busy.has(item) || map.pending.includes(item));
    if (blocked || (whole.bounded && room <= 0)) {
      later.push(whole);
      continue;
    }
    const [entry, rest] = splitQueued(node, whole, room);
    if (rest) later.push(rest);
    room -= entry.items.length;
    const wasFailed = entry.items.filter((item) => map.failed.includes(item)).length;
    map.failed = map.failed.filter((item) => !entry.items.includes(item));
    map.succeeded -= entry.items.length - wasFailed;
    startSlice(machine, node, map, entry.items, inputs, { resume: true, retry: entry.retry, fresh: false });
  }
  map.queued = later;
  while (room > 0 && map.pending.length > 0) {
    const items = map.pending.splice(0, Math.min(op.slice, room));
    room -= items.length;
    startSlice(machine, node, map, items, inputs, { resume: map.resume, retry: map.retry, fresh: map.fresh });
  }
  if (Object.keys(map.open).length > 0 || map.queued.length > 0) return;
  const allowed = op.onItemFailure === 'tolerate' ? op.tolerated : 0;
  if (map.failed.length > allowed) {
    const named = map.failed.slice(0, 5).map((item) => `${node.plan.id}[${item}]`);
    machine.fail(node, {
      code: 'map.items-failed',
      message: `${map.failed.length} of ${map.count} items failed (${named.join(', ')}${map.failed.length > named.length ? ', …' : ''})${allowed > 0 ? `; ${allowed} are tolerated` : ''}.`,
      fix: 'Open the failed items, mend what is wrong and retry them; the items that succeeded are kept.',
    });
    return;
  }
  // Collecting is a commit of its own, so it gets a token of its own after a retry.
  node.state.token = machine.state.nextToken++;
  machine.commands.push({
    type: 'collect',
    key: node.key,
    token: node.state.token,
    scope: op.scope,
    node: node.plan.id,
    round: node.state.round,
    attempt: node.state.attempt,
    params: machine.paramsOf(node),
    ...inputs,
    count: map.count,
  });
}

function startSlice(
  machine: Machine,
  node: Located,
  map: MapState,
  items: number[],
  inputs: { list: Slot; shared: Record<string, Slot> },
  how: { resume: boolean; retry: string[] | 'failed'; fresh: boolean },
): void {
  if ('literal' in inputs.list) throw new Error(`the list of '${node.key}' is not a reference`);
  // Unique in the run, so that a slice from before a reset never matches.
  const slice = machine.state.nextToken++;
  map.open[slice] = items;
  const edits: NodeEdits = {};
  const prefixes = items.map((item) => itemInstance(node.key, item));
  for (const [key, edit] of Object.entries(machine.state.edits)) {
    if (prefixes.some((prefix) => key.startsWith(prefix))) edits[key] = edit;
  }
  machine.commands.push({
    type: 'slice',
    key: node.key,
    token: node.state.token,
    slice,
    scope: mapOp(node).scope,
    items,
    list: inputs.list,
    shared: inputs.shared,
    edits,
    ...how,
  });
  machine.note(node);
}
