import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Json, JsonObject } from '@cua-forge/spec/json';
import { Verdict } from '@cua-forge/spec/kind';
import type { Store } from '@cua-forge/spec/store-port';
import { openStore } from '@cua-forge/store/open-store';
import { sampleRun } from '@cua-forge/store/testing/samples';
import { runKind } from '@cua-forge/testing/run-kind';
import { claimsOf } from '@cua-forge/worker/executor/claims';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asRead, signatureOf } from './unique/signature.ts';
import { unique } from './unique.node.ts';

let folder = '';
let store: Store;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'forge-unique-'));
  store = await openStore({ folder });
});
afterAll(async () => {
  await store.meta.close();
  await rm(folder, { recursive: true, force: true });
});

let batches = 0;
/** Runs of one new batch that judge values. */
function batch(change: Parameters<typeof sampleRun>[0] = { batchId: `batch-${batches++}` }) {
  return async (runId: string, value: Json, params: JsonObject = {}, key = 'unique') => {
    const claims = claimsOf(store.meta, sampleRun({ id: runId, ...change }), key, () => 1);
    const outputs = await runKind(unique, { params, inputs: { value }, context: { claims, key } });
    return { ...Verdict.parse(outputs.verdict), through: outputs.value };
  };
}

describe('data.unique', () => {
  it('lets the first run through, also when it asks again, and sends the second back', async () => {
    const judge = batch();
    expect(await judge('a', 'Alder & Finch')).toMatchObject({
      verdict: 'pass',
      gate: 'data.unique',
      through: 'Alder & Finch',
    });
    expect(await judge('a', 'Alder & Finch')).toMatchObject({ verdict: 'pass' });
    expect(await judge('b', 'alder  finch!')).toEqual({
      verdict: 'repair',
      gate: 'data.unique',
      evidence: [{ check: 'unique', ok: false, detail: 'another run of the batch has the same value' }],
      feedback: 'This is taken already, so make something clearly different: "alder  finch!"',
      through: undefined,
    });
    expect(await judge('b', 'Birch')).toMatchObject({ verdict: 'pass' });
  });

  it('gives a value back when a later round brings another', async () => {
    const judge = batch();
    await judge('a', 'one');
    await judge('a', 'two');
    expect(await judge('b', 'one')).toMatchObject({ verdict: 'pass' });
    expect(await judge('c', 'two')).toMatchObject({ verdict: 'repair' });
  });

  it('compares exactly, as texts read, or by likeness', async () => {
    const exact = batch();
    await exact('a', 'Birch', { match: 'exact' });
    expect(await exact('b', 'birch', { match: 'exact' })).toMatchObject({ verdict: 'pass' });
    const near = batch();
    const text = 'Please add a sheet with the total of each month to orders.xlsx and make its header bold.';
    await near('a', text, { match: 'near' });
    const changed = await near('b', text.replace('header', 'first row'), { match: 'near', alike: 0.7 });
    expect(changed.evidence[0]?.detail).toMatch(/^another run of the batch has a value that is (7|8|9)\d % the same$/);
    expect(
      await near('c', 'Could you sort the invoices by customer, newest first?', { match: 'near', alike: 0.7 }),
    ).toMatchObject({ verdict: 'pass' });
  });

  it('looks at a part of the value, and at marks when there is nothing else', async () => {
    const judge = batch();
    await judge('a', { customer: 'Birch', total: 1 }, { key: 'customer' });
    expect(await judge('b', { customer: 'BIRCH', total: 2 }, { key: 'customer' })).toMatchObject({ verdict: 'repair' });
    await expect(judge('b', { total: 2 }, { key: 'customer' })).rejects.toMatchObject({ code: 'input.invalid' });
    const marks = batch();
    await marks('a', '!!!');
    expect(await marks('b', '???')).toMatchObject({ verdict: 'pass' });
    expect(await marks('c', '!!!')).toMatchObject({ verdict: 'repair' });
  });

  it('keeps names, nodes and scopes apart, and the items of a map together', async () => {
    const judge = batch({ batchId: 'batch-scopes', skill: 'skill-scopes', documentId: 'document-scopes' });
    await judge('a', 'x', {}, 'files[0]/unique');
    expect(await judge('a', 'x', {}, 'files[1]/unique')).toMatchObject({
      evidence: [{ detail: 'another part of this run has the same value' }],
    });
    expect(await judge('b', 'x', {}, 'other')).toMatchObject({ verdict: 'pass' });
    expect(await judge('b', 'x', { name: 'files/unique' }, 'elsewhere')).toMatchObject({ verdict: 'repair' });
    for (const scope of ['skill', 'document'])
      expect(await judge('c', 'x', { scope }, 'files[0]/unique')).toMatchObject({ verdict: 'pass' });
    const next = batch({ batchId: 'batch-next', skill: 'skill-scopes', documentId: 'document-scopes' });
    expect(await next('d', 'x', {}, 'files[0]/unique')).toMatchObject({ verdict: 'pass' });
    expect(await next('e', 'x', { scope: 'skill' }, 'files[0]/unique')).toMatchObject({
      evidence: [{ detail: 'another run of the skill has the same value' }],
    });
    const alone = batch({ batchId: null });
    expect([(await alone('f', 'x')).verdict, (await alone('g', 'x')).verdict]).toEqual(['pass', 'pass']);
  });

  it('fails with a code where that is asked for', async () => {
    const judge = batch();
    await judge('a', 'x');
    await expect(judge('b', 'x', { whenTaken: 'fail' })).rejects.toMatchObject({
      code: 'value.taken',
      message: 'Another run of the batch has the same value already.',
    });
  });
});

it('signatures tell how alike texts are', () => {
  const alike = (a: string, b: string) => {
    const [first, second] = [signatureOf(asRead(a)), signatureOf(asRead(b))];
    return first.filter((number, index) => number === second[index]).length / first.length;
  };
  const pieces = (text: string) =>
    new Set(Array.from({ length: text.length }, (_, at) => ` ${text} `.slice(at, at + 3)));
  const [a, b] = ['the total of each month in a new sheet', 'the total of every month in another sheet'];
  const [first, second] = [pieces(a), pieces(b)];
  const common = [...first].filter((piece) => second.has(piece)).length;
  const exact = common / (first.size + second.size - common);
  expect(Math.abs(alike(a, b) - exact)).toBeLessThan(0.13);
  expect(alike(a, a.toUpperCase())).toBe(1);
  expect(alike(a, 'zebras jump quickly')).toBeLessThan(0.1);
  expect(new Set(signatureOf('')).size).toBe(1);
});
