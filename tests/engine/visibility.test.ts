import { startBatch } from '@cua-forge/server/batches/start-batch';
import { approveNode } from '@cua-forge/server/runs/approve-node';
import { sha256 } from '@cua-forge/store/hash';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { z } from 'zod';
import type { Engine } from '../support/engine-fixture.ts';
import { startEngine } from '../support/engine-fixture.ts';
import type { NodeOf } from '../support/test-kinds.ts';
import { documentOf, Executions, step, testKinds } from '../support/test-kinds.ts';

let engine: Engine;
beforeAll(async () => {
  engine = await startEngine({ kinds: testKinds(new Executions()) });
});
afterAll(() => engine.stop());

async function found(query: string): Promise<string[]> {
  const ids: string[] = [];
  for await (const { workflowId } of engine.client.workflow.list({ query })) ids.push(workflowId);
  return ids.sort();
}
const summaries = async (workflowId: string): Promise<string[]> => {
  const { events } = await engine.client.workflow.getHandle(workflowId).fetchHistory();
  return (events ?? []).flatMap(({ userMetadata }) =>
    userMetadata?.summary?.data ? [String(JSON.parse(Buffer.from(userMetadata.summary.data).toString()))] : [],
  );
};

const watched = (skill: string, nodes: NodeOf[] = [], edges: [string, string][] = []) =>
  documentOf(
    [
      { ...step('a'), title: 'Write the draft' },
      { id: 'list', kind: 'data.transform', params: { expression: '[1..3]' }, title: 'List the files' },
      { id: 'each', kind: 'flow.map', params: { graph: 'item' }, title: 'Every file' },
      ...nodes,
    ],
    [['list.value', 'each.items'], ...edges],
    {
      skill,
      graphs: {
        item: {
          inputs: { item: { type: 'any' } },
          nodes: [{ version: 1, ...step('x') }],
          edges: [{ from: '$inputs.item', to: 'x.value' }],
          outputs: { text: 'x.value' },
        },
      },
    },
  );

describe('what people see in Temporal', () => {
  it('finds runs and their slices by skill, workflow, version and state', async () => {
    const run = await engine.run(watched('sheet-sums'));
    const { workflowId, documentHash } = run;
    const slice = `${workflowId}/each/`;
    await expect
      .poll(() => found('ForgeSkill = "sheet-sums"'), { timeout: 15_000 })
      .toEqual([workflowId, expect.stringContaining(slice)]);
    expect(await found('ForgeSkill = "sheet-sums" AND WorkflowType = "runGraph" AND ForgeState = "succeeded"')).toEqual(
      [workflowId],
    );
    expect(await found(`ForgeVersion = "${documentHash.slice(0, 12)}" AND WorkflowType = "runGraph"`)).toEqual([
      workflowId,
    ]);
    expect(await found('ForgeWorkflow = "test-document" AND WorkflowType = "runItems"')).toEqual([
      expect.stringContaining(slice),
    ]);
    expect(await found('ForgeSkill = "other"')).toEqual([]);
  });

  it('names runs, slices and activities as the document does', async () => {
    const run = await engine.run(watched('titles'));
    const description = await engine.client.workflow.getHandle(run.workflowId).describe();
    expect(await description.staticSummary()).toBe('Test');
    const all = await summaries(run.workflowId);
    expect(all).toContain('Write the draft (a)');
    expect(all.some((text) => text.includes('List the files'))).toBe(true);
    expect(all).toContain('each: items 0–2');
  });

  it('tells how far an open run has come', async () => {
    const asking = { id: 'ask', kind: 'flow.approval', params: { message: 'Well?' } };
    const run = await engine.start(watched('details', [asking], [['a.value', 'ask.value']]));
    const details = async () => {
      const metadata = await engine.client.workflow.getHandle(run.workflowId).query('__temporal_workflow_metadata');
      return z.object({ currentDetails: z.string().default('') }).parse(metadata).currentDetails;
    };
    await expect.poll(details, { timeout: 15_000 }).toMatch(/3 succeeded.*1 awaiting|1 awaiting.*3 succeeded/);
    await approveNode(engine.services, run.id, { key: 'ask', decision: 'approve', by: 'Ann', note: '' });
    expect((await engine.settled(run.id)).state).toBe('succeeded');
  });

  it('finds the runs of a batch, and those that failed', async () => {
    const source = stringify(documentOf([step('a', { fail: -1 })], [], { id: 'visible-batch', skill: 'batch-skill' }));
    await engine.store.meta.saveDocument('visible-batch', 'Test', source, sha256(source), null, Date.now());
    const batch = await startBatch(engine.services, {
      documentId: 'visible-batch',
      count: 2,
      seed: 7,
      inputs: {},
      window: 2,
    });
    const runs = [`run/${batch.id}-0`, `run/${batch.id}-1`];
    await expect
      .poll(() => found(`ForgeBatch = "${batch.id}" AND ForgeState = "failed"`), { timeout: 15_000 })
      .toEqual(runs);
    expect(await found(`ForgeBatch = "${batch.id}"`)).toEqual([batch.workflowId, ...runs].sort());
    const described = await engine.client.workflow.getHandle(runs[0] ?? '').describe();
    expect(await described.staticSummary()).toBe('Test, seed 7');
  });
});
