import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import AxeBuilder from '@axe-core/playwright';
import { silentReporter } from '@cua-forge/cli/bootstrap/progress';
import { buildStudio } from '@cua-forge/cli/bootstrap/studio-build';
import { startTestServer, type TestServer, twoEchoes } from '@cua-forge/server/testing/test-server';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openPage, type StudioPage } from './browser.ts';

const root = join(import.meta.dirname, '../..');
const token = 'the-token-of-vera-0123456789';
let folder: string;
let server: TestServer;
let studio: StudioPage;

beforeAll(async () => {
  await buildStudio(root, process.env, silentReporter);
  folder = await mkdtemp(join(tmpdir(), 'forge-login-'));
  const hash = createHash('sha256').update(token).digest('hex');
  const user = { name: 'vera', role: 'viewer', hash, createdAt: '2026-01-01T00:00:00Z' };
  await writeFile(join(folder, 'users.json'), JSON.stringify({ users: [user] }));
  server = await startTestServer({
    env: { FORGE_TOKENS: join(folder, 'users.json'), FORGE_STUDIO_DIST: join(root, 'apps/studio/dist') },
  });
  await server.store.meta.saveDocument(
    'two-echoes',
    twoEchoes.title,
    JSON.stringify(twoEchoes),
    '0'.repeat(64),
    null,
    1,
  );
  studio = await openPage(server.url);
}, 240_000);

afterAll(async () => {
  await studio?.close();
  await server?.stop();
  await rm(folder, { recursive: true, force: true });
});

it('asks for a token, shows who is in, and offers only what the role may do', async () => {
  const { page } = studio;
  await page.getByLabel('Token').fill('a wrong one');
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.getByRole('alert').filter({ hasText: 'Nobody here has this token' }).waitFor();
  expect((await new AxeBuilder({ page }).analyze()).violations.map(({ id }) => id)).toEqual([]);
  await page.getByLabel('Token').fill(token);
  await page.keyboard.press('Enter');
  await page.getByText('vera · viewer').waitFor();
  await page.getByRole('link', { name: 'Two echoes' }).first().waitFor();
  expect(await page.getByRole('button', { name: 'New workflow' }).count()).toBe(0);
  expect(await page.getByRole('button', { name: 'Import' }).count()).toBe(0);

  await page.reload();
  await page.getByText('vera · viewer').waitFor();
  await page.getByRole('button', { name: 'Log out' }).click();
  await page.getByLabel('Token').waitFor();
});
