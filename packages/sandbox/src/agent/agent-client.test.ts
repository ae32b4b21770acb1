import { duplexPair } from 'node:stream';
import { expect, it } from 'vitest';
import { AgentClient } from './agent-client.ts';

function pair() {
  const [here, there] = duplexPair();
  return { client: new AgentClient(here), there };
}

it('joins answers to their calls, in whatever order and pieces they come', async () => {
  const { client, there } = pair();
  const first = client.call('move', { x: 1, y: 1 });
  const second = client.call('type', { text: 'ab' });
  const bytes = '{"id":2,"ok":true,"result":{"characters":2}}\n{"id":1,"ok":true,"result":{}}\n';
  for (const byte of bytes) there.write(byte);
  await expect(second).resolves.toEqual({ characters: 2 });
  await expect(first).resolves.toEqual({});
});

it('passes refusals on with what to do', async () => {
  const { client, there } = pair();
  const call = client.call('key', { keys: ['Nonsense'] });
  there.write('{"id":1,"ok":false,"error":{"code":"refused","message":"no such key","fix":"another"}}\n');
  await expect(call).rejects.toMatchObject({ code: 'sandbox.refused', message: 'no such key', fix: 'another' });
});

it('believes no answer of another shape, and hangs up on what is no answer', async () => {
  const { client, there } = pair();
  const call = client.call('type', { text: 'ab' });
  there.write('{"id":1,"ok":true,"result":{"characters":"many"}}\n');
  await expect(call).rejects.toMatchObject({ code: 'sandbox.failed' });
  const next = client.call('windows', {});
  there.write('garbage\n');
  await expect(next).rejects.toMatchObject({ code: 'sandbox.lost' });
  await expect(client.call('windows', {})).rejects.toMatchObject({ code: 'sandbox.lost' });
});

it('tells the agent of a cancelled call', async () => {
  const { client, there } = pair();
  const stop = new AbortController();
  const call = client.call('waitForStill', {}, { signal: stop.signal });
  stop.abort();
  await expect(call).rejects.toMatchObject({ code: 'node.cancelled' });
  let sent = '';
  for await (const data of there) {
    sent += String(data);
    if (sent.includes('"cancel":1')) break;
  }
  expect(sent).toContain('"cancel":1');
});

it('fails every call when the connection ends', async () => {
  const { client, there } = pair();
  const call = client.call('windows', {});
  there.end();
  await expect(call).rejects.toMatchObject({ code: 'sandbox.lost' });
});
