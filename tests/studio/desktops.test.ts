import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ApiClient, createApiClient } from '@cua-forge/api-client/api-client';
import { silentReporter } from '@cua-forge/cli/bootstrap/progress';
import { buildStudio, studioDist } from '@cua-forge/cli/bootstrap/studio-build';
import { dockerProvider } from '@cua-forge/sandbox/docker/docker-provider';
import { startTestServer, type TestServer } from '@cua-forge/server/testing/test-server';
import type { Desktop } from '@cua-forge/spec/desktops';
import { replayActions } from '@cua-forge/spec/replay-actions';
import type { Sandbox } from '@cua-forge/spec/sandbox-port';
import { RecordedActions } from '@cua-forge/spec/solution';
import { instanceName } from '@cua-forge/store/instance-name';
import { type DesktopService, startDesktopService } from '@cua-forge/worker/desktops/desktop-service';
import { Desktops } from '@cua-forge/worker/desktops/desktops';
import ExcelJS from 'exceljs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Desks, prepareDesks } from '../sandbox/prepare.ts';
import { seriousFaults } from './axe.ts';
import { openPage, type StudioPage } from './browser.ts';

const root = join(import.meta.dirname, '../..');
const screen = { width: 1280, height: 800 };
let desks: Desks;
let server: TestServer;
let service: DesktopService;
let api: ApiClient;
let studio: StudioPage;
let runtime: string;
const own: Sandbox[] = [];

beforeAll(async () => {
  desks = await prepareDesks({ bubblewrap: false });
  runtime = await mkdtemp(join(tmpdir(), 'fd-'));
  await chmod(runtime, 0o711);
  await buildStudio(root, process.env, silentReporter);
  server = await startTestServer({
    env: { FORGE_SANDBOX_RUNTIME: join(runtime, 'r'), FORGE_STUDIO_DIST: studioDist(root) },
  });
  api = createApiClient({ url: server.url });
  const { env, log } = server.services;
  service = await startDesktopService({
    desktops: new Desktops({ providers: [provider()], folder: join(runtime, 'r/.recordings') }),
    runtime: join(runtime, 'r'),
    instance: instanceName(env.store),
    log,
  });
  studio = await openPage(`${server.url}/desktops`);
}, 1_500_000);

afterAll(async () => {
  await studio?.close();
  for (const sandbox of own) await sandbox.close();
  await service?.close();
  await server?.stop();
  await desks?.stop();
  if (runtime !== undefined) await rm(runtime, { recursive: true, force: true });
}, 120_000);

/** Takes hold of a desktop that the worker has started. */
const provider = () =>
  dockerProvider({
    ...desks.settings,
    runtime: join(runtime, 'r'),
    hosts: [{ url: 'unix:///var/run/docker.sock', limit: 12 }],
  });

/** A workbook with two amounts, open in Calc. */
async function withCalc(sandbox: Sandbox): Promise<void> {
  const book = new ExcelJS.Workbook();
  book.addWorksheet('Data').addRows([['Amount'], [3.5], [4]]);
  await sandbox.putFile('amounts.xlsx', new Uint8Array(await book.xlsx.writeBuffer()));
  await sandbox.launch(['soffice', '--norestore', 'amounts.xlsx'], { cwd: sandbox.home });
  await sandbox.waitForWindow({ title: 'amounts.xlsx' }, { timeoutMs: 120_000 });
  await sandbox.waitForStill({ quietMs: 1_000, timeoutMs: 60_000 });
}

async function cellB1(sandbox: Sandbox): Promise<unknown> {
  const book = new ExcelJS.Workbook();
  await book.xlsx.load(Buffer.from(await sandbox.getFile('amounts.xlsx')).buffer);
  return book.getWorksheet('Data')?.getCell('B1').value;
}

const live = () => studio.page.locator('.live-screen[data-state="live"]');

describe('desktops in the studio', () => {
  let desktop: Desktop;

  it('starts one, shows it live, and lists it with its picture', async () => {
    const { page } = studio;
    await page
      .getByRole('heading', { name: 'No desktop runs' })
      .or(page.getByRole('list', { name: 'Desktops' }))
      .waitFor();
    await page.getByRole('button', { name: 'Start a desktop' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Start', exact: true }).click();
    await live().waitFor({ timeout: 180_000 });
    const id = new URL(page.url()).pathname.split('/').at(-1) ?? '';
    const found = (await api.desktops()).desktops.find((one) => one.id === id);
    if (found === undefined) throw new Error(`${id} is not listed.`);
    desktop = found;
    expect(desktop).toMatchObject({ provider: 'docker', state: 'running', controlledBy: [], recording: null });
    const watchers = async () => (await api.desktops()).desktops.find((one) => one.id === id)?.watchers;
    await expect.poll(watchers, { timeout: 20_000 }).toBe(1);
    await page.getByRole('link', { name: 'Desktops', exact: true }).click();
    const picture = page.getByAltText(`Screen of ${id}`);
    await picture.waitFor();
    const width = () => picture.evaluate((image: HTMLImageElement) => image.naturalWidth);
    await expect.poll(width, { timeout: 20_000 }).toBe(480);
    expect(await seriousFaults(page)).toEqual([]);
    await page.getByRole('link', { name: id }).last().click();
    await live().waitFor();
  }, 400_000);

  it('records what a person does in it, and a replay in a fresh sandbox gives the same file', async () => {
    const { page } = studio;
    const held = await provider().attach(desktop.id);
    await withCalc(held);
    await page.getByRole('button', { name: 'Record', exact: true }).click();
    await page.getByText('recording ·').waitFor();
    await page.locator('.live-screen.controlled[data-state="live"]').waitFor();
    const canvas = page.locator('.live-frame canvas');
    const box = await canvas.boundingBox();
    if (box === null) throw new Error('no canvas');
    // Somewhere on the sheet, and from there with keys: the place of B1 depends on the size of the tool bars.
    const scale = box.width / screen.width;
    await page.mouse.click(box.x + 600 * scale, box.y + 500 * scale);
    await page.keyboard.press('Control+Home');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.type('=SUM(A2:A3)', { delay: 40 });
    await page.keyboard.press('Enter');
    await page.keyboard.press('Control+s');
    await expect.poll(() => cellB1(held), { timeout: 30_000 }).toMatchObject({ formula: 'SUM(A2:A3)', result: 7.5 });
    await page.getByRole('button', { name: 'Stop recording' }).click();
    const panel = page.getByRole('region', { name: 'What was done' });
    await panel.getByText('Press ctrl+s').waitFor();
    expect(await panel.locator('li').allTextContents()).toEqual([
      expect.stringMatching(/Click at \d+, \d+/),
      expect.stringContaining('Press ctrl+Home'),
      expect.stringContaining('Press Right'),
      expect.stringContaining('Type “=SUM(A2:A3)”'),
      expect.stringContaining('Press Return'),
      expect.stringContaining('Press ctrl+s'),
    ]);
    const href = await panel.getByRole('link', { name: 'Download' }).getAttribute('href');
    const recorded = RecordedActions.parse(JSON.parse(decodeURIComponent(href?.split(',').slice(1).join(',') ?? '')));
    expect(recorded.screen).toEqual(screen);
    held.detach();

    const fresh = await provider().start({ ...screen, lease: 'desktops test' });
    own.push(fresh);
    await withCalc(fresh);
    await replayActions(fresh, recorded);
    await expect.poll(() => cellB1(fresh), { timeout: 30_000 }).toMatchObject({ formula: 'SUM(A2:A3)', result: 7.5 });
  }, 600_000);

  it('passes nothing on from those who only look, and ends a desktop', async () => {
    const { page } = studio;
    await page.getByRole('button', { name: 'Let go' }).click();
    await page.locator('.live-screen:not(.controlled)[data-state="live"]').waitFor();
    const held = await provider().attach(desktop.id);
    await held.launch(['sh', '-c', 'xev -root >/tmp/seen 2>&1']);
    await page.locator('.live-frame canvas').click();
    await page.keyboard.type('never');
    // What the holder presses is seen after what the viewer might have pressed.
    await held.launch(['xev', '-geometry', '300x200+600+400']);
    await held.waitForWindow({ title: 'Event Tester' });
    expect(await cellB1(held)).toMatchObject({ formula: 'SUM(A2:A3)' });
    const { desktops } = await api.desktops();
    expect(desktops.find(({ id }) => id === desktop.id)?.controlledBy).toEqual([]);
    held.detach();
    await page.getByRole('button', { name: 'End', exact: true }).click();
    await page.getByRole('heading', { name: 'Desktops' }).waitFor();
    await expect
      .poll(async () => (await api.desktops()).desktops.some(({ id }) => id === desktop.id), {
        timeout: 20_000,
      })
      .toBe(false);
    expect(studio.faults).toEqual([]);
  }, 400_000);
});
