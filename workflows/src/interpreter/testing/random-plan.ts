import type { Op, Plan, PlanNode, Scope, Source } from '@cua-forge/spec/plan';
import fc from 'fast-check';

const hex = (text: string): string => Buffer.from(text.padEnd(32, '.')).toString('hex').slice(0, 64);

interface Draft {
  kind: 'execute' | 'gate' | 'merge' | 'approval' | 'delay' | 'subgraph' | 'repeat' | 'map';
  sources: number[];
  onError: boolean;
  region: boolean;
  rounds: number;
  tolerate: boolean;
}

const draft = (composites: boolean): fc.Arbitrary<Draft> =>
  fc.record({
    kind: fc.oneof(
      { weight: 8, arbitrary: fc.constant<Draft['kind']>('execute') },
      { weight: 2, arbitrary: fc.constant<Draft['kind']>('gate') },
      { weight: 1, arbitrary: fc.constantFrom<Draft['kind']>('merge', 'approval', 'delay') },
      { weight: composites ? 3 : 0, arbitrary: fc.constantFrom<Draft['kind']>('subgraph', 'repeat', 'map') },
    ),
    sources: fc.array(fc.nat(20), { maxLength: 3 }),
    onError: fc.boolean(),
    region: fc.boolean(),
    rounds: fc.integer({ min: 1, max: 2 }),
    tolerate: fc.boolean(),
  });

function build(id: string, inputs: string[], drafts: Draft[]): Scope {
  const nodes: PlanNode[] = [];
  const ancestors = new Map<string, Set<string>>();
  drafts.forEach((draft, position) => {
    const name = `n${position}`;
    const sources: Source[] = [];
    const above = new Set<string>();
    const takesMany = draft.kind === 'execute' || draft.kind === 'merge';
    for (const pick of takesMany ? draft.sources : draft.sources.slice(0, 1)) {
      if (position === 0) {
        const input = inputs[0];
        if (input !== undefined) sources.push({ node: null, port: input });
        continue;
      }
      const node = nodes[pick % position];
      if (!node) continue;
      // Now and then an on-error edge.
      const port =
        draft.onError && pick % 5 === 0
          ? 'error'
          : node.op.type === 'approval'
            ? 'approved'
            : node.op.type === 'map'
              ? 'results'
              : 'value';
      if (port === 'error') node.handlesError = true;
      sources.push({ node: node.id, port });
      above.add(node.id);
      for (const ancestor of ancestors.get(node.id) ?? []) above.add(ancestor);
    }
    if (sources.length === 0 && inputs[0] !== undefined) sources.push({ node: null, port: inputs[0] });
    ancestors.set(name, above);
    const target = [...above].find((ancestor) => nodes.find((node) => node.id === ancestor)?.op.type === 'execute');
    const gate = draft.kind === 'gate';
    nodes.push({
      id: name,
      kind: gate ? 'test.gate' : `test.${draft.kind}`,
      version: 1,
      title: name,
      params: hex(`${id}.${name}`),
      inputs: ports(draft, sources),
      op: opOf(draft),
      policy: { queue: 'light', timeoutMs: 1_000, heartbeatMs: 1_000, attempts: 1, backoffMs: 1 },
      region: draft.region && (draft.kind === 'execute' || gate) ? position % 2 : null,
      gate,
      repair: gate && target !== undefined ? { target, rounds: draft.rounds } : null,
      handlesError: false,
    });
  });
  const last = nodes.at(-1);
  return {
    id,
    inputs,
    nodes,
    outputs: last
      ? {
          value: {
            node: last.id,
            port: last.op.type === 'map' ? 'results' : last.op.type === 'approval' ? 'approved' : 'value',
          },
        }
      : {},
  };
}

function ports(draft: Draft, sources: Source[]): PlanNode['inputs'] {
  if (draft.kind === 'map') return { items: { sources: sources.slice(0, 1), required: true, multiple: false } };
  if (draft.kind === 'merge')
    return Object.fromEntries(
      sources.map((source, index) => [`in${index}`, { sources: [source], required: false, multiple: false }]),
    );
  if (draft.kind === 'execute' && sources.length > 1)
    return { values: { sources, required: !draft.onError, multiple: true } };
  return { value: { sources: sources.slice(0, 1), required: !draft.onError, multiple: false } };
}

function opOf(draft: Draft): Op {
  switch (draft.kind) {
    case 'merge':
      return { type: 'merge' };
    case 'approval':
      return { type: 'approval', timeoutMs: draft.tolerate ? 1_000 : null, onTimeout: 'approve' };
    case 'delay':
      return { type: 'delay', milliseconds: 5 };
    case 'subgraph':
      return { type: 'subgraph', scope: 'body' };
    case 'repeat':
      return { type: 'repeat', scope: 'body', maxRounds: 3, onLimit: draft.tolerate ? 'accept' : 'fail' };
    case 'map':
      return {
        type: 'map',
        scope: 'item',
        window: 3,
        slice: 2,
        maxItems: 100,
        onItemFailure: draft.tolerate ? 'tolerate' : 'fail',
        tolerated: 1,
      };
    default:
      return { type: 'execute' };
  }
}

/** Random plans: a main graph with composites, a body for subgraphs and repeats, and one for map items. */
export const randomPlan: fc.Arbitrary<Plan> = fc
  .record({
    main: fc.array(draft(true), { minLength: 1, maxLength: 9 }),
    body: fc.array(draft(false), { minLength: 1, maxLength: 4 }),
    item: fc.array(draft(false), { minLength: 1, maxLength: 3 }),
  })
  .map(({ main, body, item }) => ({
    format: 1,
    document: { id: 'random', title: 'Random', hash: hex('random'), skill: '' },
    root: '$main',
    scopes: {
      $main: build('$main', ['value'], main),
      body: build('body', ['value'], body),
      item: build('item', ['item'], item),
    },
  }));
