import { chromium, type Page } from 'playwright-core';

export interface StudioPage {
  page: Page;
  /** Errors of the console and of scripts, and breaches of the page's security policy, since the page was opened. */
  faults: string[];
  close(): Promise<void>;
}

/** A page of its own in Debian's Chromium, or the one that FORGE_CHROMIUM names. */
export async function openPage(url: string, colorScheme: 'light' | 'dark' = 'light'): Promise<StudioPage> {
  const browser = await chromium.launch({
    executablePath: process.env.FORGE_CHROMIUM ?? '/usr/bin/chromium',
    args: [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-dev-shm-usage',
      '--disable-background-networking',
      '--disable-component-update',
      '--no-first-run',
    ],
  });
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, colorScheme });
  const page = await context.newPage();
  // Machines that run every test at once are slow; a test that hangs costs this once.
  page.setDefaultTimeout(45_000);
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('console', (message) => {
    // The browser itself reports refused saves (409) as errors; the studio answers them in a dialog.
    if (message.type() === 'error' && !message.text().includes('409')) faults.push(message.text());
  });
  await page.goto(url);
  return { page, faults, close: () => browser.close() };
}
