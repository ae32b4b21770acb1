import { createHash } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { filesOfTar, packageOfFiles } from '@cua-forge/package-folder/package-files';
import { packFiles } from '@cua-forge/package-folder/package-folder';
import { samplePackage } from '@cua-forge/package-folder/testing/sample-package';
import { PackageView } from '@cua-forge/spec/api/packages';
import { NodeDetail } from '@cua-forge/spec/api/runs';
import { TaskPackage } from '@cua-forge/spec/task';
import { sampleCall, sampleOutcome } from '@cua-forge/store/testing/samples';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestServer, type TestServer, twoEchoes } from '../testing/test-server.ts';
import { keptBack } from './hidden-values.ts';
import { hashOf } from './token-users.ts';

const file = join(tmpdir(), `forge-hidden-${process.pid}.json`);
const tokenOf = (role: string) => `the-token-of-a-${role}-0123456789`;
type Role = 'viewer' | 'author';
let server: TestServer;
let packageId: string;

beforeAll(async () => {
  const users = (['viewer', 'author'] as const).map((role) => ({
    ...{ name: role, role, hash: hashOf(tokenOf(role)), createdAt: '2026-01-01T00:00:00Z' },
  }));
  await writeFile(file, JSON.stringify({ users }));
  server = await startTestServer({ env: { FORGE_TOKENS: file } });
  const archive = await packFiles('sample', await samplePackage());
  const answer = await fetch(`${server.url}/api/packages`, {
    method: 'POST',
    headers: { authorization: `Bearer ${tokenOf('author')}`, 'content-type': 'application/octet-stream' },
    body: new Uint8Array(archive),
  });
  expect(answer.status).toBe(201);
  packageId = 'sample-1-abc';
});
afterAll(async () => {
  await server.stop();
  await rm(file, { force: true });
});

const get = async (role: Role, path: string) => {
  const answer = await fetch(`${server.url}${path}`, { headers: { authorization: `Bearer ${tokenOf(role)}` } });
  return { status: answer.status, bytes: new Uint8Array(await answer.arrayBuffer()) };
};
const json = async (role: Role, path: string): Promise<unknown> =>
  JSON.parse(new TextDecoder().decode((await get(role, path)).bytes));
const hiddenOf = ({ files }: Pick<TaskPackage, 'files'>) => files.filter(({ path }) => path.startsWith('hidden/'));

it('a viewer gets no way to the hidden folder of a package: in its view, its value, its bytes or its archive', async () => {
  const whole = PackageView.parse(await json('author', `/api/packages/${packageId}`));
  expect(hiddenOf(whole.package).length).toBeGreaterThan(0);
  const seen = PackageView.parse(await json('viewer', `/api/packages/${packageId}`));
  expect(hiddenOf(seen.package)).toEqual([]);
  expect(seen.package.files.length).toBe(whole.package.files.length - hiddenOf(whole.package).length);
  const { hash } = whole.record.value;
  for (const path of [`/api/values/${hash}`, `/api/files/${hash}`]) {
    expect(hiddenOf(TaskPackage.parse(await json('viewer', path)))).toEqual([]);
    expect(hiddenOf(TaskPackage.parse(await json('author', path)))).toEqual(hiddenOf(whole.package));
  }
  const inArchive = async (role: Role) =>
    (await filesOfTar((await get(role, `/api/packages/${packageId}/archive`)).bytes)).map(({ path }) => path);
  expect((await inArchive('author')).some((path) => path.startsWith('hidden/'))).toBe(true);
  const shown = await inArchive('viewer');
  expect(shown.some((path) => path.startsWith('hidden/'))).toBe(false);
  expect(shown).toContain('instruction.md');
  // Who looks at a file that is not hidden gets its bytes.
  const visible = whole.package.files.find(({ path }) => path.startsWith('files/'));
  const { bytes } = await get('viewer', `/api/files/${visible?.file.hash}`);
  expect(createHash('sha256').update(bytes).digest('hex')).toBe(visible?.file.hash);
});

it('a viewer gets no hidden value of a run, nor what a model was shown of it', async () => {
  const started = await server.call(
    'POST',
    '/api/runs',
    { document: twoEchoes, inputs: { word: 'seen' } },
    { authorization: `Bearer ${tokenOf('author')}` },
  );
  const run = (started.body as { id: string }).id;
  const { meta, artifacts } = server.store;
  const secret = await artifacts.put(new TextEncoder().encode('"the answer"'));
  const open = await artifacts.put(new TextEncoder().encode('"seen"'));
  const outcome = sampleOutcome({ runId: run, key: 'first', inputs: { value: [{ ...secret, hidden: true }] } });
  await meta.commitOutcome({ ...outcome, outputs: { value: open } }, []);
  await meta.addModelCall(sampleCall({ runId: run, key: 'first', prompt: secret, response: secret }));
  const path = `/api/runs/${run}/node?key=first`;
  const author = NodeDetail.parse(await json('author', path));
  expect(author.outcomes[0]?.inputs.value?.[0]?.hash).toBe(secret.hash);
  expect(author.calls[0]?.prompt?.hash).toBe(secret.hash);
  const viewer = NodeDetail.parse(await json('viewer', path));
  expect(viewer.outcomes[0]?.inputs.value).toEqual([{ hash: keptBack, size: 0, hidden: true }]);
  expect(viewer.outcomes[0]?.outputs.value?.hash).toBe(open.hash);
  expect(viewer.calls.map(({ prompt, response }) => [prompt, response])).toEqual([[null, null]]);
  expect(JSON.stringify(await json('viewer', `/api/runs/${run}/scope`))).not.toContain(secret.hash);
  expect((await get('viewer', `/api/runs/${run}/archive`)).status).toBe(403);
});

it('the sample has what this is about', async () => {
  const { package: made } = packageOfFiles(await samplePackage());
  expect(hiddenOf(made).map(({ path }) => path)).toContain('hidden/expected.json');
});
