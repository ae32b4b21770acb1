import { join } from 'node:path';
import { silentReporter } from '@cua-forge/cli/bootstrap/progress';
import { buildStudio } from '@cua-forge/cli/bootstrap/studio-build';
import { GraphDocument } from '@cua-forge/spec/document';
import type { ValueRef } from '@cua-forge/spec/value';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually, type RunningServices, startServices } from '../support/services.ts';
import { openPage, type StudioPage } from './browser.ts';

const root = join(import.meta.dirname, '../..');
let services: RunningServices;
let studio: StudioPage;

const transform = (id: string, title: string, expression: string, inputs: Record<string, 'json'> = {}) => ({
  id,
  kind: 'data.transform',
  version: 1,
  title,
  params: { expression, inputs },
});
const value = { value: 'json' } as const;

const chain = GraphDocument.parse({
  forge: 1,
  id: 'chain',
  title: 'Chain',
  nodes: [
    transform('first', 'First', '{"drawn": 7}'),
    transform('second', 'Second', '{"of": value}', value),
    transform('third', 'Third', '{"of": value}', value),
  ],
  edges: [
    { from: 'first.value', to: 'second.value' },
    { from: 'second.value', to: 'third.value' },
  ],
  outputs: { value: 'third.value' },
});

const decision = GraphDocument.parse({
  forge: 1,
  id: 'decision',
  title: 'Decision',
  nodes: [
    transform('draft', 'Draft', '"a letter"'),
    { id: 'ask', kind: 'flow.approval', version: 1, title: 'Ask', params: { message: 'Does it go out?' } },
    transform('sent', 'Sent', '"sent " & value', value),
    transform('kept', 'Kept', '"kept " & value', value),
  ],
  edges: [
    { from: 'draft.value', to: 'ask.value' },
    { from: 'ask.approved', to: 'sent.value' },
    { from: 'ask.rejected', to: 'kept.value' },
  ],
});

const handled = GraphDocument.parse({
  forge: 1,
  id: 'handled',
  title: 'Handled',
  nodes: [
    transform('risky', 'Risky', '$error("no luck")'),
    transform('usual', 'Usual', 'value', value),
    transform('rescue', 'Rescue', '"rescued: " & value.message', value),
    { id: 'loop', kind: 'flow.repeat', version: 1, title: 'Loop', params: { graph: 'double', until: 'value >= 20' } },
    transform('start', 'Start', '3'),
  ],
  edges: [
    { from: 'risky.value', to: 'usual.value' },
    { from: 'risky.error', to: 'rescue.value' },
    { from: 'start.value', to: 'loop.value' },
  ],
  outputs: { rescued: 'rescue.value', doubled: 'loop.value', rounds: 'loop.rounds' },
  graphs: {
    double: {
      inputs: { value: { type: 'json' } },
      nodes: [transform('twice', 'Twice', 'value * 2', value)],
      edges: [{ from: '$inputs.value', to: 'twice.value' }],
      outputs: { value: 'twice.value' },
    },
  },
});

const endless = GraphDocument.parse({
  forge: 1,
  id: 'endless',
  title: 'Endless',
  nodes: [
    transform('before', 'Before', '1'),
    { id: 'wait', kind: 'flow.delay', version: 1, title: 'Wait', params: { milliseconds: 3_600_000 } },
  ],
  edges: [{ from: 'before.value', to: 'wait.value' }],
});

beforeAll(async () => {
  await buildStudio(root, process.env, silentReporter);
  services = await startServices();
  for (const document of [chain, decision, handled, endless])
    await services.api.saveDocument(document.id, { document, expectedRevision: null });
  studio = await openPage(`${services.url}/documents/chain`);
}, 300_000);

afterAll(async () => {
  await studio?.close();
  await services?.stop();
});

/** As `expect.poll`, with patience for a machine that has other work. */
const soon = <T>(ask: () => T) => expect.poll(ask, { timeout: 60_000 });
const card = (page: Page, title: string): Locator =>
  page.locator('.card').filter({ has: page.locator('.card-title', { hasText: new RegExp(`^${title}$`) }) });
const pick = (page: Page, title: string) => card(page, title).locator('.card-title').click();
const runState = (page: Page) => page.locator('.run-head .badge').first();
const runId = async (page: Page) => (await page.locator('.run-head code').first().textContent()) ?? '';
const status = (page: Page, title: string) => card(page, title).getAttribute('data-status');

/** Starts what the dialog offers and waits for the end of that new run. */
async function confirmRun(page: Page, before = ''): Promise<string> {
  await page.getByRole('dialog').getByRole('button', { name: 'Run', exact: true }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await soon(async () => {
    const id = await runId(page);
    return id !== before && id !== '' ? runState(page).textContent() : 'not yet';
  }).toBe('succeeded');
  return runId(page);
}
const outcomesOf = async (id: string, key: string) => (await services.api.node(id, { key })).outcomes;
const valueAt = async (ref: ValueRef | undefined) => {
  if (ref === undefined) throw new Error('There is no such output.');
  return services.api.value(ref.hash, ref.index === undefined ? {} : { index: ref.index });
};
/** The value of a node in a run, whichever run made it. */
const outputOf = async (id: string, key: string) => valueAt((await outcomesOf(id, key))[0]?.outputs.value);

describe('parts of a workflow', () => {
  it('run by themselves, up to a node and from it on, and nothing upstream runs twice', async () => {
    const { page } = studio;
    await card(page, 'First').waitFor();
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    const whole = await confirmRun(page);
    const drawn = await outputOf(whole, 'first');

    for (const [mode, ran, others] of [
      ['Only this node', ['second'], ['third']],
      ['From this node on', ['second', 'third'], []],
    ] as const) {
      const before = await runId(page);
      await pick(page, 'Second');
      await page.getByRole('button', { name: 'Run a part of the workflow' }).click();
      await page.getByRole('menuitem', { name: mode }).click();
      const id = await confirmRun(page, before);
      expect(await outcomesOf(id, 'first').then((all) => all.every(({ origin }) => origin !== 'executed'))).toBe(true);
      for (const key of ran) expect((await outcomesOf(id, key)).length).toBeGreaterThan(0);
      for (const key of others) expect(await outcomesOf(id, key)).toEqual([]);
      expect(await outputOf(id, 'second')).toEqual({ of: drawn });
    }
    const before = await runId(page);
    await pick(page, 'Second');
    await page.getByRole('button', { name: 'Run a part of the workflow' }).click();
    await page.getByRole('menuitem', { name: 'Up to this node' }).click();
    const upTo = await confirmRun(page, before);
    expect(await outcomesOf(upTo, 'third')).toEqual([]);
  });

  it('are replaced by pinned outputs: marked, used in drafts when wished, and not in a batch', async () => {
    const { page } = studio;
    const before = await runId(page);
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    const id = await confirmRun(page, before);
    const pinned = await outputOf(id, 'first');
    await pick(page, 'First');
    await page.getByRole('button', { name: 'Pin', exact: true }).click();
    await card(page, 'First').getByLabel('Output pinned').waitFor();
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    expect(
      await page
        .getByRole('dialog')
        .getByLabel(/Use pinned outputs/)
        .isChecked(),
    ).toBe(true);
    const draft = await confirmRun(page, id);
    expect((await outcomesOf(draft, 'first')).map(({ origin }) => origin)).toEqual(['pinned']);
    expect(await outputOf(draft, 'second')).toEqual({ of: pinned });
    await card(page, 'First').locator('.chip', { hasText: 'pinned' }).waitFor();

    const batch = await services.api.startBatch({ documentId: 'chain', count: 1, seed: 5 });
    const run = await eventually(
      'the run of the batch',
      async () => (await services.api.runs({ batchId: batch.id })).runs.find(({ state }) => state === 'succeeded'),
      60_000,
    );
    expect((await outcomesOf(run.id, 'first')).every(({ origin }) => origin !== 'pinned')).toBe(true);
    await page.getByRole('button', { name: 'Unpin' }).click();
    await soon(() => card(page, 'First').getByLabel('Output pinned').count()).toBe(0);
  });
});

describe('a run that waits for a person', () => {
  it.each([
    ['Approve', 'Sent', 'Kept'],
    ['Reject', 'Kept', 'Sent'],
  ])('goes on by the side that was chosen: %s', async (button, taken, other) => {
    const { page } = studio;
    const { id } = await services.api.startRun({ documentId: 'decision' });
    await page.goto(`${services.url}/runs/${id}`);
    await soon(() => status(page, 'Ask')).toBe('awaiting');
    await pick(page, 'Ask');
    await page.getByLabel('Note').fill('as agreed');
    await page.getByRole('button', { name: button }).click();
    await soon(() => runState(page).textContent()).toBe('succeeded');
    await soon(() => status(page, taken)).toBe('succeeded');
    await soon(() => status(page, other)).toBe('skipped');
  });

  it('is cancelled, and what waited is cancelled with it', async () => {
    const { page } = studio;
    const { id } = await services.api.startRun({ documentId: 'endless' });
    await page.goto(`${services.url}/runs/${id}`);
    await soon(() => status(page, 'Wait')).toBe('awaiting');
    await pick(page, 'Wait');
    // It waits for the time, and asks nobody.
    expect(await page.getByRole('button', { name: 'Approve' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Cancel' }).click();
    await soon(() => runState(page).textContent()).toBe('cancelled');
    await soon(() => status(page, 'Wait')).toBe('cancelled');
    expect(await status(page, 'Before')).toBe('succeeded');
  });
});

describe('failures and rounds', () => {
  it('an edge from the error port is drawn as one, and followed instead of the other', async () => {
    const { page } = studio;
    await page.goto(`${services.url}/documents/handled`);
    await page.getByRole('group', { name: /^On error edge from risky\.error/ }).waitFor({ state: 'attached' });
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    const id = await confirmRun(page);
    await soon(() => status(page, 'Risky')).toBe('failed');
    await soon(() => status(page, 'Usual')).toBe('skipped');
    expect(await outputOf(id, 'rescue')).toMatch(/^rescued: .*no luck/);
  });

  it('a loop ends when its condition holds, and says how many rounds it took', async () => {
    const { page } = studio;
    await soon(() => status(page, 'Loop')).toBe('succeeded');
    const { run } = await services.api.run(await runId(page));
    expect(await valueAt(run.outputs?.doubled)).toBe(24);
    expect(await valueAt(run.outputs?.rounds)).toBe(3);
    await card(page, 'Loop').locator('.card-title').click();
    await page.getByRole('tab', { name: 'Run' }).click();
    await page.locator('.node-run h2', { hasText: 'Loop' }).waitFor();
    await page.getByRole('tab', { name: 'Inspector' }).click();
    await page.locator('.side').getByLabel('maxRounds').fill('2');
    await page.getByText('Unsaved changes').waitFor();
    await page.getByRole('tab', { name: 'Run' }).click();
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Run', exact: true }).click();
    await soon(() => runState(page).textContent()).toBe('needs attention');
    await soon(() => status(page, 'Loop')).toBe('failed');
    await page
      .locator('.node-run .notice.bad')
      .getByText(/2 iterations/)
      .first()
      .waitFor();
  });
});

/** Presses Tab until it has the focus: the keyboard's only way there. */
async function tabTo(page: Page, target: Locator, presses = 150): Promise<void> {
  await target.waitFor();
  for (let press = 0; press < presses; press += 1) {
    // Editors of expressions have a root of their own.
    const there = await target.evaluate((element) => {
      const around = element.getRootNode();
      const active = around instanceof ShadowRoot ? around.activeElement : document.activeElement;
      return element.contains(active);
    });
    if (there) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab does not lead to ${target}.`);
}

it('by keyboard alone a workflow is authored, run, broken and repaired', async () => {
  const { page, faults, close } = await openPage(`${services.url}/documents`);
  const expression = page.locator('.side').getByLabel('JSONata expression');
  const press = async (...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key);
  };
  try {
    await tabTo(page, page.getByRole('button', { name: 'New workflow' }).first());
    await press('Enter');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.type('Keys only');
    await press('Enter');
    await page.getByRole('heading', { name: 'Keys only' }).waitFor();
    await page.locator('.react-flow__pane').waitFor();
    await page.locator('.kind').first().waitFor();
    await press('a');
    await soon(() => page.evaluate(() => document.activeElement?.tagName)).toBe('INPUT');
    await page.keyboard.type('jsonata transform');
    await press('ArrowDown', 'Enter');
    await page.locator('.card').filter({ hasText: 'data.transform' }).waitFor();
    await tabTo(page, expression);
    await page.keyboard.type('$uppercase("fine")');
    await tabTo(page, page.locator('.react-flow__node[data-id="transform"]'));
    await press('Enter', 'c');
    await page.getByRole('dialog').getByLabel('Find a port').waitFor();
    await tabTo(page, page.getByRole('dialog').getByLabel('Find a port'));
    await page.keyboard.type('outputs');
    await press('Enter');
    await soon(() => page.locator('.react-flow__edge').count()).toBe(1);
    await press('Control+s');
    await page.getByText('Saved · revision 2').waitFor();

    await press('Control+Enter');
    await page.getByRole('dialog', { name: 'Run the workflow' }).waitFor();
    await press('Enter');
    await soon(() => runState(page).textContent()).toBe('succeeded');
    const good = await runId(page);
    expect(await outputOf(good, 'transform')).toBe('FINE');

    await tabTo(page, page.getByRole('tab', { name: 'Run' }));
    await press('ArrowLeft');
    await tabTo(page, expression);
    await press('Control+a');
    await page.keyboard.type('$uppercase("fine"');
    await page.getByText('Unsaved changes').waitFor();
    await press('Control+Enter');
    await page.getByRole('dialog', { name: 'Run the workflow' }).waitFor();
    await press('Enter');
    await soon(() => runState(page).textContent()).toBe('needs attention');

    await tabTo(page, page.getByRole('button', { name: 'Edit and retry' }));
    await press('Enter');
    const dialog = page.getByRole('dialog');
    await tabTo(page, dialog.getByLabel('JSONata expression'));
    await press('Control+a');
    await page.keyboard.type('$uppercase("repaired")');
    await dialog.getByText('Changed: params').waitFor();
    await tabTo(page, dialog.getByRole('button', { name: 'Retry', exact: true }));
    await press('Enter');
    await soon(() => runState(page).textContent()).toBe('succeeded');
    expect(await outputOf(await runId(page), 'transform')).toBe('REPAIRED');
    expect(faults).toEqual([]);
  } finally {
    await close();
  }
});

it('the shipped skills serve as templates: one opens, its parts are copied into a new workflow', async () => {
  const { page } = studio;
  // The loop's workflow has changes that nobody keeps.
  page.on('dialog', (dialog) => void dialog.accept());
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin: services.url });
  await page.goto(`${services.url}/documents/calc-monthly-summary`);
  await page.locator('.react-flow__node .card').first().waitFor();
  const cards = (await services.api.document('calc-monthly-summary')).document?.nodes.length ?? 0;
  await page.locator('.react-flow__pane').click({ position: { x: 5, y: 5 } });
  await page.keyboard.press('Control+a');
  await page.keyboard.press('Control+c');
  await page.goto(`${services.url}/documents`);
  await page.getByRole('button', { name: 'New workflow' }).first().click();
  await page.getByLabel('Title').fill('After a template');
  await page.getByRole('button', { name: 'Create' }).click();
  await page.getByRole('heading', { name: 'After a template' }).waitFor();
  await page.locator('.kind').first().waitFor();
  await page.keyboard.press('Control+v');
  await page.getByText('Unsaved changes').waitFor();
  await page.keyboard.press('Control+s');
  await page.getByText('Saved · revision 2').waitFor();
  expect((await services.api.document('after-a-template')).document?.nodes.length).toBe(cards);
});

it('kept to its security policy and threw nothing all along', () => {
  expect(studio.faults).toEqual([]);
});
