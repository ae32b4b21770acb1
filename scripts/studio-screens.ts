import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { silentReporter } from '@cua-forge/cli/bootstrap/progress';
import { buildStudio } from '@cua-forge/cli/bootstrap/studio-build';
import { type Browser, chromium, type Page } from 'playwright-core';
import { lists } from '../apps/studio/src/route.ts';
import { startServices } from '../tests/support/services.ts';
import { emptyScreens, offlineScreen, type Screen, screensOf } from './screens/screens.ts';
import { makeSubjects } from './screens/subjects.ts';

/** Takes a picture of every screen of the studio, at two sizes and in both themes; four small ones are for the readme. Exit code 1 when a screen could not be brought up. */

const root = join(import.meta.dirname, '..');
const usage = `Usage: npm run studio:screens -- [--out out/screens] [--only PATTERN] [--size 1440x900] [--theme light] [--readme]
Without --size and --theme: 1440x900 and 1920x1080, light and dark. --readme writes the four pictures of the readme as well.
`;

function options() {
  try {
    return parseArgs({
      options: {
        out: { type: 'string', default: join(root, 'out/screens') },
        only: { type: 'string', default: '' },
        size: { type: 'string' },
        theme: { type: 'string' },
        readme: { type: 'boolean', default: false },
      },
    }).values;
  } catch (thrown) {
    process.stderr.write(`${thrown instanceof Error ? thrown.message : thrown}\n${usage}`);
    return process.exit(2);
  }
}

const values = options();
/** A regular expression over the names of the screens. */
const only = new RegExp(values.only);
const sizes = [
  { width: 1440, height: 900 },
  { width: 1920, height: 1080 },
].filter(({ width, height }) => values.size === undefined || values.size === `${width}x${height}`);
const themes = (['light', 'dark'] as const).filter((theme) => values.theme === undefined || values.theme === theme);
if (sizes.length * themes.length === 0) {
  process.stderr.write(usage);
  process.exit(2);
}

/** Pictures of the readme: screen, theme. */
const readme: Record<string, 'light' | 'dark'> = { run: 'light', 'run-gate': 'dark', batch: 'light', package: 'dark' };

const say = (line: string) => process.stderr.write(`${line}\n`);
const failures: string[] = [];

interface Shot {
  screen: Screen;
  size: { width: number; height: number };
  theme: 'light' | 'dark';
}

async function take(page: Page, url: string, { screen, size, theme }: Shot): Promise<void> {
  const name = `${screen.name}-${theme}-${size.width}`;
  try {
    if (screen !== offlineScreen) await page.goto(`${url}${screen.path}`);
    await screen.prepare(page);
    await page.evaluate(() => document.fonts.ready);
    await page.waitForTimeout(150);
    await page.screenshot({ path: join(values.out, `${name}.png`) });
    if (values.readme && size.width === 1440 && readme[screen.name] === theme) await small(page, screen.name);
  } catch (thrown) {
    failures.push(`${name}: ${thrown instanceof Error ? thrown.message.split('\n')[0] : thrown}`);
  }
}

/** A compressed picture for the readme. */
async function small(page: Page, name: string): Promise<void> {
  const cdp = await page.context().newCDPSession(page);
  const { data } = await cdp.send('Page.captureScreenshot', { format: 'webp', quality: 82 });
  const file = join(root, 'docs/images', `studio-${name}.webp`);
  await writeFile(`${file}.new`, Buffer.from(data, 'base64'));
  await rename(`${file}.new`, file);
}

async function takeAll(browser: Browser, url: string, screens: readonly Screen[]): Promise<void> {
  const wanted = screens.filter(({ name }) => only.test(name));
  const total = wanted.length * sizes.length * themes.length;
  const start = Date.now();
  let done = 0;
  for (const size of sizes)
    for (const theme of themes) {
      const context = await browser.newContext({ viewport: size, colorScheme: theme, reducedMotion: 'reduce' });
      const page = await context.newPage();
      page.setDefaultTimeout(45_000);
      page.on('dialog', (dialog) => void dialog.accept());
      for (const screen of wanted) {
        await take(page, url, { screen, size, theme });
        done += 1;
        const left = ((Date.now() - start) / done / 1000) * (total - done);
        say(`${done} of ${total} · ${screen.name} ${theme} ${size.width}×${size.height} · ${left.toFixed(0)} s left`);
      }
      await context.close();
    }
}

await mkdir(values.out, { recursive: true });
await buildStudio(root, process.env, silentReporter);
say('Starting the product');
const services = await startServices();
const browser = await chromium.launch({
  executablePath: process.env.FORGE_CHROMIUM ?? '/usr/bin/chromium',
  args: ['--headless', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'],
});
try {
  await takeAll(browser, services.url, emptyScreens);
  const subjects = await makeSubjects(services, 6, say);
  await takeAll(browser, services.url, screensOf(subjects, lists));
  if (only.test(offlineScreen.name)) {
    const page = await browser.newPage({ viewport: sizes[0] ?? null });
    await page.goto(`${services.url}${offlineScreen.path}`);
    await services.end('server');
    await take(page, services.url, {
      screen: offlineScreen,
      size: sizes[0] ?? { width: 1440, height: 900 },
      theme: 'light',
    });
  }
} finally {
  await browser.close();
  await services.stop();
}
for (const failure of failures) say(`FAILED ${failure}`);
say(`${failures.length === 0 ? 'Every' : 'Not every'} screen has its picture in ${values.out}`);
process.exit(failures.length === 0 ? 0 : 1);
