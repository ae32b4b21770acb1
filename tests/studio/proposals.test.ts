import { join } from 'node:path';
import { silentReporter } from '@cua-forge/cli/bootstrap/progress';
import { buildStudio } from '@cua-forge/cli/bootstrap/studio-build';
import { GraphDocument } from '@cua-forge/spec/document';
import { fakeChatServer, streams } from '@cua-forge/testing/fake-chat-server';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningServices, startServices } from '../support/services.ts';
import { modelAt } from '../support/slow-model.ts';
import { openPage, type StudioPage } from './browser.ts';

const sums = GraphDocument.parse({
  forge: 1,
  id: 'sums',
  title: 'Sums',
  nodes: [{ id: 'make', kind: 'data.transform', version: 1, title: 'Make', params: { expression: '1 + 1' } }],
  outputs: { sum: 'make.value' },
});
const answer = (...edits: unknown[]): string => JSON.stringify({ summary: 'Doubles the sum.', edits });
const broken = answer({ do: 'add-node', id: 'twice', kind: 'no.kind' });
const good = answer(
  {
    do: 'add-node',
    id: 'twice',
    kind: 'data.transform',
    title: 'Twice',
    params: { inputs: { sum: 'number' }, expression: 'sum * 2' },
  },
  { do: 'connect', from: 'make.value', to: 'twice.sum' },
  { do: 'set-output', name: 'sum', from: 'twice.value' },
);

let model: Awaited<ReturnType<typeof fakeChatServer>>;
let services: RunningServices;
let studio: StudioPage;
let page: Page;
let answers: string[] = [];

beforeAll(async () => {
  await buildStudio(join(import.meta.dirname, '../..'), process.env, silentReporter);
  model = await fakeChatServer([(response, request) => streams(answers.shift() ?? good)(response, request)]);
  services = await startServices({ env: modelAt(model.baseUrl) });
  await services.api.saveDocument('sums', { document: sums, expectedRevision: null });
  studio = await openPage(`${services.url}/documents/sums`);
  page = studio.page;
}, 240_000);
afterAll(async () => {
  await studio?.close();
  await services?.stop();
  await model?.close();
});

describe('a proposal', () => {
  it('is shown as a difference, taken as one step, and taken back as one', async () => {
    answers = [broken, good];
    await page.getByRole('button', { name: 'Propose' }).click();
    const dialog = page.getByRole('dialog', { name: 'Propose a change' });
    await dialog.getByLabel('What should change?').fill('Double the sum');
    await dialog.getByRole('button', { name: 'Ask the model' }).click();
    await dialog.getByText('Doubles the sum.').waitFor();
    expect(await dialog.getByText(/2 calls/).count()).toBe(1);
    expect(await dialog.locator('.changes').textContent()).toContain('twice');
    // Nothing has been changed yet.
    expect((await services.api.document('sums')).record.revision).toBe(1);
    await dialog.getByRole('button', { name: 'Accept' }).click();
    await page.locator('.react-flow__node', { hasText: 'Twice' }).waitFor();
    await page.getByText('Unsaved changes').waitFor();
    await page.keyboard.press('Control+z');
    await page.locator('.react-flow__node', { hasText: 'Twice' }).waitFor({ state: 'detached' });
    await page.getByText('Saved · revision 1').waitFor();
  });

  it('that is refused leaves the document alone', async () => {
    await page.getByRole('button', { name: 'Propose' }).click();
    const dialog = page.getByRole('dialog', { name: 'Propose a change' });
    await dialog.getByLabel('What should change?').fill('Double the sum');
    await dialog.getByRole('button', { name: 'Ask the model' }).click();
    await dialog.getByRole('button', { name: 'Refuse' }).click();
    await page.keyboard.press('Escape');
    expect(await page.locator('.react-flow__node', { hasText: 'Twice' }).count()).toBe(0);
  });

  it('is saved by itself only where the request says so, against the revision that it was made for', async () => {
    const shown = await services.api.proposeChange('sums', { words: 'Double the sum' });
    expect(shown).toMatchObject({ accepted: null, revision: 1, provider: 'openai' });
    expect((await services.api.document('sums')).record.revision).toBe(1);
    const saved = await services.api.proposeChange('sums', { words: 'Double the sum', accept: 'if-valid' });
    expect(saved.accepted).toBe(2);
    const { document } = await services.api.document('sums');
    expect(document?.outputs).toEqual({ sum: 'twice.value' });
    // Made for revision 1: somebody has saved since.
    await expect(
      services.api.saveDocument('sums', { document: shown.document, expectedRevision: shown.revision }),
    ).rejects.toMatchObject({ code: 'document.conflict' });
  });
});
