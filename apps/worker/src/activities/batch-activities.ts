import type { EngineActivities } from '@cua-forge/spec/engine';
import { OpenBatchRun, openingOf, ReportBatch, runWorkflowId } from '@cua-forge/spec/engine';
import { ForgeError } from '@cua-forge/spec/errors';
import type { RunRecord, Store } from '@cua-forge/spec/store-port';
import type { RunFacts } from '../executor/run-facts.ts';

export function batchActivities(store: Store, facts: RunFacts): Pick<EngineActivities, 'openBatchRun' | 'reportBatch'> {
  return {
    async openBatchRun(raw) {
      const { batchId, index } = OpenBatchRun.parse(raw);
      const batch = await store.meta.getBatch(batchId);
      if (!batch)
        throw new ForgeError('not-found', `The store has no batch '${batchId}'.`, {
          fix: 'Server and worker must use the same store.',
        });
      if (batch.state === 'queued') await store.meta.updateBatch(batchId, { state: 'running' });
      const runId = `${batchId}-${index}`;
      const seed = batch.seed + index;
      const title = `${batch.title}, seed ${seed}`;
      const run: RunRecord = {
        id: runId,
        documentId: batch.documentId,
        documentHash: batch.documentHash,
        planHash: batch.planHash,
        title,
        skill: batch.skill,
        seed,
        mode: 'batch',
        batchId,
        baseRun: null,
        selection: { mode: 'all' },
        inputs: batch.inputs,
        edits: {},
        state: 'queued',
        failure: null,
        outputs: {},
        epoch: 1,
        workflowId: runWorkflowId(runId),
        createdAt: Date.now(),
        startedAt: null,
        endedAt: null,
      };
      await store.meta.createRun(run);
      const opening = openingOf(run, await facts.plan(run.planHash));
      return { runId, title, ...(opening ? { opening } : {}) };
    },

    async reportBatch(raw) {
      const { batchId, state, done, count } = ReportBatch.parse(raw);
      await store.meta.updateBatch(batchId, { state, endedAt: Date.now() });
      await store.meta.addEvents([
        { runId: batchId, type: 'batch', data: { state, done, count }, at: Date.now(), dedupe: `batch-${state}` },
      ]);
    },
  };
}
