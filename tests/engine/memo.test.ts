import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Engine } from '../support/engine-fixture.ts';
import { startEngine } from '../support/engine-fixture.ts';
import { documentOf, Executions, step, testKinds } from '../support/test-kinds.ts';

const executions = new Executions();
let engine: Engine;
beforeAll(async () => {
  engine = await startEngine({ kinds: testKinds(executions) });
});
afterAll(() => engine.stop());

/** Each test has words of its own, so that none finds what another made. */
const cached = (word: string, params: Record<string, unknown> = {}) =>
  documentOf(
    [step('a', { say: word, ...params }, 'test.cached'), step('b', {}, 'test.cached')],
    [['a.value', 'b.value']],
  );
const originOf = async (runId: string, key: string) => {
  const { origin, madeBy } = (await engine.store.meta.listOutcomes(runId, { key })).at(-1) ?? {};
  return { origin, madeBy };
};
const artifactFile = async (hash: string): Promise<string> => {
  const folder = join(engine.services.env.store.folder, 'artifacts');
  const files = await readdir(folder, { recursive: true });
  const file = files.find((name) => name.replaceAll(/[/\\]/g, '').includes(hash));
  if (file === undefined) throw new Error(`no file holds ${hash}`);
  return join(folder, file);
};

describe('memo', () => {
  it('answers the second run, naming the first', async () => {
    const first = await engine.run(cached('one'));
    const second = await engine.run(cached('one'));
    const third = await engine.run(cached('one'));
    expect(executions.of(first.id)).toEqual({ a: 1, b: 1 });
    expect(executions.of(second.id)).toEqual({});
    expect(await originOf(second.id, 'b')).toEqual({ origin: 'memo', madeBy: first.id });
    expect(await originOf(third.id, 'a')).toEqual({ origin: 'memo', madeBy: first.id });
    expect(await engine.outputs(third.id, 'b')).toEqual({ value: 'one>b' });
  });

  it('does not answer where params differ, nor what hangs on another value', async () => {
    await engine.run(cached('two'));
    const other = await engine.run(cached('two!'));
    expect(executions.of(other.id)).toEqual({ a: 1, b: 1 });
  });

  it('is passed by when a person asks again, for that node only', async () => {
    const document = documentOf(
      [step('a', { say: 'three' }, 'test.cached'), step('b', {}, 'test.cached'), step('bad', { fail: -1 })],
      [['a.value', 'b.value']],
    );
    const run = await engine.run(document, { mode: 'interactive' });
    await engine.retry(run.id, { targets: ['a'] });
    // 'a' gave the same value again, so that 'b' is answered.
    expect(executions.of(run.id)).toEqual({ a: 2, b: 1, bad: 1 });
    expect(await originOf(run.id, 'a')).toMatchObject({ origin: 'executed' });
    expect(await originOf(run.id, 'b')).toEqual({ origin: 'memo', madeBy: run.id });
  });

  it('never answers with a failure', async () => {
    const first = await engine.run(cached('four', { fail: -1 }));
    const second = await engine.run(cached('four', { fail: -1 }));
    expect([first.state, second.state]).toEqual(['failed', 'failed']);
    expect(executions.of(second.id)).toEqual({ a: 1 });
  });

  it('misses where the value is gone or damaged, and mends the store by making it again', async () => {
    const document = cached('five', { bytes: 20_000 });
    const first = await engine.run(document);
    const hash = (await engine.store.meta.listOutcomes(first.id, { key: 'a' }))[0]?.outputs.value?.hash ?? '';
    const file = await artifactFile(hash);
    const whole = await readFile(file);

    await rm(file);
    const second = await engine.run(document);
    expect(second.failure).toBeNull();
    expect(executions.of(second.id)).toMatchObject({ a: 1 });

    const damaged = Buffer.from(await readFile(await artifactFile(hash)));
    damaged[Math.floor(damaged.length / 2)] = 0;
    await writeFile(await artifactFile(hash), damaged);
    const third = await engine.run(document);
    expect(third.failure).toBeNull();
    expect(executions.of(third.id)).toMatchObject({ a: 1 });
    expect(await readFile(await artifactFile(hash))).toEqual(whole);
    expect(await originOf((await engine.run(document)).id, 'a')).toMatchObject({ origin: 'memo' });
  });

  it('lets one of two runs at once do the work', async () => {
    const document = cached('six', { milliseconds: 400 });
    const runs = await Promise.all([engine.run(document), engine.run(document), engine.run(document)]);
    expect(runs.map(({ state }) => state)).toEqual(['succeeded', 'succeeded', 'succeeded']);
    const all = runs.map(({ id }) => executions.of(id));
    expect(all.filter((counts) => counts.a === 1)).toHaveLength(1);
    expect(all.filter((counts) => counts.b === 1)).toHaveLength(1);
  });
});
