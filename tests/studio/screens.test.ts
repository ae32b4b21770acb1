import { join } from 'node:path';
import { silentReporter } from '@cua-forge/cli/bootstrap/progress';
import { buildStudio } from '@cua-forge/cli/bootstrap/studio-build';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { lists } from '../../apps/studio/src/route.ts';
import { emptyScreens, offlineScreen, type Screen, screensOf } from '../../scripts/screens/screens.ts';
import { makeSubjects } from '../../scripts/screens/subjects.ts';
import { type RunningServices, startServices } from '../support/services.ts';
import { seriousFaults } from './axe.ts';
import { openPage, type StudioPage } from './browser.ts';

const root = join(import.meta.dirname, '../..');
/** Names of the screens need no subjects; their paths do. */
const unknown = {
  skill: '',
  run: '',
  otherRun: '',
  packages: ['', ''],
  batch: '',
  failedRun: '',
  waitingRun: '',
  largeRun: '',
  repairedRun: '',
} as const;
const names = screensOf(unknown, lists).map(({ name }) => name);
const NARROW = { width: 700, height: 900 };
const WIDE = { width: 1440, height: 900 };

let services: RunningServices;
let studio: StudioPage;
let screens: readonly Screen[] = [];

beforeAll(async () => {
  await buildStudio(root, process.env, silentReporter);
  services = await startServices();
  studio = await openPage(services.url);
  studio.page.on('dialog', (dialog) => void dialog.accept());
}, 240_000);

afterAll(async () => {
  await studio?.close();
  await services?.stop();
});

async function show(page: Page, { path, prepare }: Screen): Promise<void> {
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  await page.setViewportSize(WIDE);
  await page.goto(`${services.url}${path}`);
  await prepare(page);
}

/** Nothing is wrong for those who see badly or use another device, in both themes. The other theme comes over the page as it is. */
async function isAccessible(page: Page, { part }: Screen): Promise<void> {
  expect(await seriousFaults(page, [], part)).toEqual([]);
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
  await page.locator('html[data-theme="dark"]').waitFor();
  // Parts of the page take the theme one after the other.
  await expect
    .poll(() => seriousFaults(page, ['color-contrast'], part), { timeout: 15_000, interval: 500 })
    .toEqual([]);
}

/** By how many pixels the page is wider than a narrow window. */
async function overflow(page: Page): Promise<number> {
  await page.setViewportSize(NARROW);
  return page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.querySelector('main') ?? document.documentElement;
    return Math.max(scrollWidth - clientWidth, document.documentElement.scrollWidth - window.innerWidth);
  });
}

describe('every screen has no serious fault of accessibility in either theme, and fits a narrow window', () => {
  it.each(emptyScreens.map(({ name }) => name))('%s', async (name) => {
    const { page } = studio;
    const screen = emptyScreens.find((each) => each.name === name);
    if (screen === undefined) throw new Error(`There is no screen ${name}.`);
    await show(page, screen);
    await isAccessible(page, screen);
    expect(await overflow(page)).toBe(0);
  });

  it('once there is something to show', async () => {
    screens = screensOf(await makeSubjects(services, 2, () => {}), lists);
    expect(screens.map(({ name }) => name)).toEqual(names);
  }, 400_000);

  it.each(names)('%s', async (name) => {
    const { page } = studio;
    const screen = screens.find((each) => each.name === name);
    if (screen === undefined) throw new Error(`There is no screen ${name}: its subjects could not be made.`);
    await show(page, screen);
    await isAccessible(page, screen);
    expect(await overflow(page)).toBe(0);
  });

  it('while the server is away', async () => {
    const { page } = studio;
    await page.goto(`${services.url}${offlineScreen.path}`);
    await services.end('server');
    await offlineScreen.prepare(page);
    await isAccessible(page, offlineScreen);
  });
});
