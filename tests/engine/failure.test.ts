import { defineKind, output, policies } from '@cua-forge/spec/kind';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Engine } from '../support/engine-fixture.ts';
import { startEngine } from '../support/engine-fixture.ts';
import { documentOf, Executions, step, testKinds } from '../support/test-kinds.ts';

/** Gives back what no JSON text can hold. */
const unwritable = defineKind({
  id: 'test.unwritable',
  version: 1,
  title: 'Unwritable',
  doc: 'Returns a big integer.',
  params: z.strictObject({}),
  inputs: {},
  outputs: { value: output('any', z.unknown(), 'No JSON.') },
  policy: { ...policies.pure, cacheable: false, attempts: 3, backoffMs: 20 },
  example: { params: {}, inputs: {} },
  async execute({ context }) {
    executions.count(`${context.runId}/${context.key}`);
    return { value: 12n };
  },
});

const executions = new Executions();
let engine: Engine;
beforeAll(async () => {
  engine = await startEngine({ kinds: [...testKinds(executions), unwritable] });
});
afterAll(() => engine.stop());

const attemptsStarted = async (workflowId: string): Promise<number[]> => {
  const { events } = await engine.client.workflow.getHandle(workflowId).fetchHistory();
  return (events ?? []).flatMap((event) => event.activityTaskStartedEventAttributes?.attempt ?? []);
};

describe('failure policy', () => {
  it('repeats a transient failure under the same token until it succeeds', async () => {
    const run = await engine.run(documentOf([step('a', { fail: 2, code: 'model.unavailable' })], []));
    expect(run.state).toBe('succeeded');
    expect(executions.of(run.id)).toEqual({ a: 3 });
    expect(await attemptsStarted(run.workflowId)).toEqual([3]);
    const outcomes = await engine.store.meta.listOutcomes(run.id);
    expect(outcomes.map(({ key, token, attempt, status }) => ({ key, token, attempt, status }))).toEqual([
      { key: 'a', token: 1, attempt: 1, status: 'succeeded' },
    ]);
  });

  it('gives up after the attempts of the policy and keeps the last failure', async () => {
    const run = await engine.run(documentOf([step('a', { fail: -1, code: 'model.unavailable' })], []));
    expect(run.state).toBe('failed');
    expect(run.failure).toMatchObject({
      code: 'model.unavailable',
      message: 'planned failure 3',
      place: { node: 'a' },
    });
    expect(executions.of(run.id)).toEqual({ a: 3 });
  });

  it('takes a lasting failure at once, lets independent branches end and closes a batch run', async () => {
    const nodes = [
      step('a'),
      step('bad', { fail: -1 }),
      step('after'),
      step('side', { milliseconds: 300 }),
      step('end'),
    ];
    const edges: [string, string][] = [
      ['a.value', 'bad.value'],
      ['bad.value', 'after.value'],
      ['a.value', 'side.value'],
      ['side.value', 'end.value'],
    ];
    const run = await engine.run(documentOf(nodes, edges));
    expect(run.state).toBe('failed');
    expect(run.failure).toMatchObject({ code: 'node.failed', place: { node: 'bad' }, fix: 'None needed.' });
    expect(executions.of(run.id)).toEqual({ a: 1, bad: 1, side: 1, end: 1 });
    // 'after' has never left its first state, so nothing was reported of it.
    expect(await engine.statuses(run.id)).toEqual({
      a: 'succeeded',
      bad: 'failed',
      side: 'succeeded',
      end: 'succeeded',
    });
    expect(run.endedAt).not.toBeNull();
  });

  it('leaves an interactive run open for somebody to mend', async () => {
    const run = await engine.run(documentOf([step('bad', { fail: 1 })], []), { mode: 'interactive' });
    expect(run.state).toBe('needs-attention');
    expect(run.failure?.code).toBe('node.failed');
    expect(run.endedAt).toBeNull();
    expect((await engine.services.engine.describe(run.workflowId)).status).toBe('open');
    const mended = await engine.retry(run.id, { targets: ['bad'] });
    expect(mended.state).toBe('succeeded');
    expect(mended.failure).toBeNull();
    expect(mended.epoch).toBe(1);
    expect(executions.of(run.id)).toEqual({ bad: 2 });
  });

  it('fails a region member alone: what does not depend on it still runs', async () => {
    const cheap = (id: string, params = {}) => step(id, params, 'test.cheap');
    const run = await engine.run(
      documentOf(
        [cheap('a'), cheap('bad', { fail: -1 }), cheap('after'), cheap('side')],
        [
          ['a.value', 'bad.value'],
          ['bad.value', 'after.value'],
          ['a.value', 'side.value'],
        ],
      ),
    );
    expect(run.state).toBe('failed');
    expect(executions.of(run.id)).toEqual({ a: 1, bad: 1, side: 1 });
    expect(await engine.statuses(run.id)).toEqual({
      a: 'succeeded',
      bad: 'failed',
      after: 'waiting',
      side: 'succeeded',
    });
  });

  it('repeats a transient failure of a region member; the members before it keep their outcomes', async () => {
    const cheap = (id: string, params = {}) => step(id, params, 'test.cheap');
    const run = await engine.run(
      documentOf(
        [cheap('a'), cheap('b', { fail: 2, code: 'model.unavailable' }), cheap('c')],
        [
          ['a.value', 'b.value'],
          ['b.value', 'c.value'],
        ],
      ),
    );
    expect(run.state).toBe('succeeded');
    expect(executions.of(run.id)).toEqual({ a: 1, b: 3, c: 1 });
    expect(await engine.outputs(run.id, 'c')).toEqual({ value: 'a>b>c' });
  });
});

describe('results', () => {
  it('carries 3 MB from node to node by reference', async () => {
    const run = await engine.run(
      documentOf(
        [step('big', { bytes: 3_000_000 }), step('b'), step('c')],
        [
          ['big.value', 'b.value'],
          ['b.value', 'c.value'],
        ],
      ),
    );
    expect(run.state).toBe('succeeded');
    expect(String((await engine.outputs(run.id, 'c')).value).length).toBe(3_000_000 + '>b>c'.length);
    const history = await engine.client.workflow.getHandle(run.workflowId).fetchHistory();
    expect(JSON.stringify(history).length).toBeLessThan(100_000);
  });

  it('refuses 20 MB once, and says what to do', async () => {
    const run = await engine.run(documentOf([step('huge', { bytes: 20_000_000 })], []));
    expect(run.failure).toMatchObject({ code: 'node.output-too-large', place: { node: 'huge', port: 'value' } });
    expect(run.failure?.message).toMatch(/19\.1 MB.*16 MB/);
    expect(run.failure?.fix).toMatch(/file/);
    expect(executions.of(run.id)).toEqual({ huge: 1 });
    expect(await attemptsStarted(run.workflowId)).toEqual([1]);
  });

  it('refuses what is not JSON once', async () => {
    const run = await engine.run(documentOf([{ id: 'odd', kind: 'test.unwritable' }], []));
    expect(run.failure).toMatchObject({ code: 'node.output-invalid', place: { node: 'odd', port: 'value' } });
    expect(executions.of(run.id)).toEqual({ odd: 1 });
  });
});
