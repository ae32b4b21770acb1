import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import AxeBuilder from '@axe-core/playwright';
import { silentReporter } from '@cua-forge/cli/bootstrap/progress';
import { buildStudio } from '@cua-forge/cli/bootstrap/studio-build';
import { packFiles } from '@cua-forge/package-folder/package-folder';
import { samplePackage } from '@cua-forge/package-folder/testing/sample-package';
import { startTestServer, type TestServer, twoEchoes } from '@cua-forge/server/testing/test-server';
import { PackageView } from '@cua-forge/spec/api/packages';
import { RunView } from '@cua-forge/spec/api/runs';
import { sampleCall, sampleOutcome } from '@cua-forge/store/testing/samples';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openPage, type StudioPage } from './browser.ts';

const root = join(import.meta.dirname, '../..');
const token = 'the-token-of-vera-0123456789';
const authorsToken = 'the-token-of-arno-0123456789';
let folder: string;
let server: TestServer;
let studio: StudioPage;

const userOf = (name: string, role: string, secret: string) => ({
  name,
  role,
  hash: createHash('sha256').update(secret).digest('hex'),
  createdAt: '2026-01-01T00:00:00Z',
});
const vera = userOf('vera', 'viewer', token);
const arno = userOf('arno', 'author', authorsToken);
const writeUsers = (users: object[]) => writeFile(join(folder, 'users.json'), JSON.stringify({ users }));

beforeAll(async () => {
  await buildStudio(root, process.env, silentReporter);
  folder = await mkdtemp(join(tmpdir(), 'forge-login-'));
  await writeUsers([vera, arno]);
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

it('shows what the address names as soon as one is logged in', async () => {
  const { page } = studio;
  await page.goto(`${server.url}/documents/two-echoes`);
  await page.getByLabel('Token').fill(token);
  await page.keyboard.press('Enter');
  await page.getByText('vera · viewer').waitFor();
  await page.getByRole('textbox', { name: 'Title' }).waitFor();
  await page.getByRole('button', { name: 'Log out' }).click();
  await page.getByLabel('Token').waitFor();
  await page.goto(server.url);
});

/** What the page shows after each step, and every answer of the API that it gets meanwhile, as one text. */
async function allThatComes(steps: readonly (() => Promise<void>)[]): Promise<string> {
  const { page } = studio;
  const seen: string[] = [];
  // Events come for as long as the page is open.
  const answers = (url: URL) => url.pathname.startsWith('/api/') && url.pathname !== '/api/events';
  await page.route(answers, async (route) => {
    const response = await route.fetch();
    seen.push(`${response.url()}\n${await response.text()}`);
    await route.fulfill({ response });
  });
  for (const step of steps) {
    await step();
    seen.push((await page.locator('body').textContent()) ?? '');
  }
  await page.unrouteAll({ behavior: 'wait' });
  return seen.join('\n');
}

it('a viewer gets the mask in the place of what only authors see, on pages and in every answer', async () => {
  const { page } = studio;
  const authorization = `Bearer ${authorsToken}`;
  const archive = new Uint8Array(await packFiles('sample', await samplePackage()));
  await fetch(`${server.url}/api/packages`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/octet-stream' },
    body: archive,
  });
  const { body: sample } = await server.call('GET', '/api/packages/sample-1-abc', undefined, { authorization });
  const hidden = PackageView.parse(sample).package.files.filter(({ path }) => path.startsWith('hidden/'));
  expect(hidden.map(({ path }) => path)).toEqual(['hidden/expected.json']);
  const started = await server.call(
    'POST',
    '/api/runs',
    { document: twoEchoes, inputs: { word: 'seen' } },
    { authorization },
  );
  const { id: run } = RunView.shape.run.parse(started.body);
  const { meta, artifacts } = server.store;
  const [secret, open] = await Promise.all(
    ['"the hidden answer"', '"for everybody"'].map((text) => artifacts.put(new TextEncoder().encode(text))),
  );
  if (secret === undefined || open === undefined) throw new Error('Both values are stored.');
  const outcome = sampleOutcome({ runId: run, key: 'first', inputs: { value: [{ ...secret, hidden: true }] } });
  await meta.commitOutcome({ ...outcome, outputs: { value: open } }, []);
  await meta.addModelCall(sampleCall({ runId: run, key: 'first', prompt: secret, response: secret }));

  const look = (as: string): Promise<string> =>
    allThatComes([
      async () => {
        await page.goto(`${server.url}/packages/sample-1-abc`);
        await page.getByLabel('Token').fill(as);
        await page.keyboard.press('Enter');
        for (const tab of ['Setup', 'Rubric', 'Gate evidence', 'Proof', 'Folder'])
          await page.getByRole('tab', { name: tab, exact: true }).click();
        const files = page.getByRole('list', { name: 'Files of the package' });
        await files.getByRole('button', { name: 'instruction.md' }).waitFor();
        const expected = files.getByRole('button', { name: 'hidden/expected.json' });
        if ((await expected.count()) === 0) return;
        await expected.click();
        await page.getByText('"derivation"').first().waitFor();
      },
      async () => {
        await page.goto(`${server.url}/runs/${run}`);
        await page.locator('.card-title', { hasText: /^first$/i }).click();
        await page.getByText('for everybody').first().waitFor();
      },
    ]);
  const keptBack = 'Kept back: expected answers and solutions are for authors and operators.';
  const secrets = [
    secret.hash,
    'the hidden answer',
    hidden[0]?.file.hash ?? '',
    'hidden/expected.json',
    '"derivation"',
  ];

  const viewers = await look(token);
  expect(viewers).toContain(keptBack);
  expect(secrets.filter((each) => viewers.includes(each))).toEqual([]);
  await page.getByRole('button', { name: 'Log out' }).click();
  await page.getByLabel('Token').waitFor();

  const authors = await look(authorsToken);
  expect(authors).not.toContain(keptBack);
  expect(secrets.filter((each) => !authors.includes(each))).toEqual([]);
  await page.getByRole('button', { name: 'Log out' }).click();
  await page.getByLabel('Token').waitFor();
  await page.goto(server.url);
});

it('a token that is taken away in mid-work asks again, and what was edited is still there', async () => {
  const { page } = studio;
  await page.getByLabel('Token').fill(authorsToken);
  await page.keyboard.press('Enter');
  await page.getByText('arno · author').waitFor();
  await page.getByRole('link', { name: 'Two echoes' }).first().click();
  await page.getByRole('textbox', { name: 'Title' }).fill('Two echoes, renamed');
  await page.getByText('Unsaved changes').waitFor();

  await writeUsers([vera]);
  // Whatever is asked of the server next finds out.
  await page.keyboard.press('Control+s');
  const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
  await dialog.waitFor();
  expect((await new AxeBuilder({ page }).analyze()).violations.map(({ id }) => id)).toEqual([]);
  await dialog.getByLabel('Token').fill(authorsToken);
  await page.keyboard.press('Enter');
  await dialog.getByText(/Nobody here has this token/).waitFor();

  await writeUsers([vera, arno]);
  await page.keyboard.press('Enter');
  await dialog.waitFor({ state: 'detached' });
  await page.getByText('Unsaved changes').waitFor();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Saved · revision 2').waitFor();
  expect((await server.store.meta.getDocument('two-echoes'))?.title).toBe('Two echoes, renamed');
});
