import { ItemCounts, ItemList, NodeLog, RetryResult, RunView, ScopeView } from '@cua-forge/spec/api/runs';
import { GraphDocument } from '@cua-forge/spec/document';
import { kinds } from '@cua-forge/spec/kinds';
import { type NodeStatus, NodeView, RunRecord } from '@cua-forge/spec/store-port';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../testing/test-server.ts';

let server: TestServer;
let id: string;

const step = (node: string) => ({
  id: node,
  kind: 'data.transform',
  version: 1,
  params: { inputs: { item: 'json' }, expression: 'item' },
});
/** list → each(guarded → rest), where an edge handles what `guarded` fails with. */
const document = GraphDocument.parse({
  forge: 1,
  id: 'many',
  title: 'Many',
  nodes: [
    { id: 'list', kind: 'data.transform', version: 1, params: { inputs: {}, expression: '[1, 2, 3]' } },
    { id: 'each', kind: 'flow.map', version: 1, params: { graph: 'body' } },
  ],
  edges: [{ from: 'list.value', to: 'each.items' }],
  outputs: { all: 'each.results' },
  graphs: {
    body: {
      inputs: { item: { type: 'json' } },
      nodes: [step('guarded'), step('instead'), step('rest')],
      edges: [
        { from: '$inputs.item', to: 'guarded.item' },
        { from: 'guarded.error', to: 'instead.item' },
        { from: '$inputs.item', to: 'rest.item' },
      ],
      outputs: { value: 'rest.value' },
    },
  },
});

beforeEach(async () => {
  server = await startTestServer({ kinds });
  const started = await server.call('POST', '/api/runs', { document });
  expect(started.status).toBe(201);
  id = RunRecord.parse(started.body).id;
  let seq = 0;
  const view = (
    key: string,
    status: NodeStatus,
    code?: 'node.failed' | 'node.timeout',
    counts = null as object | null,
  ) =>
    NodeView.parse({
      runId: id,
      key,
      seq: ++seq,
      token: 1,
      status,
      round: 1,
      attempt: 1,
      failure: code === undefined ? null : { code, message: `${key} went wrong` },
      note: null,
      counts,
      at: 5,
    });
  await server.store.meta.saveNodeViews([
    view('list', 'succeeded'),
    view('each', 'running', undefined, { total: 3, succeeded: 1 }),
    view('each[0]/guarded', 'failed', 'node.failed'),
    view('each[0]/rest', 'succeeded'),
    view('each[1]/rest', 'failed', 'node.timeout'),
    view('each[2]/rest', 'failed', 'node.failed'),
  ]);
});
afterEach(() => server.stop());

const get = async (path: string) => (await server.call('GET', `/api/runs/${id}${path}`)).body;

it('counts and pages the items of a map; a failure that an edge handles is none', async () => {
  expect(ItemCounts.parse(await get('/item-counts?map=each'))).toEqual({
    total: 3,
    counts: [
      { status: 'failed', failureCode: 'node.failed', count: 1 },
      { status: 'failed', failureCode: 'node.timeout', count: 1 },
      { status: 'succeeded', failureCode: null, count: 1 },
    ],
  });
  const page = ItemList.parse(await get('/items?map=each&status=failed&limit=1'));
  expect(page.items).toMatchObject([{ index: 1, failureCode: 'node.timeout', troubled: [{ key: 'each[1]/rest' }] }]);
  expect(page.next).toBe(1);
  const rest = ItemList.parse(await get('/items?map=each&status=failed&limit=1&after=1'));
  expect(rest.items.map(({ index }) => index)).toEqual([2]);
  expect(await get('/items?map=list')).toMatchObject({ error: { code: 'input.invalid' } });
  expect(await get('/item-counts?map=nothing')).toMatchObject({ error: { code: 'not-found' } });
});

it('shows one graph of the run at a time, and says from which event on to follow', async () => {
  const run = RunView.parse(await get(''));
  expect(run.nodes.map(({ key }) => key)).toEqual(['each', 'list']);
  expect(run.eventId).toBe(await server.store.meta.lastEventId());
  const item = ScopeView.parse(await get('/scope?prefix=each[0]/'));
  expect(item.nodes.map(({ key }) => key)).toEqual(['each[0]/guarded', 'each[0]/rest']);
  expect(item.outcomes).toEqual([]);
});

it('tells what a node said, and of no other node', async () => {
  const line = (key: string, text: string) => ({
    runId: id,
    type: 'log' as const,
    data: { key, token: 1, level: 'info', line: text },
    at: 6,
  });
  await server.store.meta.addEvents([line('each[1]/rest', 'asking'), line('each[11]/rest', 'other')]);
  const log = NodeLog.parse(await get('/log?key=each[1]/rest'));
  expect(log.events.map(({ type }) => type)).toEqual(['node', 'log']);
  expect(log.events[1]?.data).toMatchObject({ line: 'asking' });
  expect(log.next).toBeNull();
});

it('retries the failed nodes below a path, by code', async () => {
  await server.store.meta.updateRun(id, { state: 'failed' });
  server.engine.end(`run/${id}`, {});
  const retry = (body: object) => server.call('POST', `/api/runs/${id}/retry`, body);
  const none = await retry({ prefix: 'each[', failureCode: 'model.bad-output' });
  expect(none).toMatchObject({ status: 400, body: { error: { message: expect.stringContaining('below "each["') } } });
  const answer = await retry({ prefix: 'each[', failureCode: 'node.timeout' });
  expect(RetryResult.parse(answer.body).reset).toEqual(['each[1]/rest']);
});
