import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packageOfFiles } from '@cua-forge/package-folder/package-files';
import { packTar } from '@cua-forge/package-folder/package-folder';
import { samplePackage } from '@cua-forge/package-folder/testing/sample-package';
import { DesktopView } from '@cua-forge/spec/desktops';
import { RecordedActions, SolutionFile } from '@cua-forge/spec/solution';
import { TaskPackage } from '@cua-forge/spec/task';
import { instanceName } from '@cua-forge/store/instance-name';
import { type DesktopService, startDesktopService } from '@cua-forge/worker/desktops/desktop-service';
import { Desktops } from '@cua-forge/worker/desktops/desktops';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../testing/test-server.ts';

let server: TestServer;
let service: DesktopService;
let runtime: string;
const token = 'operator-token-0123456789';

beforeAll(async () => {
  runtime = await mkdtemp(join(tmpdir(), 'fv-'));
  server = await startTestServer({ env: { FORGE_SANDBOX_RUNTIME: runtime, FORGE_TOKEN: token } });
  const { env, log } = server.services;
  service = await startDesktopService({
    desktops: new Desktops({ providers: [], folder: join(runtime, '.recordings') }),
    runtime,
    instance: instanceName(env.store),
    log,
  });
});
afterAll(async () => {
  await service?.close();
  await server?.stop();
  await rm(runtime, { recursive: true, force: true });
});

const bearer = { authorization: `Bearer ${token}` };
const call = (method: string, path: string, body?: unknown) => server.call(method, path, body, bearer);

/** First line of the answer to an upgrade. */
async function upgrade(path: string, headers: Record<string, string> = {}): Promise<string> {
  const { port } = new URL(server.url);
  const socket = connect(Number(port), '127.0.0.1');
  await once(socket, 'connect');
  const lines = { Host: `127.0.0.1:${port}`, Connection: 'Upgrade', Upgrade: 'websocket', ...headers };
  socket.write(
    `GET ${path} HTTP/1.1\r\n${Object.entries(lines)
      .map(([name, value]) => `${name}: ${value}\r\n`)
      .join('')}\r\n`,
  );
  const [data] = await once(socket, 'data');
  socket.destroy();
  return String(data).split('\r\n')[0] ?? '';
}

describe('desktops', () => {
  it('are those of the workers that show theirs', async () => {
    expect(await call('GET', '/api/desktops')).toEqual({ status: 200, body: { desktops: [], problems: [] } });
    expect(await call('GET', '/api/desktops/abc/picture')).toMatchObject({
      status: 404,
      body: { error: { code: 'not-found' } },
    });
    expect(await call('POST', '/api/desktops', { provider: 'docker' })).toMatchObject({
      status: 503,
      body: { error: { code: 'sandbox.unavailable' } },
    });
  });

  it('are not shown by workers of another store', async () => {
    const other = await startTestServer({ env: { FORGE_SANDBOX_RUNTIME: runtime } });
    try {
      const { body } = await other.call('GET', '/api/desktops');
      expect(body).toEqual({ desktops: [], problems: ['No worker shows desktops here.'] });
    } finally {
      await other.stop();
    }
  });

  it('are viewed with a ticket that is of this server, for this desktop, and asked for by its own pages', async () => {
    const view = DesktopView.parse((await call('POST', '/api/desktops/abc/watch')).body);
    expect(view.path).toMatch(/^\/api\/desktops\/abc\/rfb\?ticket=/);
    // The ticket is right, and the desktop is not there.
    expect(await upgrade(view.path)).toContain('404');
    expect(await upgrade(view.path.replace('/abc/', '/abd/'))).toContain('401');
    expect(await upgrade('/api/desktops/abc/rfb')).toContain('401');
    expect(await upgrade('/api/desktops/abc/rfb?ticket=made.up.here')).toContain('401');
    expect(await upgrade(view.path, { Origin: 'https://elsewhere.example' })).toContain('403');
    expect(await upgrade(view.path, { Host: 'rebound.example' })).toContain('403');
    expect(await upgrade('/api/health')).toContain('404');
    expect((await server.call('POST', '/api/desktops/abc/control')).status).toBe(401);
  });

  it('answer on another machine to those alone who know the token', async () => {
    const { log } = server.services;
    const far = await startDesktopService({
      desktops: new Desktops({ providers: [], folder: join(runtime, '.far') }),
      runtime,
      instance: 'far',
      tcp: { host: '127.0.0.1', port: 0, token: 'shared-token-0123456789' },
      log,
    });
    try {
      const ask = (authorization: string) => fetch(`${far.address}/desktops`, { headers: { authorization } });
      expect((await ask('Bearer wrong-token-0123456789')).status).toBe(401);
      expect(await (await ask('Bearer shared-token-0123456789')).json()).toEqual({ desktops: [], problems: [] });
    } finally {
      await far.close();
    }
  });
});

describe('a demonstration', () => {
  it('becomes the reference solution of a package, which is whole as before', async () => {
    const loaded = packageOfFiles(await samplePackage());
    const archive = await packTar(loaded.package, async ({ hash }) => loaded.bytes.get(hash) ?? new Uint8Array());
    const imported = await fetch(`${server.url}/api/packages`, {
      method: 'POST',
      headers: bearer,
      body: archive.slice().buffer,
    });
    expect(imported.status).toBe(201);
    const { id } = loaded.package.manifest;
    const recording = RecordedActions.parse({
      schema: 1,
      screen: { width: 1280, height: 800 },
      actions: [
        { do: 'type', at: 100, text: '=SUM(B2:B3)' },
        { do: 'key', at: 60_000, combination: 'ctrl+s' },
      ],
    });
    const path = `/api/packages/${id}/demonstration`;
    expect((await call('POST', path, { recording })).status).toBe(200);
    expect((await call('POST', path, { recording })).status).toBe(200);
    const { artifacts, meta } = server.store;
    const record = await meta.getPackage(id);
    const read = async (hash: string): Promise<unknown> =>
      JSON.parse(new TextDecoder().decode(await artifacts.get(hash)));
    const kept = TaskPackage.parse(await read(record?.value.hash ?? ''));
    const at = (name: string) => kept.files.filter((file) => file.path === name);
    expect(at('hidden/solution/solution.json')).toHaveLength(1);
    expect(SolutionFile.parse(await read(at('hidden/solution/solution.json')[0]?.file.hash ?? ''))).toMatchObject({
      through: 'mouse and keyboard',
      run: { how: 'actions', entry: 'actions.json', timeoutSeconds: 180 },
    });
    expect(await read(at('hidden/solution/actions.json')[0]?.file.hash ?? '')).toEqual(recording);
    const bytes = new Map<string, Uint8Array>();
    for (const { file } of kept.files) bytes.set(file.hash, await artifacts.get(file.hash));
    const again = packageOfFiles(
      kept.files.map((file) => ({ ...file, bytes: bytes.get(file.file.hash) ?? new Uint8Array() })),
    );
    expect(again.package.files).toHaveLength(loaded.package.files.length + 2);
    expect((await call('POST', '/api/packages/none/demonstration', { recording })).status).toBe(404);
  });
});
