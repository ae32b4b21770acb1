import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import { GraphDocument } from '@cua-forge/spec/document';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { eventually, type RunningServices, startServices } from '../support/services.ts';

const canaries = { request: 'canary/request+"4711"', model: 'canary-model-key-4712' };
const marker = 'the-echo-was-here';

/** Sends back whatever it was given, headers and all, with the status that the path asks for. */
async function startEcho(): Promise<{ server: Server; url: string; asked: string[] }> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.headers.authorization ?? '');
    const status = Number(/status=(\d+)/.exec(request.url ?? '')?.[1] ?? (request.url?.includes('/v1/') ? 401 : 200));
    const given = request.headers.authorization ?? '';
    response.writeHead(status, { 'content-type': 'application/json', 'x-given': given });
    const error = { message: `${marker}: wrong key ${given}`, type: 'invalid_request_error' };
    response.end(JSON.stringify({ marker, given, base64: Buffer.from(given).toString('base64'), error }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return {
    server,
    asked,
    url: `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`,
  };
}

/** A request that succeeds and one that fails, each with the secret in a header, and a call of a model that refuses its key. */
const documentFor = (url: string) => {
  const request = (id: string, path: string, answer: string) => ({
    id,
    kind: 'http.request',
    version: 1,
    params: { url: `${url}${path}`, answer, headers: { Authorization: 'Bearer {{secret:CANARY}}' } },
  });
  return GraphDocument.parse({
    forge: 1,
    id: 'canary',
    title: 'Canary',
    skill: 'canary',
    nodes: [
      request('good', '/echo', 'json'),
      request('file', '/echo', 'file'),
      request('bad', '/echo?status=404', 'json'),
      request('worse', '/echo?status=503', 'json'),
      { id: 'model', kind: 'llm.generate', version: 1, params: { prompt: 'Say hello.' } },
    ].map((node) => ({ ...node, policy: { attempts: 2 } })),
    edges: [],
    outputs: { echoed: 'good.json' },
  });
};

let echo: Awaited<ReturnType<typeof startEcho>>;
let services: RunningServices;
const lines: string[] = [];

beforeAll(async () => {
  echo = await startEcho();
  services = await startServices({
    env: {
      FORGE_SECRET_CANARY: canaries.request,
      FORGE_SECRET_MODEL: canaries.model,
      FORGE_HTTP_ALLOW: '127.0.0.1:*',
      FORGE_MODEL_PROVIDER: 'openai',
      FORGE_MODEL: 'canary-model',
      FORGE_OPENAI_BASE_URL: `${echo.url}/v1`,
      FORGE_OPENAI_API_KEY: 'secret:MODEL',
      FORGE_LOG_LEVEL: 'debug',
    },
    onLine: (_name, line) => lines.push(line),
  });
});
afterAll(async () => {
  await services?.stop();
  echo?.server.close();
});

/** Every file below a folder with its bytes; links are left out. */
async function* filesBelow(folder: string): AsyncGenerator<{ path: string; bytes: Buffer }> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* filesBelow(path);
    else if (entry.isFile()) yield { path, bytes: await readFile(path) };
  }
}

/** A canary as it may stand in texts and databases. */
const formsOf = (secret: string): string[] => [
  secret,
  JSON.stringify(secret).slice(1, -1),
  encodeURIComponent(secret),
  Buffer.from(secret).toString('base64').slice(0, -4),
  Buffer.from(`Bearer ${secret}`).toString('base64').slice(0, -4),
  Buffer.from(secret).toString('hex'),
];
const forms = Object.values(canaries).flatMap(formsOf);

it('secrets reach who they are for, and stand nowhere else', async () => {
  const { api } = services;
  const document = documentFor(echo.url);
  const { id } = await api.startRun({ document });
  const ended = await eventually(
    'every node has ended',
    async () => {
      const { nodes } = await api.run(id);
      return nodes.length === 5 && nodes.every(({ status }) => ['succeeded', 'failed'].includes(status)) && nodes;
    },
    90_000,
  );
  const failed = Object.fromEntries(ended.map(({ key, failure }) => [key, failure?.code ?? null]));
  expect(failed).toMatchObject({ good: null, file: null, bad: 'http.failed', worse: 'http.unavailable' });
  expect(failed.model).toMatch(/^model\./);
  expect(echo.asked).toContain(`Bearer ${canaries.request}`);
  expect(echo.asked).toContain(`Bearer ${canaries.model}`);

  // A document with the value itself is refused, and the refusal does not repeat it.
  const leaky = { ...document, id: 'leaky', description: `The key is ${canaries.model}` };
  const refused: unknown = await api
    .saveDocument('leaky', { document: leaky, expectedRevision: null })
    .catch((error) => error);
  expect(refused).toMatchObject({ code: 'input.invalid', message: expect.stringContaining('secret') });

  const answers: unknown[] = [
    await api.run(id),
    await api.nodes(id),
    (await api.eventLog({ run: id, limit: 1000 })).events,
    await api.audit(),
    await api.health(),
    refused instanceof Error ? `${refused.message} ${refused.stack}` : refused,
  ];
  for (const { key } of ended) {
    const detail = await api.node(id, { key });
    answers.push(detail);
    for (const outcome of detail.outcomes)
      for (const ref of Object.values(outcome.outputs)) answers.push(await api.value(ref.hash));
    for (const call of detail.calls)
      for (const ref of [call.prompt, call.response]) if (ref !== null) answers.push(await api.value(ref.hash));
  }
  await api.cancelRun(id);
  await eventually(
    'the run is closed',
    async () => !['running', 'needs-attention'].includes((await api.run(id)).run.state),
  );
  const exports = {
    'archive of the run': await api.runArchive(id),
    figures: new Uint8Array(await (await fetch(`${services.url}/metrics`)).arrayBuffer()),
    document: new TextEncoder().encode(JSON.stringify((await api.run(id)).document)),
  };
  await services.kill('worker');
  await services.kill('server');
  await services.kill('temporal');

  const found: string[] = [];
  let marked = 0;
  const look = (where: string, bytes: Buffer) => {
    if (bytes.includes(marker)) marked += 1;
    for (const form of forms) if (bytes.includes(form)) found.push(`${where}: ${form}`);
  };
  for (const [index, answer] of answers.entries()) look(`answer ${index}`, Buffer.from(JSON.stringify(answer)));
  for (const [name, bytes] of Object.entries(exports)) look(name, Buffer.from(bytes));
  look('logs', Buffer.from(lines.join('\n')));
  const folders = new Set<string>();
  for await (const { path, bytes } of filesBelow(services.folder)) {
    folders.add(path.slice(services.folder.length + 1).split('/')[0] ?? '');
    look(path, bytes);
  }
  expect(found).toEqual([]);
  // What the echo sent lies in answers, store and history, so a secret beside it would have been seen.
  expect(marked).toBeGreaterThanOrEqual(5);
  expect([...folders].sort()).toEqual(expect.arrayContaining(['logs', 'store', 'temporal']));
});
