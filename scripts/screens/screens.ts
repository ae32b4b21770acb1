import type { Page } from 'playwright-core';

/** What the pictures are taken of; all of it exists in the store. */
export interface Subjects {
  skill: string;
  /** Finished run of the skill, its package and another one. */
  run: string;
  packages: readonly [string, string];
  batch: string;
  /** Run whose map has a failed item. */
  failedRun: string;
  /** Run that waits for a decision. */
  waitingRun: string;
}

export interface Screen {
  name: string;
  path: string;
  /** Brings the page into the state that the picture shows; resolves when it is all there. */
  prepare(page: Page): Promise<unknown>;
}

const firstCard = (page: Page) => page.locator('.react-flow__node .card').first().waitFor();
const select = async (page: Page, title: string | RegExp) => {
  await firstCard(page);
  await page.locator('.card-title', { hasText: title }).first().click();
};
/** Saves another title of the first node, as another person would. Runs in the page. */
async function saveElsewhere(id: string): Promise<void> {
  const address = `/api/documents/${id}`;
  const { document, record } = await (await fetch(address)).json();
  document.nodes[0].title = `Orders of revision ${record.revision + 1}`;
  const body = JSON.stringify({ document, expectedRevision: record.revision });
  const answer = await fetch(address, { method: 'PUT', headers: { 'content-type': 'application/json' }, body });
  if (!answer.ok) throw new Error(`The other save was refused: ${answer.status}.`);
}

const heading = (name: string | RegExp) => (page: Page) => page.getByRole('heading', { name }).first().waitFor();

/** Pages of an empty store, before anything ran. */
export const emptyScreens: readonly Screen[] = [
  { name: 'runs-empty', path: '/runs', prepare: heading(/runs/i) },
  { name: 'batches-empty', path: '/batches', prepare: heading('No batches yet') },
  { name: 'packages-empty', path: '/packages', prepare: heading(/packages/i) },
  { name: 'costs-empty', path: '/costs', prepare: heading(/costs/i) },
];

/** The page while its server is away. */
export const offlineScreen: Screen = {
  name: 'offline',
  path: '/documents',
  prepare: (page) => page.getByText('The server does not answer').first().waitFor({ timeout: 60_000 }),
};

/** Every screen, and what opens over it. `sections` are the pages of the main navigation. */
export function screensOf(subjects: Subjects, sections: readonly string[]): Screen[] {
  const { skill, run, packages, batch, failedRun, waitingRun } = subjects;
  const editor = `/documents/${skill}`;
  return [
    ...sections.map((section) => ({
      name: section,
      path: `/${section}`,
      prepare: (page: Page) => page.locator('h1').first().waitFor(),
    })),
    {
      name: 'new-workflow',
      path: '/documents',
      prepare: async (page) => {
        await page.getByRole('button', { name: 'New workflow' }).first().click();
        await page.getByLabel('Title').fill('Quarterly report');
      },
    },
    { name: 'editor', path: editor, prepare: firstCard },
    {
      name: 'editor-prompt',
      path: editor,
      prepare: async (page) => {
        await firstCard(page);
        await page.locator('.card', { hasText: 'llm.' }).first().locator('.card-title').click();
        await page.locator('.side .cm-content').first().waitFor();
      },
    },
    {
      name: 'editor-gate',
      path: editor,
      prepare: async (page) => {
        await firstCard(page);
        await page.locator('.card[data-gate]').first().locator('.card-title').click();
        await page.locator('.inspect').waitFor();
      },
    },
    {
      name: 'editor-fit',
      path: editor,
      prepare: async (page) => {
        await firstCard(page);
        await page.locator('.react-flow__pane').click({ position: { x: 6, y: 6 } });
        await page.keyboard.press('f');
        await page.waitForTimeout(400);
      },
    },
    {
      name: 'large-far',
      path: '/documents/large',
      prepare: async (page) => {
        await firstCard(page);
        await page.locator('.react-flow__pane').click({ position: { x: 6, y: 6 } });
        await page.keyboard.press('f');
        await page.locator('.far-layer').waitFor();
      },
    },
    {
      name: 'commands',
      path: editor,
      prepare: async (page) => {
        await firstCard(page);
        await page.keyboard.press('Control+k');
        await page.getByRole('combobox').fill('run');
      },
    },
    {
      name: 'keys',
      path: editor,
      prepare: async (page) => {
        await firstCard(page);
        await page.keyboard.press('?');
        await page.getByRole('dialog').waitFor();
      },
    },
    {
      name: 'versions',
      path: '/documents/orders',
      prepare: async (page) => {
        await firstCard(page);
        await page.getByRole('button', { name: 'More' }).click();
        await page.getByRole('menuitem', { name: 'Versions' }).click();
        await page.getByRole('button', { name: /^Revision 1/ }).click();
        await page.getByRole('button', { name: 'Go back to revision 1' }).waitFor();
      },
    },
    {
      name: 'merge',
      path: '/documents/orders',
      prepare: async (page) => {
        await select(page, 'Total');
        await page.locator('.side').getByLabel('Title').fill('Grand total');
        await page.evaluate(saveElsewhere, 'orders');
        await page.keyboard.press('Control+s');
        await page.getByRole('dialog', { name: 'Someone saved this workflow meanwhile' }).waitFor();
      },
    },
    {
      name: 'run-dialog',
      path: editor,
      prepare: async (page) => {
        await firstCard(page);
        await page.getByRole('button', { name: 'Run', exact: true }).click();
        await page.getByRole('dialog').waitFor();
      },
    },
    {
      name: 'run',
      path: `/runs/${run}`,
      prepare: async (page) => {
        await page.locator('.card[data-status="succeeded"]').first().waitFor();
        await page.locator('.react-flow__pane').click({ position: { x: 6, y: 6 } });
      },
    },
    {
      name: 'run-gate',
      path: `/runs/${run}`,
      prepare: async (page) => {
        await page.locator('.card[data-status="succeeded"]').first().waitFor();
        await page.locator('.card[data-gate]').first().locator('.card-title').click();
        await page.locator('.node-run h2').waitFor();
        await page.waitForTimeout(500);
      },
    },
    {
      name: 'run-failed',
      path: `/runs/${failedRun}`,
      prepare: async (page) => {
        await select(page, 'Each order');
        await page.locator('.node-run').waitFor();
        await page.waitForTimeout(500);
      },
    },
    {
      name: 'run-approval',
      path: `/runs/${waitingRun}`,
      prepare: async (page) => {
        await select(page, 'Approval');
        await page.getByRole('button', { name: 'Approve' }).waitFor();
      },
    },
    {
      name: 'batch',
      path: `/batches/${batch}`,
      prepare: async (page) => {
        await page.locator('.page-head .badge').first().waitFor();
        await page.waitForTimeout(800);
      },
    },
    {
      name: 'package',
      path: `/packages/${packages[0]}`,
      prepare: (page) => page.locator('.tab-body .grid').first().waitFor(),
    },
    {
      name: 'package-compare',
      path: `/packages/${packages[0]}/${packages[1]}`,
      prepare: (page) => page.locator('.tab-body .grid').nth(1).waitFor(),
    },
  ];
}
