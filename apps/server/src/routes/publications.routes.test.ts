import { DocumentList } from '@cua-forge/spec/api/documents';
import { kinds } from '@cua-forge/spec/kinds';
import { PublicationList, PublishResult } from '@cua-forge/spec/publication';
import { ScheduleView } from '@cua-forge/spec/schedule';
import { BatchRecord } from '@cua-forge/spec/store-port';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../testing/test-server.ts';

let server: TestServer;
const doubler = (times: number, more: object = {}) => ({
  ...{ forge: 1, id: 'doubler', title: 'Doubler' },
  inputs: { amount: { type: 'number', default: 1 } },
  nodes: [
    {
      ...{ id: 'double', kind: 'data.transform', version: 1 },
      params: { expression: `amount * ${times}`, inputs: { amount: 'number' } },
    },
  ],
  edges: [{ from: '$inputs.amount', to: 'double.amount' }],
  outputs: { doubled: 'double.value' },
  ...more,
});
const save = async (document: object, expectedRevision: number | null) =>
  expect((await server.call('PUT', '/api/documents/doubler', { document, expectedRevision })).status).toBe(200);
const publish = async (body: object = {}) =>
  PublishResult.parse((await server.call('POST', '/api/documents/doubler/publish', body)).body);
const state = async () => PublicationList.parse((await server.call('GET', '/api/documents/doubler/publications')).body);
const batch = async (more: object = {}) =>
  BatchRecord.parse(
    (await server.call('POST', '/api/batches', { documentId: 'doubler', count: 1, seed: 1, ...more })).body,
  ).parts[0]?.revision;

beforeEach(async () => {
  server = await startTestServer({ kinds });
  await save(doubler(2), null);
});
afterEach(() => server.stop());

describe('a published revision', () => {
  it('is what batches run, whatever is saved later; without one they run the newest', async () => {
    await save(doubler(3), 1);
    expect(await batch()).toBe(2);
    const { publication } = await publish({ revision: 1, note: 'tried out' });
    expect(publication).toMatchObject({ documentId: 'doubler', revision: 1, note: 'tried out', by: 'local' });
    expect(await batch()).toBe(1);
    expect(await batch({ revision: 'latest' })).toBe(2);
    expect(await batch({ revision: 2 })).toBe(2);
    expect(
      (await server.call('POST', '/api/batches', { documentId: 'doubler', count: 1, seed: 1, revision: 9 })).status,
    ).toBe(404);
    const { documents, published } = DocumentList.parse((await server.call('GET', '/api/documents')).body);
    expect(documents.map(({ revision }) => revision)).toEqual([2]);
    expect(published.doubler).toEqual(publication);
    const [entry] = await server.store.meta.listAudit({ action: 'document.publish', limit: 5 });
    expect(entry).toMatchObject({ target: 'doubler', user: 'local', detail: 'revision=1' });
  });

  it('is told apart from the draft by meaning: moved cards are no change', async () => {
    expect(await state()).toEqual({ publications: [], draft: { revision: 1, changes: null } });
    await publish();
    await save(doubler(2, { layout: { main: { double: { x: 40, y: 80 } } } }), 1);
    expect((await state()).draft).toEqual({ revision: 2, changes: 0 });
    await save(doubler(3), 2);
    expect((await state()).draft).toEqual({ revision: 3, changes: 1 });
  });

  it('is rolled back by publishing an older one, and its history stays', async () => {
    await save(doubler(3), 1);
    await publish({});
    await publish({ revision: 1 });
    await publish({ revision: 1 });
    expect((await state()).publications.map(({ revision }) => revision)).toEqual([1, 2]);
    expect(await batch()).toBe(1);
  });

  it('cannot be one that is not there, or that has errors', async () => {
    expect((await server.call('POST', '/api/documents/doubler/publish', { revision: 7 })).status).toBe(404);
    await save(doubler(2, { edges: [] }), 1);
    expect(await server.call('POST', '/api/documents/doubler/publish', {})).toMatchObject({
      body: { error: { code: 'document.invalid' } },
    });
    expect((await state()).publications).toEqual([]);
  });

  it('takes the schedules with it that follow it, and says which cannot', async () => {
    await publish();
    const schedule = async (more: object) =>
      ScheduleView.parse(
        (await server.call('POST', '/api/schedules', { documentId: 'doubler', timing: { everySeconds: 60 }, ...more }))
          .body,
      ).schedule;
    const [following, fixed, given] = [
      await schedule({ count: 4, seed: 10 }),
      await schedule({ revision: 1 }),
      await schedule({ inputs: { amount: 5 } }),
    ];
    await server.store.meta.fireSchedule(following.id, { id: 'b-1', workflowId: 'b', at: 1 });
    await save(
      doubler(3, {
        inputs: {},
        edges: [],
        nodes: [{ id: 'double', kind: 'data.transform', version: 1, params: { expression: '3' } }],
      }),
      1,
    );
    const { schedules } = await publish();
    expect(schedules.find(({ id }) => id === following.id)?.refused).toBeNull();
    expect(schedules.find(({ id }) => id === given.id)?.refused).toContain('"amount"');
    expect(schedules).toHaveLength(2);
    const { meta } = server.store;
    const moved = await meta.getSchedule(following.id);
    expect(moved?.part).toMatchObject({ revision: 2, count: 4, seed: 10 });
    expect((await meta.fireSchedule(following.id, { id: 'b-2', workflowId: 'b', at: 2 }))?.parts[0]?.seed).toBe(14);
    expect((await meta.getSchedule(fixed.id))?.part.revision).toBe(1);
    expect((await meta.getSchedule(given.id))?.part.revision).toBe(1);
  });
});

describe('a schedule', () => {
  it('is changed in what is named alone; what a change cannot be is refused, and nothing changes', async () => {
    const made = ScheduleView.parse(
      (
        await server.call('POST', '/api/schedules', {
          ...{ documentId: 'doubler', timing: { cron: '0 6 * * *' }, count: 2, seed: 7, inputs: { amount: 5 } },
        })
      ).body,
    ).schedule;
    const change = async (body: object) => await server.call('PUT', `/api/schedules/${made.id}`, body);
    const { schedule } = ScheduleView.parse((await change({ count: 3, timing: { everySeconds: 120 } })).body);
    expect(schedule).toMatchObject({ title: 'Doubler', timing: { everySeconds: 120 }, part: { count: 3, seed: 7 } });
    expect(schedule.part.inputs).toEqual(made.part.inputs);
    const proved = ScheduleView.parse((await change({ prove: true, seed: 100 })).body).schedule;
    expect(proved).toMatchObject({ prove: true, part: { seed: 100, count: 3 } });
    expect(await change({ inputs: { wrong: 1 } })).toMatchObject({ status: 400 });
    server.engine.reachable = false;
    expect((await change({ count: 9 })).status).toBe(503);
    server.engine.reachable = true;
    expect(await server.store.meta.getSchedule(made.id)).toEqual(proved);
    expect((await server.store.meta.listAudit({ action: 'schedule.change', limit: 9 })).length).toBe(2);
  });
});
