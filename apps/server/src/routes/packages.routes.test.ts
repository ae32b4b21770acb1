import { packTar } from '@cua-forge/package-folder/package-folder';
import { canonicalJson } from '@cua-forge/spec/canonical-json';
import type { TaskPackage } from '@cua-forge/spec/task';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../testing/test-server.ts';

let server: TestServer;
let taskPackage: TaskPackage;
beforeEach(async () => {
  server = await startTestServer();
  const { artifacts, meta } = server.store;
  const file = await artifacts.put(new TextEncoder().encode('Sum it up.'));
  taskPackage = {
    manifest: {
      schema: 1,
      id: 'pkg-1',
      title: 'Sum',
      domain: 'office',
      skills: ['sum'],
      applications: ['calc'],
      seed: 1,
      workflow: { id: 'w', version: 'v' },
      run: 'r1',
      models: ['rehearsal'],
      files: [],
      outcome: { kind: 'k', summary: 's' },
      traits: {},
      proofs: [],
      gates: [],
    },
    files: [
      {
        path: 'instruction.md',
        file: { name: 'instruction.md', mediaType: 'text/markdown', ...file },
        executable: false,
      },
    ],
  };
  const value = await artifacts.put(new TextEncoder().encode(canonicalJson(taskPackage)));
  const record = {
    runId: 'r1',
    batchId: null,
    skill: 'sum',
    seed: 1,
    title: 'Sum',
    rehearsed: true,
    outcomeKind: 'k',
    createdAt: 1,
  };
  await meta.addPackage({ id: 'pkg-1', value, ...record });
});
afterEach(() => server.stop());

it('lists packages and shows one', async () => {
  expect((await server.call('GET', '/api/packages?skill=sum')).body).toMatchObject({
    packages: [{ id: 'pkg-1' }],
    next: null,
  });
  expect((await server.call('GET', '/api/packages?skill=other')).body).toEqual({
    packages: [],
    reviews: {},
    next: null,
  });
  expect((await server.call('GET', '/api/packages/pkg-1')).body).toMatchObject({
    package: { manifest: { title: 'Sum' } },
  });
  expect((await server.call('GET', '/api/packages/none')).status).toBe(404);
});

it('sends a package as a .tar', async () => {
  const response = await fetch(`${server.url}/api/packages/pkg-1/archive`);
  expect(response.headers.get('content-disposition')).toBe('attachment; filename=pkg-1.tar');
  expect(response.headers.get('content-type')).toBe('application/x-tar');
  const expected = await packTar(taskPackage, (file) => server.store.artifacts.get(file.hash));
  expect(Buffer.from(await response.arrayBuffer()).equals(expected)).toBe(true);
});
