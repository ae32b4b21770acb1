import { HookAnswer, HookMade } from '@cua-forge/spec/hook';
import { kinds } from '@cua-forge/spec/kinds';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../testing/test-server.ts';

let server: TestServer;
beforeEach(async () => {
  server = await startTestServer({ kinds });
  await server.call('PUT', '/api/documents/doubler', {
    document: {
      ...{ forge: 1, id: 'doubler', title: 'Doubler' },
      inputs: { amount: { type: 'number' }, note: { type: 'text', default: '' } },
      nodes: [
        {
          ...{ id: 'double', kind: 'data.transform', version: 1 },
          params: { expression: 'amount * 2', inputs: { amount: 'number' } },
        },
      ],
      edges: [{ from: '$inputs.amount', to: 'double.amount' }],
      outputs: { doubled: 'double.value' },
    },
    expectedRevision: null,
  });
});
afterEach(() => server.stop());

const make = async (more: object = {}): Promise<HookMade> =>
  HookMade.parse(
    (
      await server.call('POST', '/api/hooks', {
        ...{ title: 'Tracker', documentId: 'doubler', inputs: { amount: 3 }, open: ['amount'], count: 2, ...more },
      })
    ).body,
  );
const batchOf = async (answer: { body: unknown }) => server.store.meta.getBatch(HookAnswer.parse(answer.body).id);

it('starts a batch for whoever has the token, with the inputs that are open to callers', async () => {
  const { hook, path, token } = await make();
  const first = await server.call('POST', path, {});
  expect(first.status).toBe(201);
  const batch = await batchOf(first);
  expect(batch).toMatchObject({ count: 2, parts: [{ documentId: 'doubler' }] });
  expect(server.engine.batches).toEqual([batch?.id]);
  const second = await batchOf(await server.call('POST', path, { inputs: { amount: 8 }, seed: 5 }));
  expect(second?.parts[0]).toMatchObject({ seed: 5 });
  expect(second?.parts[0]?.inputs).not.toEqual(batch?.parts[0]?.inputs);
  const refused = await server.call('POST', path, { inputs: { note: 'x' } });
  expect(refused).toMatchObject({ status: 400, body: { error: { message: expect.stringContaining('"note"') } } });
  const entries = await server.store.meta.listAudit({ action: 'hook.call', limit: 5 });
  expect(entries.map(({ target }) => target)).toEqual([second?.id, batch?.id]);
  const [made] = await server.store.meta.listAudit({ action: 'hook.create', limit: 5 });
  expect(made?.target).toBe(hook.id);
  const list = JSON.stringify((await server.call('GET', '/api/hooks')).body);
  expect(list).toContain(hook.id);
  expect(list).not.toContain(token);
});

it('starts one batch for one idempotency key', async () => {
  const { path } = await make();
  const call = () => server.call('POST', path, { idempotencyKey: 'issue-7' });
  const ids = [(await call()).body, (await call()).body].map((body) => HookAnswer.parse(body).id);
  expect(ids[0]).toBe(ids[1]);
  expect(await server.store.meta.listBatches(9)).toHaveLength(1);
});

it('takes no more calls in a minute than it says', async () => {
  const { path } = await make({ perMinute: 2 });
  const statuses = [];
  for (let call = 0; call < 3; call += 1) statuses.push((await server.call('POST', path, {})).status);
  expect(statuses).toEqual([201, 201, 503]);
});

it('ends a token when a new one is made, and with the hook', async () => {
  const made = await make();
  const next = HookMade.parse((await server.call('POST', `/api/hooks/${made.hook.id}/rotate`)).body);
  expect(next.hook).toEqual(made.hook);
  expect((await server.call('POST', made.path, {})).status).toBe(404);
  expect((await server.call('POST', next.path, {})).status).toBe(201);
  expect((await server.call('DELETE', `/api/hooks/${made.hook.id}`)).status).toBe(200);
  expect((await server.call('POST', next.path, {})).status).toBe(404);
  expect((await server.call('POST', '/api/hooks', { title: 'x', documentId: 'none' })).status).toBe(404);
});
