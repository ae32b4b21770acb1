import { GraphDocument } from '@cua-forge/spec/document';
import { RunEvent } from '@cua-forge/spec/store-port';
import { openStore } from '@cua-forge/store/open-store';
import { EventSourceParserStream } from 'eventsource-parser/stream';
import { expect, it } from 'vitest';
import { faultDocument } from '../support/fault-document.ts';
import { runIn } from '../support/run-watch.ts';
import { eventually, startServices } from '../support/services.ts';
import { modelAt, slowModel } from '../support/slow-model.ts';

/** Ids of the events of a run after one, as a browser that comes back asks for them, until `count` are there. */
async function resumed(url: string, run: string, lastEventId: number, count: number): Promise<number[]> {
  const response = await fetch(`${url}/api/events?run=${run}`, { headers: { 'Last-Event-ID': String(lastEventId) } });
  const ids: number[] = [];
  const messages = response.body?.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream());
  for await (const message of messages ?? []) {
    ids.push(RunEvent.parse(JSON.parse(message.data)).id);
    if (ids.length === count) break;
  }
  return ids;
}

it('goes on while the server is killed, and its event streams lose and repeat nothing', async () => {
  const model = await slowModel(500);
  const services = await startServices({ env: modelAt(model.baseUrl) });
  const store = await openStore({ folder: services.store });
  const following = new AbortController();
  try {
    const { api } = services;
    const { id } = await api.startRun({
      document: GraphDocument.parse(faultDocument),
      inputs: { nonce: 'server' },
      mode: 'batch',
    });
    const followed: RunEvent[] = [];
    const reading = (async () => {
      for await (const event of api.events({ run: id, after: 0, signal: following.signal })) followed.push(event);
    })();

    await eventually('some events have come', async () => followed.length >= 10);
    await services.kill('server');
    const before = followed.length;
    const committed = (await store.meta.listOutcomes(id)).length;
    await eventually(
      'the worker goes on alone',
      async () => (await store.meta.listOutcomes(id)).length > committed + 3,
    );
    await services.restart('server');
    expect(await runIn(api, id)).toMatchObject({ state: 'succeeded' });

    const stored = (await store.meta.listEvents({ after: 0, runId: id, limit: 1_000 })).map((event) => event.id);
    await eventually('all events have come', async () => followed.length >= stored.length);
    expect(before).toBeLessThan(stored.length);
    expect(followed.map((event) => event.id)).toEqual(stored);
    const from = Math.floor(stored.length / 2);
    const rest = stored.slice(from + 1);
    expect(await resumed(services.url, id, stored[from] ?? 0, rest.length)).toEqual(rest);
    following.abort();
    await reading;
  } finally {
    following.abort();
    await store.meta.close();
    await services.stop();
    await model.close();
  }
});
