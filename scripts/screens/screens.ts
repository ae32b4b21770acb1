import type { Page } from 'playwright-core';

/** What the pictures are taken of; all of it exists in the store. */
export interface Subjects {
  skill: string;
  /** Finished run of the skill, its package and another one. */
  run: string;
  packages: readonly [string, string];
  batch: string;
  /** Another run of the skill. */
  otherRun: string;
  /** Run whose map has a failed item. */
  failedRun: string;
  /** Run of the same workflow with a map of 10,000 items. */
  largeRun: string;
  /** Run whose gate sent a draft back in vain. */
  repairedRun: string;
  /** Run that waits for a decision. */
  waitingRun: string;
}

export interface Screen {
  name: string;
  path: string;
  /** What this screen shows that another one does not, as a selector; all of it without. */
  part?: string;
  /** Brings the page into the state that the picture shows; resolves when it is all there. */
  prepare(page: Page): Promise<unknown>;
}

const firstCard = (page: Page) => page.locator('.react-flow__node .card').first().waitFor();
const select = async (page: Page, title: string | RegExp) => {
  await firstCard(page);
  await page.locator('.card-title', { hasText: title }).first().click();
};
/** Goes to a node that may be out of sight, as a person does who knows its name. */
const find = async (page: Page, title: string) => {
  await firstCard(page);
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Command, node or kind' }).fill(title);
  await page.getByRole('option', { name: title }).first().click();
  await page.locator('.react-flow__node.selected').waitFor();
};
/** All that the page loads is there. */
const settled = async (page: Page) => {
  await page.locator('h1').first().waitFor();
  await page.waitForFunction(() => document.querySelector('.spinner') === null);
};
const open = (button: string | RegExp) => async (page: Page) => {
  await settled(page);
  await page.getByRole('button', { name: button }).first().click();
  await page.getByRole('dialog').waitFor();
};
const openTab = (name: string | RegExp) => async (page: Page) => {
  await page.getByRole('tab', { name }).click();
  await page.getByRole('tab', { name, selected: true }).waitFor();
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
  const { skill, run, otherRun, packages, batch, failedRun, waitingRun, largeRun, repairedRun } = subjects;
  const editor = `/documents/${skill}`;
  return [
    ...sections.map((section) => ({
      name: section,
      path: `/${section}`,
      prepare: settled,
    })),
    {
      name: 'loading',
      path: '/documents',
      prepare: async (page) => {
        await settled(page);
        await page.route('**/api/packages**', () => {});
        await page.getByRole('link', { name: 'Packages' }).click();
        await page.locator('.spinner').waitFor();
        await page.unroute('**/api/packages**');
      },
    },
    { name: 'run-missing', path: '/runs/none', prepare: (page) => page.getByRole('alert').first().waitFor() },
    { name: 'workflow-missing', path: '/documents/none', prepare: (page) => page.getByRole('alert').first().waitFor() },
    {
      name: 'import-refused',
      path: '/documents',
      prepare: async (page) => {
        await settled(page);
        const buffer = Buffer.from('forge: 99\nid: newer\ntitle: Newer\nnodes: []\n');
        await page
          .getByLabel('Workflow file')
          .setInputFiles({ name: 'newer.yaml', mimeType: 'application/yaml', buffer });
        await page.getByRole('dialog').waitFor();
      },
    },
    { name: 'batch-start', path: '/batches', prepare: open('Start a batch') },
    { name: 'schedule-new', path: '/schedules', prepare: open('New schedule') },
    { name: 'evaluation-new', path: '/evaluations', prepare: open('Evaluate a workflow') },
    { name: 'hook-new', path: '/hooks', prepare: open('New hook') },
    { name: 'webhook-new', path: '/hooks', prepare: open('New webhook') },
    { name: 'desktop-start', path: '/desktops', prepare: open('Start a desktop') },
    {
      name: 'playground',
      path: '/models',
      prepare: async (page) => {
        await settled(page);
        await page.getByLabel('Workflow').selectOption(skill);
        await page.getByLabel('Node that asks a model').selectOption('draft');
        await page.getByLabel('Inputs and params from').selectOption(run);
        await page.getByLabel('Models', { exact: true }).fill('rehearsal:');
        await page.getByRole('button', { name: 'Compare' }).click();
        await page.getByRole('list', { name: 'Answers by model' }).getByRole('listitem').first().waitFor();
      },
    },
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
      part: '.side',
      path: editor,
      prepare: async (page) => {
        await firstCard(page);
        await page.locator('.card', { hasText: 'llm.' }).first().locator('.card-title').click();
        await page.locator('.side .cm-content').first().waitFor();
      },
    },
    {
      name: 'editor-gate',
      part: '.side',
      path: editor,
      prepare: async (page) => {
        await find(page, 'Workbook matches the specification');
        await page.locator('.inspect').waitFor();
      },
    },
    {
      name: 'editor-expression',
      part: '.side',
      path: editor,
      prepare: async (page) => {
        await find(page, 'Put the draft together');
        await page.locator('.side .cm-content').first().waitFor();
      },
    },
    {
      name: 'editor-menu',
      part: '.bar',
      path: editor,
      prepare: async (page) => {
        await firstCard(page);
        await page.getByRole('button', { name: 'More' }).click();
        await page.getByRole('menuitem').first().waitFor();
      },
    },
    {
      name: 'connect',
      part: 'dialog',
      path: '/documents/orders',
      prepare: async (page) => {
        await select(page, 'Orders');
        await page.locator('.canvas').hover({ position: { x: 400, y: 60 } });
        await page.keyboard.press('c');
        await page.getByRole('dialog').waitFor();
      },
    },
    { name: 'propose', part: 'dialog', path: editor, prepare: open('Propose') },
    {
      name: 'problems',
      part: '.canvas-column',
      path: '/documents/untidy',
      prepare: async (page) => {
        await page.getByText('6 warnings').click();
        await page.locator('.problems').waitFor();
      },
    },
    {
      name: 'editor-fit',
      part: '.canvas',
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
      part: '.canvas',
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
      part: 'dialog',
      path: editor,
      prepare: async (page) => {
        await firstCard(page);
        await page.keyboard.press('Control+k');
        await page.getByRole('combobox', { name: 'Command, node or kind' }).fill('run');
      },
    },
    {
      name: 'keys',
      part: 'dialog',
      path: editor,
      prepare: async (page) => {
        await firstCard(page);
        await page.keyboard.press('?');
        await page.getByRole('dialog').waitFor();
      },
    },
    {
      name: 'versions',
      part: 'dialog',
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
      part: 'dialog',
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
      part: 'dialog',
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
      part: '.side',
      path: `/runs/${run}`,
      prepare: async (page) => {
        await page.locator('.card[data-status="succeeded"]').first().waitFor();
        await find(page, 'Workbook matches the specification');
        await page.locator('.node-run .evidence').first().waitFor();
      },
    },
    {
      name: 'run-calls',
      part: '.side',
      path: `/runs/${run}`,
      prepare: async (page) => {
        await select(page, 'Draft the scenario');
        await openTab(/^Model calls \(/)(page);
        await page.getByRole('table', { name: 'Model calls in all' }).waitFor();
      },
    },
    {
      name: 'run-log',
      part: '.side',
      path: `/runs/${run}`,
      prepare: async (page) => {
        await select(page, 'Draft the scenario');
        await openTab('Log')(page);
        await page.locator('.log-row').first().waitFor();
      },
    },
    {
      name: 'run-timeline',
      part: '.canvas-column',
      path: `/runs/${run}`,
      prepare: async (page) => {
        await page.getByRole('button', { name: 'Timeline' }).click();
        await page.getByRole('listbox').getByRole('option').nth(3).click();
        await page.locator('.node-run h2').waitFor();
      },
    },
    {
      name: 'run-compare',
      path: `/runs/${run}/${otherRun}`,
      prepare: (page) => page.getByRole('heading', { name: 'Two runs' }).waitFor(),
    },
    {
      name: 'run-compare-node',
      path: `/runs/${run}/${otherRun}`,
      prepare: async (page) => {
        await page.getByRole('button', { name: 'Draft the scenario', exact: true }).click();
        await page.getByRole('heading', { name: 'Outputs' }).first().waitFor();
      },
    },
    {
      name: 'run-items',
      part: '.side',
      path: `/runs/${largeRun}`,
      prepare: async (page) => {
        await select(page, 'Each order');
        await page.locator('.item-row').first().waitFor();
        await page.getByLabel('Failure of the items').selectOption('node.timeout');
        await page.getByText('33 of 10000').waitFor();
      },
    },
    {
      name: 'run-retry',
      part: 'dialog',
      path: `/runs/${failedRun}`,
      prepare: async (page) => {
        await select(page, 'Each order');
        await page.getByRole('button', { name: 'Edit and retry' }).click();
        await page.getByRole('dialog').waitFor();
      },
    },
    {
      name: 'run-rounds',
      part: 'dialog',
      path: `/runs/${repairedRun}`,
      prepare: async (page) => {
        await select(page, 'Long enough');
        await page.getByRole('button', { name: '2 rounds' }).click();
        await page.getByRole('dialog').waitFor();
      },
    },
    {
      name: 'run-failed',
      part: '.side',
      path: `/runs/${failedRun}`,
      prepare: async (page) => {
        await select(page, 'Each order');
        await page.locator('.node-run').waitFor();
        await page.waitForTimeout(500);
      },
    },
    {
      name: 'run-approval',
      part: '.side',
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
    ...['Setup', 'Rubric', 'Gate evidence', 'Proof', 'Folder'].map((tab) => ({
      name: `package-${tab.split(' ')[0]?.toLowerCase()}`,
      part: '.tabbed',
      path: `/packages/${packages[0]}`,
      prepare: openTab(tab),
    })),
    { name: 'package-reject', path: '/packages', prepare: open(/^Reject\b/) },
    {
      name: 'package-compare',
      path: `/packages/${packages[0]}/${packages[1]}`,
      prepare: (page) => page.locator('.tab-body .grid').nth(1).waitFor(),
    },
  ];
}
