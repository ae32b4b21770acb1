import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redactor, secretsInEnvironment } from '@cua-forge/secrets/redactor';
import { GraphDocument } from '@cua-forge/spec/document';
import { serializeYaml } from '@cua-forge/spec/document-io';
import { KindMeta, policies } from '@cua-forge/spec/kind';
import type { Store } from '@cua-forge/spec/store-port';
import { instanceName } from '@cua-forge/store/instance-name';
import { openStore } from '@cua-forge/store/open-store';
import type { Logger } from 'pino';
import { createApp } from '../app.ts';
import { DesktopHosts } from '../desktops/desktop-hosts.ts';
import { relayViews } from '../desktops/relay-views.ts';
import { EventHub } from '../events/event-hub.ts';
import { createLogger } from '../http/request-log.ts';
import { KeyedLock } from '../keyed-lock.ts';
import { loadEnv } from '../load-env.ts';
import type { EventTimes } from '../routes/events.routes.ts';
import { createAccess } from '../security/create-access.ts';
import type { Services } from '../services.ts';
import { Collector } from '../upkeep/collector.ts';
import { FakeEngine } from './fake-engine.ts';

/** A kind for documents of tests: text in, text out, one required param. */
export const echo = KindMeta.parse({
  id: 'test.echo',
  version: 1,
  title: 'Echo',
  doc: 'Passes a text on.',
  params: {
    type: 'object',
    properties: { suffix: { type: 'string' } },
    required: ['suffix'],
    additionalProperties: false,
  },
  inputs: { value: { type: 'text', doc: 'Any text.', required: true, multiple: false } },
  outputs: { value: { type: 'text', doc: 'The text and the suffix.', hidden: false } },
  policy: policies.cheap,
  gate: false,
  implementation: 'test',
  example: {},
});

/** Two echoes in a row, fed by the text input `word`. */
export const twoEchoes = GraphDocument.parse({
  forge: 1,
  id: 'two-echoes',
  title: 'Two echoes',
  skill: 'echoing',
  inputs: { word: { type: 'text' } },
  nodes: [
    { id: 'first', kind: 'test.echo', version: 1, params: { suffix: '!' } },
    { id: 'second', kind: 'test.echo', version: 1, params: { suffix: '?' } },
  ],
  edges: [
    { from: '$inputs.word', to: 'first.value' },
    { from: 'first.value', to: 'second.value' },
  ],
  outputs: { echoed: 'second.value' },
});

export interface TestServer {
  url: string;
  services: Services;
  store: Store;
  engine: FakeEngine;
  folder: string;
  /** Sends JSON and answers with status and parsed body. */
  call(
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<{ status: number; body: unknown }>;
  stop(): Promise<void>;
}

interface TestServerOptions {
  env?: Record<string, string>;
  times?: EventTimes;
  kinds?: readonly KindMeta[];
  log?: Logger;
}

/** The server over real HTTP with a real store in a temporary folder; only the engine is a stand-in. */
export async function startTestServer({
  env: variables = {},
  times,
  kinds = [echo],
  log = createLogger('silent'),
}: TestServerOptions = {}): Promise<TestServer> {
  const folder = await mkdtemp(join(tmpdir(), 'forge-server-'));
  await mkdir(join(folder, 'skills', 'two-echoes'), { recursive: true });
  await writeFile(join(folder, 'skills', 'two-echoes', 'workflow.yaml'), serializeYaml(twoEchoes));
  const env = loadEnv({
    FORGE_DATA: folder,
    FORGE_SKILLS: join(folder, 'skills'),
    FORGE_STUDIO_DIST: join(folder, 'dist'),
    ...variables,
  });
  const store = await openStore(env.store);
  const engine = new FakeEngine();
  const events = new EventHub(store.meta);
  const services: Services = {
    env,
    store,
    engine,
    events,
    kinds,
    log,
    redactor: new Redactor(secretsInEnvironment(variables)),
    access: await createAccess(env),
    locks: new KeyedLock(),
    collector: new Collector({ store, log, now: Date.now }, env.upkeep),
    desktops: new DesktopHosts({ ...env.desktops, instance: instanceName(env.store) }),
    now: Date.now,
  };
  const server = createServer(createApp(services, times));
  server.on('upgrade', relayViews(services));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
  return {
    url,
    services,
    store,
    engine,
    folder,
    call: async (method, path, body, headers = {}) => {
      const response = await fetch(`${url}${path}`, {
        method,
        headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      return { status: response.status, body: await response.json() };
    },
    stop: async () => {
      events.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await store.meta.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
