import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { silentReporter } from '@cua-forge/cli/bootstrap/progress';
import { buildStudio } from '@cua-forge/cli/bootstrap/studio-build';
import { GraphDocument } from '@cua-forge/spec/document';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually, type RunningServices, startServices } from '../support/services.ts';
import { openPage, type StudioPage } from './browser.ts';

const root = join(import.meta.dirname, '../..');
let services: RunningServices;
let studio: StudioPage;

beforeAll(async () => {
  await buildStudio(root, process.env, silentReporter);
  services = await startServices();
  studio = await openPage(services.url);
}, 300_000);

afterAll(async () => {
  await studio?.close();
  await services?.stop();
});

/** As `expect.poll`, with patience for a machine that has other work. */
const soon = <T>(ask: () => T) => expect.poll(ask, { timeout: 30_000 });
const card = (page: Page, title: string): Locator =>
  page.locator('.card').filter({ has: page.locator('.card-title', { hasText: new RegExp(`^${title}$`) }) });
const runState = (page: Page): Locator => page.locator('.run-head .badge').first();

const transform = (id: string, title: string, expression: string, inputs: Record<string, 'json'> = {}) => ({
  id,
  kind: 'data.transform',
  version: 1,
  title,
  params: { expression, ...(Object.keys(inputs).length === 0 ? {} : { inputs }) },
});

async function importText(page: Page, name: string, text: string): Promise<void> {
  await page.goto(`${services.url}/documents`);
  await page.getByRole('button', { name: 'Import' }).waitFor();
  await page
    .getByLabel('Workflow file')
    .setInputFiles({ name, mimeType: 'application/yaml', buffer: Buffer.from(text) });
}

describe('an import', () => {
  it('from a newer version says what it cannot read, and imports nothing', async () => {
    const { page } = studio;
    await importText(page, 'newer.yaml', 'forge: 99\nid: newer\ntitle: Newer\nnodes: []\n');
    const dialog = page.getByRole('dialog', { name: 'newer.yaml cannot be read' });
    await dialog.getByText(/is format 99; this build reads up to/).waitFor();
    await dialog.getByText('Open it with a newer build.').waitFor();
    await dialog.getByText(/line 1/).waitFor();
    await dialog.getByRole('button', { name: 'Close' }).click();
    await expect(services.api.document('newer')).rejects.toMatchObject({ code: 'not-found' });
  });

  it('with fields that this build does not know names each with its line', async () => {
    const { page } = studio;
    await importText(page, 'fields.yaml', 'forge: 1\nid: fields\ntitle: Fields\nnodes: []\nholograms: true\n');
    const dialog = page.getByRole('dialog', { name: 'fields.yaml cannot be read' });
    await dialog.getByText(/holograms/).waitFor();
    await dialog.getByText(/line 5/).waitFor();
    await dialog.getByRole('button', { name: 'Close' }).click();
  });

  it('with dangling edges, unknown kinds and newer kinds opens, and each fault stands at its node', async () => {
    const { page } = studio;
    const text = `forge: 1
id: dangling
title: Dangling
nodes:
  - {id: here, kind: data.transform, version: 1, title: Here, params: {expression: '1'}}
  - {id: later, kind: data.transform, version: 99, title: Later, params: {expression: '1'}}
  - {id: strange, kind: from.elsewhere, version: 1, title: Strange}
edges:
  - {from: gone.value, to: here.value}
  - {from: here.value, to: nowhere.value}
`;
    await importText(page, 'dangling.yaml', text);
    await card(page, 'Here').waitFor();
    await card(page, 'Later').waitFor();
    await page.getByRole('button', { name: /\d+ errors/ }).click();
    const problems = page.getByRole('region', { name: 'Problems' });
    for (const word of [/gone/, /nowhere/, /from\.elsewhere/, /99/]) await problems.getByText(word).first().waitFor();
    await card(page, 'Strange').locator('.card-title').click();
    await page.locator('.side').getByText('from.elsewhere').first().waitFor();
  });
});

describe('text of five million characters', () => {
  it('pasted on the canvas is no workflow; pasted into a prompt it stays, and the editor goes on', async () => {
    const { page, faults } = studio;
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin: services.url });
    const document = GraphDocument.parse({
      forge: 1,
      id: 'heavy',
      title: 'Heavy',
      nodes: [
        {
          id: 'letter',
          kind: 'llm.generate',
          version: 1,
          title: 'Letter',
          params: { purpose: 'letter', prompt: 'Dear', examples: ['Hello'] },
        },
      ],
    });
    await services.api.saveDocument('heavy', { document, expectedRevision: null });
    await page.goto(`${services.url}/documents/heavy`);
    await card(page, 'Letter').locator('.card-title').click();
    await page.evaluate(() => navigator.clipboard.writeText('word '.repeat(1_000_000)));
    await page.locator('.react-flow__node[data-id="letter"]').focus();
    await page.keyboard.press('Control+v');
    await soon(() => page.locator('.react-flow__node-node').count()).toBe(1);
    await page.getByRole('tab', { name: 'Inspector' }).click();
    const prompt = page.getByRole('textbox', { name: 'prompt' });
    await prompt.click();
    await page.keyboard.press('Control+a');
    await page.keyboard.press('Control+v');
    await page.getByText('Unsaved changes').waitFor();
    const before = faults.length;
    await page.keyboard.press('Control+s');
    // It is stored whole, or refused with words that say why; never cut in silence.
    const saved = page.getByText('Saved · revision 2');
    const refused = page.locator('.toast.bad, .notice.bad').first();
    await saved.or(refused).first().waitFor();
    if (await saved.isVisible()) {
      const kept = (await services.api.document('heavy')).document?.nodes[0]?.params.prompt;
      expect(typeof kept === 'string' && kept.trim().length).toBe('word '.repeat(1_000_000).trim().length);
    } else {
      // The browser itself reports the refusal.
      faults.splice(before);
      expect(await refused.textContent()).toMatch(/long|large|characters|MB/i);
      expect((await services.api.document('heavy')).document?.nodes[0]?.params.prompt).toBe('Dear');
    }
    await page.getByRole('button', { name: 'Undo (Ctrl+Z)' }).click();
    await soon(() => prompt.textContent()).toBe('Dear');
  });
});

describe('a connection that drops in mid-run', () => {
  it('says so, and shows every state once it is back', async () => {
    const { page, faults } = studio;
    const waiting = GraphDocument.parse({
      forge: 1,
      id: 'waiting',
      title: 'Waiting',
      nodes: [
        transform('first', 'First', '1'),
        { id: 'pause', kind: 'flow.delay', version: 1, title: 'Pause', params: { milliseconds: 9_000 } },
        transform('second', 'Second', 'value + 1', { value: 'json' }),
        transform('third', 'Third', 'value + 1', { value: 'json' }),
      ],
      edges: [
        { from: 'first.value', to: 'pause.value' },
        { from: 'pause.value', to: 'second.value' },
        { from: 'second.value', to: 'third.value' },
      ],
      outputs: { value: 'third.value' },
    });
    await services.api.saveDocument('waiting', { document: waiting, expectedRevision: null });
    page.once('dialog', (dialog) => void dialog.accept());
    const { id } = await services.api.startRun({ documentId: 'waiting' });
    await page.goto(`${services.url}/runs/${id}`);
    await soon(() => card(page, 'Pause').getAttribute('data-status')).toMatch(/running|awaiting/);
    const before = faults.length;
    await services.end('server');
    await page.getByText('The server does not answer').first().waitFor({ timeout: 60_000 });
    await services.restart('server');
    await soon(() => runState(page).textContent()).toBe('succeeded');
    for (const title of ['First', 'Pause', 'Second', 'Third'])
      await soon(() => card(page, title).getAttribute('data-status')).toBe('succeeded');
    await soon(() => page.locator('.banner').count()).toBe(0);
    // What the browser itself says about refused connections is expected here.
    faults.splice(before);
  });
});

describe('two tabs', () => {
  it('that edit one workflow never overwrite each other: the second is asked, and keeps both', async () => {
    const { page } = studio;
    const document = GraphDocument.parse({
      forge: 1,
      id: 'shared',
      title: 'Shared',
      nodes: [transform('left', 'Left', '1'), transform('right', 'Right', '1')],
    });
    await services.api.saveDocument('shared', { document, expectedRevision: null });
    const other = await page.context().newPage();
    try {
      for (const [tab, title] of [
        [page, 'Left'],
        [other, 'Right'],
      ] as const) {
        await tab.goto(`${services.url}/documents/shared`);
        await card(tab, title).locator('.card-title').click();
        await tab.getByRole('textbox', { name: 'Title' }).fill(`${title} changed`);
      }
      await page.keyboard.press('Control+s');
      await page.getByText('Saved · revision 2').waitFor();
      await other.keyboard.press('Control+s');
      const dialog = other.getByRole('dialog', { name: 'Someone saved this workflow meanwhile' });
      await dialog.getByRole('button', { name: 'Merge and save' }).click();
      await other.getByText('Saved · revision 3').waitFor();
    } finally {
      await other.close();
    }
    const stored = (await services.api.document('shared')).document?.nodes.map(({ title }) => title);
    expect(stored).toEqual(['Left changed', 'Right changed']);
  });
});

describe('names and scripts', () => {
  it('a unicode name of 200 characters is uploaded, shown and downloaded as it is', async () => {
    const { page } = studio;
    const name = `Übersicht 名前 مرحبا 🧾 ${'sehr-lang-'.repeat(18)}.txt`;
    const file = join(services.folder, 'upload.txt');
    await writeFile(file, 'of the file');
    const document = GraphDocument.parse({
      forge: 1,
      id: 'named',
      title: 'Named',
      inputs: { file: { type: 'file', title: 'File' } },
      nodes: [transform('keep', 'Keep', '1')],
      outputs: { file: '$inputs.file' },
    });
    await services.api.saveDocument('named', { document, expectedRevision: null });
    await page.goto(`${services.url}/documents/named`);
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog
      .locator('input[type=file]')
      .setInputFiles({ name, mimeType: 'text/plain', buffer: Buffer.from('of the file') });
    await dialog.getByText(name).waitFor();
    expect(await dialog.evaluate((each) => each.scrollWidth <= each.clientWidth)).toBe(true);
    await dialog.getByRole('button', { name: 'Run', exact: true }).click();
    await page.locator('.side').getByText(name).first().waitFor();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page
        .locator('.side')
        .getByRole('link', { name: /download/i })
        .first()
        .click(),
    ]);
    expect(download.suggestedFilename()).toBe(name);
  });

  it('markup in a title, a note, an output or what a model said is text, and never runs', async () => {
    const { page } = studio;
    const evil = '<img src=x onerror="window.ran=1"><script>window.ran=1</script>';
    const document = GraphDocument.parse({
      forge: 1,
      id: 'evil',
      title: evil,
      description: evil,
      nodes: [
        { ...transform('out', evil, JSON.stringify(evil)), notes: evil },
        {
          ...{ id: 'ask', kind: 'llm.generate', version: 1, title: 'Ask' },
          params: { purpose: 'markup', prompt: 'Write markup.', examples: [evil] },
        },
      ],
      outputs: { out: 'out.value', said: 'ask.text' },
      annotations: { $main: { note: { type: 'note', text: evil, x: 300, y: 300, width: 240, height: 120 } } },
    });
    await services.api.saveDocument('evil', { document, expectedRevision: null });
    const { id } = await services.api.startRun({ documentId: 'evil' });
    await eventually('the run to end', async () => (await services.api.run(id)).run.state === 'succeeded', 60_000);
    for (const path of ['/documents', '/documents/evil', '/runs', `/runs/${id}`]) {
      await page.goto(`${services.url}${path}`);
      await page.getByText('<script>').first().waitFor();
      await page.locator('.card-title, .list-main').first().click();
      expect(await page.evaluate(() => Reflect.has(window, 'ran'))).toBe(false);
    }
    expect(await page.locator('img[src="x"]').count()).toBe(0);
    await page.locator('.react-flow__node-node .card-title').first().click();
    await page.locator('.side').getByText('onerror').first().waitFor();
    await page.locator('.card-title', { hasText: /^Ask$/ }).click();
    await page.locator('.node-run h2', { hasText: 'Ask' }).waitFor();
    await page.locator('.side').getByText('onerror').first().waitFor();
    expect(await page.evaluate(() => Reflect.has(window, 'ran'))).toBe(false);
  });
});

it('kept to its security policy and threw nothing all along', () => {
  expect(studio.faults).toEqual([]);
});
