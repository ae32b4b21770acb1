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

const judge = (id: string, params: Record<string, unknown>, rounds?: number) => ({
  id,
  kind: 'test.judge',
  params,
  ...(rounds === undefined ? {} : { repair: { target: 'draft', rounds } }),
});

/** Node path → [round, attempt] as people see it. */
const positions = async (runId: string): Promise<Record<string, [number, number]>> =>
  Object.fromEntries(
    (await engine.store.meta.listNodeViews(runId)).map(({ key, round, attempt }) => [key, [round, attempt]]),
  );

const chain: [string, string][] = [
  ['idea.value', 'draft.value'],
  ['draft.value', 'polish.value'],
];

describe('gates', () => {
  it('send a node back with feedback; everything after it runs again in the next round', async () => {
    const run = await engine.run(
      documentOf(
        [step('idea'), step('draft'), step('polish'), judge('check', { wants: 'dates' }, 3), step('end')],
        [...chain, ['polish.value', 'check.value'], ['check.value', 'end.value']],
      ),
    );
    expect(run.state).toBe('succeeded');
    expect(await engine.outputs(run.id, 'end')).toEqual({ value: 'idea>draft(dates)>polish>end' });
    expect(executions.of(run.id)).toEqual({ idea: 1, draft: 2, polish: 2, end: 1 });
    expect(await positions(run.id)).toEqual({
      idea: [1, 1],
      draft: [2, 1],
      polish: [2, 1],
      check: [2, 1],
      end: [2, 1],
    });
    const verdicts = (await engine.store.meta.listOutcomes(run.id, { key: 'check' })).map(
      ({ verdict }) => verdict?.verdict,
    );
    expect(verdicts).toEqual(['repair', 'pass']);
  });

  it('ask for one repair together: all feedback arrives in one round', async () => {
    const run = await engine.run(
      documentOf(
        [
          step('idea'),
          step('draft'),
          step('polish'),
          judge('b-check', { wants: 'two' }, 2),
          judge('a-check', { wants: 'one' }, 2),
        ],
        [...chain, ['polish.value', 'b-check.value'], ['polish.value', 'a-check.value']],
      ),
    );
    expect(run.state).toBe('succeeded');
    expect(executions.of(run.id)).toEqual({ idea: 1, draft: 2, polish: 2 });
    expect(String((await engine.outputs(run.id, 'draft')).value)).toMatch(
      /^idea>draft(\(one\)\(two\)|\(two\)\(one\))$/,
    );
    expect(await engine.statuses(run.id)).toMatchObject({ 'a-check': 'succeeded', 'b-check': 'succeeded' });
  });

  it('give up after the rounds that were allowed', async () => {
    const run = await engine.run(
      documentOf(
        // Nothing of the draft gets through, so no repair helps.
        [step('idea'), step('draft'), step('polish', { bytes: 3 }), judge('check', { wants: 'dates' }, 2), step('end')],
        [...chain, ['polish.value', 'check.value'], ['check.value', 'end.value']],
      ),
    );
    expect(run.state).toBe('failed');
    expect(run.failure).toMatchObject({ code: 'gate.exhausted', place: { node: 'check' } });
    expect(run.failure?.message).toBe('Still not right after 2 repairs. contains: wants dates');
    expect(executions.of(run.id)).toEqual({ idea: 1, draft: 3, polish: 3 });
    expect(await positions(run.id)).toMatchObject({ draft: [3, 1], check: [3, 1] });
    const drafts = await engine.store.meta.listOutcomes(run.id, { key: 'draft' });
    expect(drafts.map(({ round, attempt }) => [round, attempt])).toEqual([
      [1, 1],
      [2, 1],
      [3, 1],
    ]);
    expect(await engine.outputs(run.id, 'draft')).toEqual({ value: 'idea>draft(dates)(dates)' });
  });

  it('that reject beat those that ask for a repair: nothing runs again', async () => {
    const run = await engine.run(
      documentOf(
        [
          step('idea'),
          step('draft'),
          step('polish'),
          judge('mends', { wants: 'one' }, 2),
          judge('rejects', { wants: 'two', reject: true }, 2),
        ],
        [...chain, ['polish.value', 'mends.value'], ['polish.value', 'rejects.value']],
      ),
    );
    expect(run.state).toBe('failed');
    const failures = Object.fromEntries(
      (await engine.store.meta.listNodeViews(run.id)).map(({ key, failure }) => [key, failure]),
    );
    expect(failures.rejects).toMatchObject({ code: 'gate.rejected', message: 'Rejected. contains: wants two' });
    expect(failures.mends).toMatchObject({
      code: 'gate.rejected',
      message: expect.stringContaining("'rejects' rejected"),
    });
    expect(executions.of(run.id)).toEqual({ idea: 1, draft: 1, polish: 1 });
  });

  it('do not wait for gates that have not begun to judge', async () => {
    const run = await engine.run(
      documentOf(
        [
          step('idea'),
          step('draft'),
          step('polish'),
          judge('mends', { wants: 'one' }, 2),
          step('slow', { milliseconds: 400 }),
          judge('rejects', { wants: 'two', reject: true }, 2),
        ],
        [...chain, ['polish.value', 'mends.value'], ['polish.value', 'slow.value'], ['slow.value', 'rejects.value']],
      ),
    );
    expect(run.failure).toMatchObject({ code: 'gate.rejected', place: { node: 'rejects' } });
    expect(await engine.statuses(run.id)).toMatchObject({ mends: 'succeeded', rejects: 'failed' });
    expect(executions.of(run.id)).toMatchObject({ idea: 1, draft: 2, polish: 2 });
  });

  it('fail where a repair is wanted and no target is named', async () => {
    const run = await engine.run(
      documentOf([step('draft'), judge('check', { wants: 'dates' })], [['draft.value', 'check.value']]),
    );
    expect(run.failure).toMatchObject({ code: 'gate.rejected', fix: expect.stringContaining('repair target') });
    expect(executions.of(run.id)).toEqual({ draft: 1 });
  });

  it('work inside a subgraph as at the top', async () => {
    const run = await engine.run(
      documentOf([{ id: 'sub', kind: 'flow.subgraph', params: { graph: 'body' } }], [], {
        graphs: {
          body: {
            nodes: [step('draft'), judge('check', { wants: 'dates' }, 1)].map((node) => ({ version: 1, ...node })),
            edges: [{ from: 'draft.value', to: 'check.value' }],
            outputs: { value: 'check.value' },
          },
        },
        outputs: { result: 'sub.value' },
      }),
    );
    expect(run.state).toBe('succeeded');
    expect(await engine.outputs(run.id, 'sub/check')).toMatchObject({ value: 'draft(dates)' });
    expect(executions.of(run.id)).toEqual({ 'sub/draft': 2 });
  });

  it('of an exhausted gate can be tried again by a person after an edit of what it judges', async () => {
    const run = await engine.run(
      documentOf(
        [step('draft', { bytes: 3 }), judge('check', { wants: 'dates' }, 1)],
        [['draft.value', 'check.value']],
      ),
      { mode: 'interactive' },
    );
    expect(run.failure?.code).toBe('gate.exhausted');
    const mended = await engine.retry(run.id, {
      targets: ['draft'],
      edits: { draft: { params: { say: 'with dates' } } },
    });
    expect(mended.state).toBe('succeeded');
    expect(executions.of(run.id)).toEqual({ draft: 3 });
  });
});
