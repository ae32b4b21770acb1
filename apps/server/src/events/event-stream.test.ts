import { once } from 'node:events';
import { connect } from 'node:net';
import { RunEvent } from '@cua-forge/spec/store-port';
import { afterEach, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../testing/test-server.ts';

let server: TestServer;
afterEach(() => server.stop());

const slowBeat = { heartbeatMs: 60_000, patienceMs: 60_000 };

/** Follows a stream, and collects events and ids until told to stop. */
async function follow(path: string, headers: Record<string, string> = {}) {
  const abort = new AbortController();
  const response = await fetch(`${server.url}${path}`, { headers, signal: abort.signal });
  let text = '';
  const done = (async () => {
    for await (const chunk of response.body ?? []) text += new TextDecoder().decode(chunk);
  })().catch(() => {});
  const events = () =>
    [...text.matchAll(/(?<!^event: items\n)^id: (\d+)\ndata: (.+)$/gm)].map(([, id, data]) => ({
      id: Number(id),
      event: RunEvent.parse(JSON.parse(data ?? '')),
    }));
  return {
    status: response.status,
    events,
    text: () => text,
    until: async (condition: () => boolean) => {
      const deadline = Date.now() + 5_000;
      while (!condition()) {
        if (Date.now() > deadline) throw new Error(`The stream never got there: ${text}`);
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
    },
    stop: async () => {
      abort.abort();
      await done;
    },
  };
}

const log = (runId: string, message: string) =>
  server.store.meta.addEvents([{ runId, type: 'log', data: { message }, at: 1 }]);

describe('GET /api/events', () => {
  it('sends what happens, and after a break what was missed, each once', async () => {
    server = await startTestServer({ times: slowBeat });
    const first = await follow('/api/events');
    await log('a', 'one');
    await first.until(() => first.events().length === 1);
    await first.stop();
    await log('a', 'two');
    await log('b', 'three');
    const last = first.events().at(-1)?.id ?? 0;
    const second = await follow('/api/events', { 'last-event-id': String(last) });
    await log('a', 'four');
    await second.until(() => second.events().length === 3);
    expect(second.events().map(({ event }) => event.data)).toEqual([
      { message: 'two' },
      { message: 'three' },
      { message: 'four' },
    ]);
    expect(second.events().map(({ id, event }) => id === event.id)).toEqual([true, true, true]);
    await second.stop();
  });

  it('begins a run with its first event and shows no other run', async () => {
    server = await startTestServer({ times: slowBeat });
    for (let index = 0; index < 450; index += 1) await log(index % 2 === 0 ? 'a' : 'b', String(index));
    const stream = await follow('/api/events?run=a');
    await stream.until(() => stream.events().length === 225);
    expect(new Set(stream.events().map(({ event }) => event.runId))).toEqual(new Set(['a']));
    await stream.stop();
  });

  it('leaves out what happens in map items but the one asked for', async () => {
    server = await startTestServer({ times: slowBeat });
    const keys = ['list', 'each', 'each[0]/x', 'each[1]/x', 'each[1]/in[0]/y', 'each[10]/x'];
    await server.store.meta.addEvents(keys.map((key) => ({ runId: 'a', type: 'progress', data: { key }, at: 1 })));
    await log('a', 'of no node');
    const seen = async (inside: string, length: number) => {
      const stream = await follow(`/api/events?run=a&inside=${encodeURIComponent(inside)}`);
      await stream.until(() => stream.events().length >= length && stream.text().includes('event: items'));
      await stream.stop();
      const maps = /^event: items\nid: \d+\ndata: (.+)$/m.exec(stream.text())?.[1] ?? '';
      return [...stream.events().map(({ event }) => event.data), JSON.parse(maps)];
    };
    expect(await seen('', 3)).toEqual([
      { key: 'list' },
      { key: 'each' },
      { message: 'of no node' },
      { maps: ['each'] },
    ]);
    expect(await seen('each[1]/', 4)).toEqual([
      { key: 'list' },
      { key: 'each' },
      { key: 'each[1]/x' },
      { message: 'of no node' },
      { maps: ['each', 'each[1]/in'] },
    ]);
  });

  it('starts with the present after an id that the store never had', async () => {
    server = await startTestServer({ times: slowBeat });
    await log('a', 'old');
    const stream = await follow('/api/events', { 'last-event-id': '999' });
    await log('a', 'new');
    await stream.until(() => stream.events().length === 1);
    expect(stream.events()[0]?.event.data).toEqual({ message: 'new' });
    await stream.stop();
  });

  it('keeps quiet connections open, and frees the place of one that left', async () => {
    server = await startTestServer({
      times: { heartbeatMs: 20, patienceMs: 60_000 },
      env: { FORGE_EVENT_CLIENTS: '1' },
    });
    const first = await follow('/api/events');
    await first.until(() => first.text().includes(': beat'));
    const refused = await server.call('GET', '/api/events');
    expect(refused).toMatchObject({ status: 503, body: { error: { code: 'server.busy' } } });
    await first.stop();
    const deadline = Date.now() + 5_000;
    while (server.services.events.size > 0 && Date.now() < deadline)
      await new Promise((resolve) => setTimeout(resolve, 10));
    const second = await follow('/api/events');
    expect(second.status).toBe(200);
    await second.stop();
  });

  it('drops a client that does not read', async () => {
    server = await startTestServer({ times: { heartbeatMs: 60_000, patienceMs: 100 } });
    for (let index = 0; index < 200; index += 1) await log('a', 'x'.repeat(100_000));
    const { port } = new URL(server.url);
    const socket = connect(Number(port), '127.0.0.1');
    await once(socket, 'connect');
    socket.on('error', () => {});
    socket.pause();
    socket.write(`GET /api/events?run=a HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`);
    const deadline = Date.now() + 10_000;
    let seen = 0;
    while (Date.now() < deadline) {
      seen = Math.max(seen, server.services.events.size);
      if (seen === 1 && server.services.events.size === 0) break;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    expect(seen).toBe(1);
    expect(server.services.events.size).toBe(0);
    socket.destroy();
  });
});
