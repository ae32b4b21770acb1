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

/** a → b → c → d, and side hangs on a. */
const chain = (change: Record<string, string> = {}) =>
  documentOf(
    ['a', 'b', 'c', 'd', 'side'].map((id) => step(id, { say: change[id] ?? id })),
    [
      ['a.value', 'b.value'],
      ['b.value', 'c.value'],
      ['c.value', 'd.value'],
      ['a.value', 'side.value'],
    ],
  );
const origins = async (runId: string): Promise<Record<string, [string, string | null]>> =>
  Object.fromEntries(
    (await engine.store.meta.listOutcomes(runId)).map(({ key, origin, madeBy }) => [key, [origin, madeBy]]),
  );

describe('a part of a graph', () => {
  it('to X: X and what leads to it', async () => {
    const run = await engine.run(chain(), { selection: { mode: 'to', node: 'c' } });
    expect(run.failure).toBeNull();
    expect(run.state).toBe('succeeded');
    expect(executions.of(run.id)).toEqual({ a: 1, b: 1, c: 1 });
    expect(await engine.statuses(run.id)).toMatchObject({ c: 'succeeded', d: 'skipped', side: 'skipped' });
  });

  it('to X with a base run takes over what was made from the same', async () => {
    const base = await engine.run(chain());
    const run = await engine.run(chain({ b: 'B' }), { selection: { mode: 'to', node: 'c' }, baseRun: base.id });
    expect(run.state).toBe('succeeded');
    expect(await engine.outputs(run.id, 'c')).toEqual({ value: 'a>B>c' });
    expect(executions.of(run.id)).toEqual({ b: 1, c: 1 });
    expect(await origins(run.id)).toEqual({ a: ['reused', base.id], b: ['executed', null], c: ['executed', null] });
  });

  it('only X with a base run runs X alone, on the values of that run whatever they were made from', async () => {
    const base = await engine.run(chain());
    const run = await engine.run(chain({ a: 'A', c: 'C' }), {
      selection: { mode: 'only', node: 'c' },
      baseRun: base.id,
    });
    expect(run.state).toBe('succeeded');
    expect(await engine.outputs(run.id, 'c')).toEqual({ value: 'a>b>C' });
    expect(executions.of(run.id)).toEqual({ c: 1 });
    expect(await origins(run.id)).toEqual({ a: ['reused', base.id], b: ['reused', base.id], c: ['executed', null] });
    expect(await engine.statuses(run.id)).toMatchObject({ d: 'skipped', side: 'skipped' });
  });

  it('only X without a base run executes its ancestors once', async () => {
    const run = await engine.run(chain(), { selection: { mode: 'only', node: 'b' } });
    expect(run.state).toBe('succeeded');
    expect(executions.of(run.id)).toEqual({ a: 1, b: 1 });
  });

  it('from X: X and what follows again, the rest from the base run', async () => {
    const base = await engine.run(chain());
    const run = await engine.run(chain(), { selection: { mode: 'from', node: 'b' }, baseRun: base.id });
    expect(run.state).toBe('succeeded');
    expect(await engine.outputs(run.id, 'd')).toEqual({ value: 'a>b>c>d' });
    expect(executions.of(run.id)).toEqual({ b: 1, c: 1, d: 1 });
    expect(await origins(run.id)).toMatchObject({ a: ['reused', base.id], side: ['reused', base.id] });
  });

  it('names the run that made a value, also when it is taken over twice', async () => {
    const first = await engine.run(chain());
    const second = await engine.run(chain(), { selection: { mode: 'from', node: 'd' }, baseRun: first.id });
    const third = await engine.run(chain(), { selection: { mode: 'from', node: 'd' }, baseRun: second.id });
    expect(executions.of(third.id)).toEqual({ d: 1 });
    expect(await origins(third.id)).toMatchObject({ a: ['reused', first.id], c: ['reused', first.id] });
  });

  it('can be retried like any other run', async () => {
    const base = await engine.run(chain());
    const document = documentOf(
      ['a', 'b', 'c'].map((id) => step(id, { say: id, ...(id === 'c' ? { fail: 1 } : {}) })),
      [
        ['a.value', 'b.value'],
        ['b.value', 'c.value'],
      ],
    );
    const run = await engine.run(document, { selection: { mode: 'only', node: 'c' }, baseRun: base.id });
    expect(run.state).toBe('failed');
    const after = await engine.retry(run.id, { targets: ['c'] });
    expect(after.state).toBe('succeeded');
    expect(executions.of(run.id)).toEqual({ c: 2 });
    expect(await engine.outputs(run.id, 'c')).toEqual({ value: 'a>b>c' });
  });

  it('refuses a node that is not there', async () => {
    await expect(engine.start(chain(), { selection: { mode: 'to', node: 'nowhere' } })).rejects.toMatchObject({
      code: 'input.invalid',
      place: { node: 'nowhere' },
    });
  });

  it('takes pinned values where it is told to, and only there', async () => {
    const pinned = documentOf(
      ['a', 'b'].map((id) => step(id)),
      [['a.value', 'b.value']],
      { id: 'pinned-document' },
    );
    const { hash, size } = await engine.store.artifacts.put(Buffer.from('"given"'));
    await engine.store.meta.setPin('pinned-document', 'a', { value: { hash, size } });
    const draft = await engine.run(pinned, { usePins: true });
    expect(await engine.outputs(draft.id, 'b')).toEqual({ value: 'given>b' });
    expect(executions.of(draft.id)).toEqual({ b: 1 });
    expect(await origins(draft.id)).toMatchObject({ a: ['pinned', null] });
    const real = await engine.run(pinned);
    expect(await engine.outputs(real.id, 'b')).toEqual({ value: 'a>b' });
    expect(executions.of(real.id)).toEqual({ a: 1, b: 1 });
  });
});
