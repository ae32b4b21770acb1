import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface SeenRequest {
  headers: IncomingHttpHeaders;
  body: Record<string, unknown>;
  at: number;
}

export type Behaviour = (response: ServerResponse, request: SeenRequest) => void;

/** A local HTTP server for tests that answers each request with the next behaviour, and the last one for ever. */
export async function fakeChatServer(behaviours: readonly Behaviour[]) {
  const seen: SeenRequest[] = [];
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const entry = {
        headers: request.headers,
        body: JSON.parse(Buffer.concat(parts).toString('utf8')),
        at: Date.now(),
      };
      const behave = behaviours[Math.min(seen.length, behaviours.length - 1)];
      seen.push(entry);
      behave?.(response, entry);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    seen,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const event = (data: unknown) => `data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`;

/** Streams the text in pieces; with `breakOff`, the connection ends properly before the answer does. */
export function streams(
  text: string,
  options: { breakOff?: boolean; finish?: string; usage?: unknown } = {},
): Behaviour {
  return (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const half = Math.ceil(text.length / 2);
    for (const content of [text.slice(0, half), text.slice(half)])
      response.write(event({ choices: [{ delta: { content } }] }));
    if (options.breakOff === true) return void response.end();
    response.write(event({ choices: [{ delta: {}, finish_reason: options.finish ?? 'stop' }] }));
    response.write(event({ choices: [], usage: options.usage ?? { prompt_tokens: 7, completion_tokens: 3 } }));
    response.end(event('[DONE]'));
  };
}

export function status(code: number, body: unknown, headers: Record<string, string> = {}): Behaviour {
  return (response) => {
    response.writeHead(code, { 'content-type': 'application/json', ...headers });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  };
}

/** Takes the request and never answers. */
export const hangs: Behaviour = () => {};

/** Cuts the connection in the middle of the answer. */
export const resets: Behaviour = (response) => {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.write(event({ choices: [{ delta: { content: 'half an ans' } }] }));
  setTimeout(() => response.destroy(), 20);
};

/** Reports an error inside the stream. */
export const failsInside: Behaviour = (response) => {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.end(event({ error: { message: 'The engine is overloaded', code: 'server_error' } }));
};
