import type { Slot } from '@cua-forge/spec/engine';
import type { Plan, PlanInput, PlanNode } from '@cua-forge/spec/plan';
import { describe, expect, it } from 'vitest';
import { Interpreter } from './interpreter.ts';
import { indexPlan } from './plan-index.ts';
import type { Command, Result } from './state.ts';
import { emptyState } from './state.ts';

/** `sources`: port → `node.port` (`.name` for an input of the scope). */
type Draft = Partial<PlanNode> & { sources?: Record<string, string>; required?: boolean };

function node(id: string, { sources = {}, required = true, ...more }: Draft = {}): PlanNode {
  const inputs = Object.entries(sources).map(([port, source]): [string, PlanInput] => {
    const [from = '', output = ''] = source.split('.');
    return [port, { sources: [{ node: from === '' ? null : from, port: output }], required, multiple: false }];
  });
  return {
    id,
    kind: 'test.step',
    version: 1,
    title: id,
    params: 'params',
    inputs: Object.fromEntries(inputs),
    op: { type: 'execute' },
    policy: { queue: 'light', timeoutMs: 1, heartbeatMs: 1, attempts: 1, backoffMs: 1 },
    region: null,
    gate: false,
    repair: null,
    handlesError: false,
    ...more,
  };
}

const value = (hash: string): Slot => ({ hash, size: 1 });
const succeeded = (hash: string): Result => ({ status: 'succeeded', outputs: { value: value(hash) } });
const failed: Result = { status: 'failed', failure: { code: 'node.failed', message: 'no' } };
const asks = (verdict: 'pass' | 'repair' | 'reject', feedback?: string): Result => ({
  status: 'succeeded',
  outputs: { value: value('judged') },
  verdict: {
    verdict,
    evidence: [{ check: 'c', ok: verdict === 'pass', detail: 'd' }],
    ...(feedback ? { feedback } : {}),
  },
});

/** A run of one scope, driven by hand. */
class Played {
  readonly commands: Command[] = [];
  readonly interpreter: Interpreter;

  constructor(nodes: PlanNode[], body: PlanNode[] = []) {
    const last = body.at(-1);
    const plan: Plan = {
      format: 1,
      document: { id: 'd', title: 'D', hash: 'hash', skill: '' },
      root: 'main',
      scopes: {
        main: { id: 'main', inputs: [], nodes, outputs: {} },
        body: {
          id: 'body',
          inputs: ['value'],
          nodes: body,
          outputs: last ? { value: { node: last.id, port: 'value' } } : {},
        },
      },
    };
    this.interpreter = new Interpreter(indexPlan(plan), emptyState({}));
    this.interpreter.openRoot('', 'main', {});
    this.take(this.interpreter.apply({ type: 'start' }));
  }

  private take(commands: Command[]): void {
    this.commands.push(...commands);
  }

  state(key: string) {
    const state = this.interpreter.state.nodes[key];
    if (!state) throw new Error(`no node '${key}'`);
    return state;
  }

  status(...keys: string[]): string[] {
    return keys.map((key) => this.state(key).status);
  }

  finish(key: string, result: Result, token = this.state(key).token): void {
    this.take(this.interpreter.apply({ type: 'finished', key, token, result }));
  }

  apply(event: Parameters<Interpreter['apply']>[0]): void {
    this.take(this.interpreter.apply(event));
  }

  /** Paths dispatched so far, each batch in one list. */
  get dispatched(): string[][] {
    return this.commands.flatMap((command) =>
      command.type === 'execute' ? [command.executions.map(({ key }) => key)] : [],
    );
  }

  get settled() {
    return this.commands.filter((command) => command.type === 'settled').at(-1);
  }
}

describe('readiness', () => {
  it('dispatches a node when all its sources are settled, never before', () => {
    const run = new Played([node('a'), node('b'), node('c', { sources: { x: 'a.value', y: 'b.value' } })]);
    run.finish('a', succeeded('1'));
    expect(run.dispatched).toEqual([['a'], ['b']]);
    run.finish('b', succeeded('2'));
    expect(run.dispatched).toEqual([['a'], ['b'], ['c']]);
  });

  it('skips a node whose required port or all of whose edges are dead, and what hangs on it', () => {
    const run = new Played([
      node('a'),
      node('b', { sources: { x: 'a.other' } }),
      node('c', { sources: { x: 'b.value' }, required: false }),
    ]);
    run.finish('a', succeeded('1'));
    expect(run.status('b', 'c')).toEqual(['skipped', 'skipped']);
    expect(run.settled).toMatchObject({ status: 'succeeded' });
  });

  it('leaves dead sources of optional ports out', () => {
    const run = new Played([node('a'), node('b', { sources: { x: 'a.value', y: 'a.other' }, required: false })]);
    run.finish('a', succeeded('1'));
    const last = run.commands.at(-1);
    expect(last?.type === 'execute' && last.executions[0]?.inputs).toEqual({ x: [value('1')] });
  });

  it('merges to the first live input in port order', () => {
    const run = new Played([
      node('a'),
      node('m', { op: { type: 'merge' }, sources: { a: 'a.other', b: 'a.value' }, required: false }),
    ]);
    run.finish('a', succeeded('1'));
    expect(run.state('m').outputs).toEqual({ value: value('1') });
  });
});

describe('results', () => {
  it('count only under the token of the node', () => {
    const run = new Played([node('a')]);
    run.finish('a', succeeded('1'), 99);
    expect(run.status('a')).toEqual(['running']);
  });

  it('of a failure without an error edge hold back what hangs on it and fail the scope when the rest has ended', () => {
    const run = new Played([node('a'), node('b'), node('c', { sources: { x: 'a.value' } })]);
    run.finish('a', failed);
    expect(run.settled).toBeUndefined();
    run.finish('b', succeeded('2'));
    expect(run.status('a', 'b', 'c')).toEqual(['failed', 'succeeded', 'waiting']);
    expect(run.settled).toMatchObject({ status: 'failed', failure: { code: 'node.failed', place: { node: 'a' } } });
  });

  it('of a failure with an error edge go down that edge only', () => {
    const run = new Played([
      node('a', { handlesError: true }),
      node('b', { sources: { x: 'a.value' } }),
      node('c', { sources: { x: 'a.error' } }),
    ]);
    run.finish('a', failed);
    expect(run.status('b', 'c')).toEqual(['skipped', 'running']);
    run.finish('c', succeeded('1'));
    expect(run.settled).toMatchObject({ status: 'succeeded' });
  });
});

describe('regions', () => {
  const region = { region: 0 };

  it('are dispatched as one batch, inputs by token', () => {
    const run = new Played([node('a', region), node('b', { ...region, sources: { x: 'a.value' } })]);
    expect(run.dispatched).toEqual([['a', 'b']]);
    const first = run.commands[0];
    expect(first?.type === 'execute' && first.executions[1]?.inputs).toEqual({
      x: [{ token: run.state('a').token, port: 'value' }],
    });
  });

  it('take back members that were not executed, without counting an attempt', () => {
    const run = new Played([node('a', region), node('b', { ...region, sources: { x: 'a.value' } })]);
    run.finish('a', failed);
    run.finish('b', { status: 'unexecuted' });
    expect(run.status('b')).toEqual(['waiting']);
    expect(run.state('b').attempt).toBe(0);
  });
});

describe('gates', () => {
  const gate = (id: string) =>
    node(id, { gate: true, repair: { target: 'draft', rounds: 1 }, sources: { value: 'draft.value' } });
  const graph = () => new Played([node('draft'), gate('one'), gate('two')]);

  it('wait for each other; then the target gets all feedback and everything after it another round', () => {
    const run = graph();
    run.finish('draft', succeeded('1'));
    run.finish('two', asks('repair', 'b'));
    expect(run.status('draft')).toEqual(['succeeded']);
    run.finish('one', asks('repair', 'a'));
    expect(run.status('draft', 'one', 'two')).toEqual(['running', 'waiting', 'waiting']);
    expect(run.state('draft')).toMatchObject({ round: 2, attempt: 1, feedback: ['a', 'b'] });
  });

  it('that reject beat those that ask for a repair', () => {
    const run = graph();
    run.finish('draft', succeeded('1'));
    run.finish('one', asks('repair', 'a'));
    run.finish('two', asks('reject'));
    expect(run.status('draft', 'one', 'two')).toEqual(['succeeded', 'failed', 'failed']);
    expect(run.settled).toMatchObject({ failure: { code: 'gate.rejected' } });
  });

  it('are exhausted after their rounds', () => {
    const run = graph();
    for (const round of ['1', '2']) {
      run.finish('draft', succeeded(round));
      run.finish('one', asks('repair', 'a'));
      run.finish('two', asks('pass'));
    }
    expect(run.state('one').failure?.code).toBe('gate.exhausted');
    expect(run.state('draft').round).toBe(2);
  });
});

describe('retry', () => {
  const body = [node('x', { sources: { v: '.value' } }), node('y', { sources: { v: 'x.value' } })];
  const graph = () =>
    new Played(
      [
        node('a'),
        node('sub', { op: { type: 'subgraph', scope: 'body' }, sources: { value: 'a.value' } }),
        node('side'),
      ],
      body,
    );

  it('brings back the node and its descendants, and leaves the rest', () => {
    const run = new Played([node('a'), node('b', { sources: { x: 'a.value' } }), node('side')]);
    for (const key of ['a', 'side', 'b']) run.finish(key, succeeded(key));
    const before = run.state('side');
    run.apply({ type: 'retry', targets: ['a'], edits: {} });
    expect(run.status('a', 'b', 'side')).toEqual(['running', 'waiting', 'succeeded']);
    expect(run.state('side')).toEqual(before);
    expect(run.state('a').token).toBe(4);
  });

  it('of a failed composite runs what failed inside, whichever order the nodes are named in', () => {
    const run = graph();
    run.finish('a', succeeded('1'));
    run.finish('side', succeeded('2'));
    run.finish('sub/x', succeeded('3'));
    run.finish('sub/y', failed);
    expect(run.settled).toMatchObject({ status: 'failed', failure: { place: { node: 'sub/y' } } });
    run.apply({ type: 'retry', targets: ['sub/y', 'sub'], edits: {} });
    expect(run.status('sub', 'sub/x', 'sub/y')).toEqual(['running', 'succeeded', 'running']);
    run.finish('sub/y', succeeded('4'));
    expect(run.settled).toMatchObject({ status: 'succeeded' });
  });

  it('is refused for nodes that are not there or running, unless the run was at rest', () => {
    const run = graph();
    expect(run.interpreter.retryProblem(['nowhere'], {})).toMatch(/no node 'nowhere'/);
    expect(run.interpreter.retryProblem(['a'], {})).toMatch(/'a' is running/);
    expect(run.interpreter.retryProblem(['a'], {}, true)).toBeNull();
  });
});

describe('waits', () => {
  const approval = (onTimeout: 'approve' | 'fail') =>
    node('ask', { op: { type: 'approval', timeoutMs: 5, onTimeout }, sources: { value: 'a.value' } });
  const asked = (onTimeout: 'approve' | 'fail') => {
    const run = new Played([node('a'), approval(onTimeout)]);
    run.finish('a', succeeded('1'));
    return run;
  };
  const elapse = (run: Played) => run.apply({ type: 'elapsed', key: 'ask', token: run.state('ask').token });

  it('end by decision, which is committed before the value goes on', () => {
    const run = asked('fail');
    run.apply({ type: 'decision', key: 'ask', decision: 'approve', by: 'Ann', note: '' });
    expect(run.commands.at(-1)).toMatchObject({
      type: 'record',
      origin: 'decision',
      outputs: { approved: value('1') },
    });
    expect(run.status('ask')).toEqual(['running']);
  });

  it('are not timed out while a decision is being committed', () => {
    const run = asked('fail');
    run.apply({ type: 'decision', key: 'ask', decision: 'approve', by: 'Ann', note: '' });
    elapse(run);
    expect(run.status('ask')).toEqual(['running']);
  });

  it('end by their time limit', () => {
    const run = asked('fail');
    elapse(run);
    expect(run.state('ask').failure?.code).toBe('approval.timeout');
  });
});

describe('cancel', () => {
  it('ends what waits, abandons what runs, and settles when that has ended', () => {
    const run = new Played([node('a'), node('b', { sources: { x: 'a.value' } })]);
    run.apply({ type: 'cancel' });
    expect(run.commands.at(-1)).toEqual({ type: 'abandon', tokens: [1] });
    expect(run.status('a', 'b')).toEqual(['running', 'cancelled']);
    run.finish('a', { status: 'cancelled' });
    expect(run.settled).toMatchObject({ status: 'cancelled', failure: null });
  });

  it('of a run that has failed and waits settles it as cancelled', () => {
    const run = new Played([node('a')]);
    run.finish('a', failed);
    run.apply({ type: 'cancel' });
    expect(run.settled).toMatchObject({ status: 'cancelled' });
  });
});

describe('a retry inside a repeat whose iteration is being judged', () => {
  const loop = () =>
    new Played(
      [node('loop', { op: { type: 'repeat', scope: 'body', maxRounds: 3, onLimit: 'fail' } })],
      [node('x', { required: false })],
    );
  const judgements = (run: Played) => run.commands.flatMap((command) => (command.type === 'until' ? [command] : []));
  const answer = (run: Played, which: number, holds: boolean) => {
    const asked = judgements(run)[which];
    if (!asked) throw new Error('nothing was asked');
    run.apply({ type: 'until', key: 'loop', token: asked.token, holds, outputs: asked.outputs });
  };

  it.each(['before', 'after'])('drops the answer about the former value that comes %s the new one is made', (when) => {
    const run = loop();
    run.finish('loop#1/x', succeeded('former'));
    run.apply({ type: 'retry', targets: [], edits: { 'loop#1/x': { params: 'edited' } } });
    if (when === 'before') answer(run, 0, true);
    run.finish('loop#1/x', succeeded('new'));
    if (when === 'after') answer(run, 0, false);
    expect(run.status('loop', 'loop#1/x')).toEqual(['running', 'succeeded']);
    answer(run, 1, true);
    expect(run.state('loop')).toMatchObject({ status: 'succeeded', iteration: 1, outputs: { value: value('new') } });
    expect(run.settled).toMatchObject({ status: 'succeeded' });
  });
});

describe('retries inside a map', () => {
  const op = {
    type: 'map',
    scope: 'body',
    window: 4,
    slice: 3,
    maxItems: 100,
    onItemFailure: 'fail',
    tolerated: 0,
  } as const;

  /** A map of ten items, all of which failed. */
  function failedMap(): Played {
    const run = new Played([node('a'), node('each', { op, sources: { items: 'a.value' } })], [node('x')]);
    run.finish('a', succeeded('1'));
    const { token } = run.state('each');
    run.apply({ type: 'split', key: 'each', token, count: 10, succeeded: [], failed: [], keepFailed: false });
    endSlices(run);
    expect(run.status('each')).toEqual(['failed']);
    return run;
  }
  const open = (run: Played): Record<string, number[]> => run.state('each').map?.open ?? {};
  function endSlices(run: Played): number[][] {
    const ran: number[][] = [];
    for (let slices = Object.entries(open(run)); slices.length > 0; slices = Object.entries(open(run))) {
      for (const [slice, items] of slices) {
        ran.push([...items]);
        const { token } = run.state('each');
        run.apply({
          type: 'slice',
          key: 'each',
          token,
          slice: Number(slice),
          succeeded: [],
          failed: items,
          cancelled: [],
        });
      }
    }
    return ran;
  }
  const targets = Array.from({ length: 9 }, (_, item) => `each[${item}]/x`);

  it('takes items together, a slice at a time, and never more than the window', () => {
    const run = failedMap();
    run.commands.length = 0;
    run.apply({ type: 'retry', targets, edits: {}, grouped: true });
    expect(Object.values(open(run)).flat().length).toBeLessThanOrEqual(4);
    const ran = endSlices(run);
    expect(ran.flat().sort((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
    expect(Math.max(...ran.map((items) => items.length))).toBe(3);
    const slices = run.commands.flatMap((command) => (command.type === 'slice' ? [command] : []));
    for (const { items, retry } of slices) expect(retry).toEqual(items.map((item) => `each[${item}]/x`));
    expect(run.status('each')).toEqual(['failed']);
    expect(run.state('each').map?.failed).toHaveLength(10);
  });

  it('starts each at once and alone for a history that was begun so', () => {
    const run = failedMap();
    run.apply({ type: 'retry', targets: targets.slice(0, 6), edits: {} });
    expect(Object.values(open(run))).toEqual([[0], [1], [2], [3], [4], [5]]);
  });
});
