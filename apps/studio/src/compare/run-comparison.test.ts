import type { RunView } from '@cua-forge/spec/api/runs';
import { GraphDocument } from '@cua-forge/spec/document';
import type { NodeView, Outcome, RunRecord } from '@cua-forge/spec/store-port';
import { expect, it } from 'vitest';
import { type ComparedRun, comparedNodes, paramChanges } from './run-comparison.ts';

const document = (...ids: string[]) =>
  GraphDocument.parse({
    forge: 1,
    id: 'doc',
    title: 'Doc',
    nodes: ids.map((id) => ({ id, kind: 'data.transform', version: 1, title: id.toUpperCase() })),
  });
const outcome = (key: string, token: number, change: Partial<Outcome> = {}): Outcome => ({
  runId: 'r',
  key,
  token,
  round: 1,
  attempt: 1,
  status: 'succeeded',
  kind: 'data.transform',
  title: key,
  fingerprint: '',
  params: 'p1',
  inputs: {},
  outputs: { value: { hash: 'v1', size: 1 } },
  verdict: null,
  failure: null,
  origin: 'executed',
  madeBy: null,
  memoKey: null,
  providers: [],
  usage: { input: 5, cached: 0, output: 5 },
  usd: 0.1,
  startedAt: 100,
  endedAt: 150,
  ...change,
});
const state = (key: string, status: NodeView['status']) => ({ key, status }) as NodeView;
const run = (doc: GraphDocument, nodes: NodeView[], outcomes: Outcome[]): ComparedRun => ({
  view: { run: {} as RunRecord, document: doc, nodes } as RunView,
  scope: { eventId: 0, nodes, outcomes },
});

it('sets the nodes of two runs beside each other and says what differs', () => {
  const left = run(
    document('a', 'b', 'gone'),
    [state('a', 'succeeded'), state('b', 'failed')],
    [outcome('a', 1, { status: 'failed' }), outcome('a', 2), outcome('b', 3)],
  );
  const right = run(
    document('a', 'b', 'new'),
    [state('a', 'succeeded'), state('b', 'succeeded')],
    [
      outcome('a', 1, { origin: 'memo', usage: { input: 0, cached: 0, output: 0 }, usd: 0 }),
      outcome('b', 2, {
        params: 'p2',
        inputs: { x: [{ hash: 'i', size: 1 }] },
        outputs: { value: { hash: 'v2', size: 1 } },
        usd: null,
      }),
    ],
  );
  const pairs = comparedNodes(left, right);
  expect(pairs.map(({ id, differs }) => [id, differs])).toEqual([
    ['a', []],
    ['b', ['state', 'params', 'inputs', 'outputs']],
    ['gone', []],
    ['new', []],
  ]);
  expect(pairs[0]?.sides).toMatchObject([
    { executions: 2, milliseconds: 100, tokens: 20, usd: 0.2 },
    { executions: 1, milliseconds: 0, tokens: 0, usd: 0 },
  ]);
  expect(pairs[1]?.sides[1]?.usd).toBeNull();
  expect(pairs[2]?.sides[1]).toBeNull();
  expect(pairs[3]?.sides[0]).toBeNull();
});

it('names the params that differ by their path', () => {
  const left = { model: 'small', columns: [{ name: 'a' }, { name: 'b' }], same: { x: 1, y: 2 } };
  const right = { model: 'large', columns: [{ name: 'a' }, { name: 'c' }, { name: 'd' }], same: { y: 2, x: 1 } };
  expect(paramChanges(left, right)).toEqual([
    { path: 'model', left: 'small', right: 'large' },
    { path: 'columns[1].name', left: 'b', right: 'c' },
    { path: 'columns[2]', left: '–', right: '{\n  "name": "d"\n}' },
  ]);
  expect(paramChanges(left, structuredClone(left))).toEqual([]);
});
