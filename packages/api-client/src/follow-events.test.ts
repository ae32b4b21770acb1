import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { afterEach, expect, it } from 'vitest';
import { createApiClient } from './api-client.ts';

let stop: () => void = () => {};
afterEach(() => stop());

/** Answers each connection with the next script, and notes where it was asked to begin. */
async function serve(
  ...scripts: ((response: ServerResponse) => void)[]
): Promise<{ url: string; after: (string | null)[] }> {
  const after: (string | null)[] = [];
  const server = createServer((request, response) => {
    after.push(new URL(request.url ?? '', 'http://server').searchParams.get('after'));
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    scripts[after.length - 1]?.(response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  stop = () => {
    server.closeAllConnections();
    server.close();
  };
  const address = server.address();
  return { url: `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`, after };
}
const frame = (id: number) =>
  `id: ${id}\ndata: ${JSON.stringify({ id, runId: 'r', type: 'log', data: null, at: 1 })}\n\n`;

it('comes back after a break, in the middle of an event too, and repeats none', async () => {
  const { url, after } = await serve(
    (response) => {
      response.write(`: hello\n\n${frame(1)}${frame(2)}id: 3\ndata: {"id`);
      setTimeout(() => response.destroy(), 50);
    },
    (response) => response.write(frame(3)),
  );
  const ending = new AbortController();
  const ids: number[] = [];
  for await (const { id } of createApiClient({ url }).events({ run: 'r', signal: ending.signal })) {
    ids.push(id);
    if (ids.length === 3) ending.abort();
  }
  expect(ids).toEqual([1, 2, 3]);
  expect(after).toEqual([null, '2']);
});

it('throws what the server refuses', async () => {
  const server = createServer((_request, response) => {
    response.writeHead(401, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ error: { code: 'unauthorized', message: 'No.' } }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  stop = () => server.close();
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
  const events = createApiClient({ url }).events({ signal: new AbortController().signal });
  await expect(events.next()).rejects.toMatchObject({ code: 'unauthorized' });
});
