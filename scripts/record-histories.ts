import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startBatch } from '@cua-forge/server/batches/start-batch';
import { approveNode } from '@cua-forge/server/runs/approve-node';
import { cancelRun } from '@cua-forge/server/runs/cancel-run';
import { sha256 } from '@cua-forge/store/hash';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import { stringify } from 'yaml';
import type { Engine } from '../tests/support/engine-fixture.ts';
import { startEngine } from '../tests/support/engine-fixture.ts';
import { documentOf, Executions, step, testKinds } from '../tests/support/test-kinds.ts';

/** Plays representative runs on a Temporal server of its own and keeps their histories; the tests replay them against the workflows of today. */
const folder = join(import.meta.dirname, '../workflows/histories');
const LARGEST = 300_000;

const chain = (ids: readonly string[]): [string, string][] =>
  ids.slice(1).map((id, index) => [`${ids[index]}.value`, `${id}.value`]);
const bodyOf = (input: string) => ({
  inputs: { [input]: { type: 'any' } },
  nodes: [step('x'), step('y')].map((node) => ({ version: 1, ...node })),
  edges: [
    { from: `$inputs.${input}`, to: 'x.value' },
    { from: 'x.value', to: 'y.value' },
  ],
  outputs: { value: 'y.value' },
});
const ask = { id: 'ask', kind: 'flow.approval', params: { message: 'Well?', timeoutMs: 60_000 } };

async function reached(engine: Engine, runId: string, key: string, status: string): Promise<void> {
  for (const until = Date.now() + 30_000; Date.now() < until; await sleep(50)) {
    if ((await engine.statuses(runId))[key] === status) return;
  }
  throw new Error(`'${key}' of run ${runId} has not become ${status}`);
}

/** Name of the recording → plays it and answers with the ids of the workflows to keep. */
const ordinary: Record<string, (engine: Engine) => Promise<string[]>> = {
  async straight(engine) {
    const ids = ['a', 'b', 'c'];
    return [
      (
        await engine.run(
          documentOf(
            ids.map((id) => step(id)),
            chain(ids),
          ),
        )
      ).workflowId,
    ];
  },
  async region(engine) {
    const nodes = ['a', 'b', 'c', 'd'].map((id) => step(id, {}, 'test.cheap'));
    const edges: [string, string][] = [...chain(['a', 'b', 'd']), ['a.value', 'c.value'], ['c.value', 'd.more']];
    return [(await engine.run(documentOf(nodes, edges))).workflowId];
  },
  async map(engine) {
    const run = await engine.run(
      documentOf(
        [
          { id: 'list', kind: 'data.transform', params: { expression: '[1..5]' } },
          { id: 'each', kind: 'flow.map', params: { graph: 'item', window: 4, slice: 2 } },
        ],
        [['list.value', 'each.items']],
        { graphs: { item: bodyOf('item') } },
      ),
    );
    const ids = [run.workflowId];
    for await (const { workflowId } of engine.client.workflow.list({ query: 'WorkflowType = "runItems"' })) {
      if (workflowId.startsWith(`${run.workflowId}/each/`)) ids.push(workflowId);
    }
    return ids.slice(0, 2);
  },
  async repair(engine) {
    const judge = {
      id: 'check',
      kind: 'test.judge',
      params: { wants: 'dates' },
      repair: { target: 'draft', rounds: 2 },
    };
    const ids = ['draft', 'polish', 'check', 'end'];
    const run = await engine.run(documentOf([step('draft'), step('polish'), judge, step('end')], chain(ids)));
    return [run.workflowId];
  },
  async composites(engine) {
    const run = await engine.run(
      documentOf(
        [
          step('a'),
          { id: 'sub', kind: 'flow.subgraph', params: { graph: 'body' } },
          {
            id: 'loop',
            kind: 'flow.repeat',
            params: { graph: 'body', maxRounds: 3, until: "$contains(value, 'y>x>y>x')" },
          },
          { id: 'pause', kind: 'flow.delay', params: { milliseconds: 100 } },
          step('bad', { fail: -1 }),
          step('rescue'),
        ],
        [...chain(['a', 'sub', 'loop', 'pause', 'bad']), ['bad.error', 'rescue.value']],
        { graphs: { body: bodyOf('value') } },
      ),
    );
    return [run.workflowId];
  },
  async approval(engine) {
    const run = await engine.start(
      documentOf(
        [step('a'), ask, step('b')],
        [
          ['a.value', 'ask.value'],
          ['ask.approved', 'b.value'],
        ],
      ),
    );
    await reached(engine, run.id, 'ask', 'awaiting');
    await approveNode(engine.services, run.id, { key: 'ask', decision: 'approve', by: 'Ann', note: '' });
    return [(await engine.settled(run.id)).workflowId];
  },
  async retry(engine) {
    const ids = ['a', 'b', 'c'];
    const run = await engine.run(
      documentOf(
        ids.map((id) => step(id, id === 'b' ? { fail: 1 } : {})),
        chain(ids),
      ),
      { mode: 'interactive' },
    );
    await engine.retry(run.id, { targets: ['b'], edits: { b: { params: { say: 'B' } } } });
    return [run.workflowId];
  },
  async reopened(engine) {
    const ids = ['a', 'b', 'c'];
    const run = await engine.run(
      documentOf(
        ids.map((id) => step(id, id === 'b' ? { fail: 1 } : {})),
        chain(ids),
      ),
    );
    await engine.retry(run.id, { targets: ['b'] });
    return [run.workflowId];
  },
  async cancelled(engine) {
    const run = await engine.start(
      documentOf(
        [step('a'), step('b', { milliseconds: 60_000 }), ask, step('c')],
        [
          ['a.value', 'b.value'],
          ['a.value', 'ask.value'],
          ['b.value', 'c.value'],
        ],
      ),
    );
    await reached(engine, run.id, 'b', 'running');
    await reached(engine, run.id, 'ask', 'awaiting');
    await cancelRun(engine.services, run.id);
    return [(await engine.settled(run.id)).workflowId];
  },
  async batch(engine) {
    const source = stringify(documentOf([step('a'), step('b')], [['a.value', 'b.value']], { id: 'batch' }));
    await engine.store.meta.saveDocument('batch', 'Batch', source, sha256(source), null, Date.now());
    const batch = await startBatch(engine.services, { documentId: 'batch', count: 5, seed: 1, inputs: {}, window: 2 });
    for (const until = Date.now() + 30_000; Date.now() < until; await sleep(50)) {
      if ((await engine.store.meta.getBatch(batch.id))?.state === 'succeeded') return [batch.workflowId];
    }
    throw new Error(`batch ${batch.id} has not ended`);
  },
  /** The workflow that drives three runs of a batch, one of which repeats a node, and the batch. */
  async hosted(engine) {
    const nodes = [step('a', {}, 'test.cheap'), step('b', { fail: 1, code: 'model.unavailable' }, 'test.cheap')];
    const source = stringify(documentOf(nodes, chain(['a', 'b']), { id: 'hosted' }));
    await engine.store.meta.saveDocument('hosted', 'Hosted', source, sha256(source), null, Date.now());
    const batch = await startBatch(engine.services, { documentId: 'hosted', count: 5, seed: 1, inputs: {}, window: 3 });
    for (const until = Date.now() + 30_000; Date.now() < until; await sleep(50)) {
      if ((await engine.store.meta.getBatch(batch.id))?.state !== 'succeeded') continue;
      const [first] = (await engine.store.meta.listRuns({ batchId: batch.id, limit: 5 })).reverse();
      if (first) return [first.workflowId, batch.workflowId];
    }
    throw new Error(`batch ${batch.id} has not ended`);
  },
};

/** On a server that suggests a new history after a few events. */
const brief: typeof ordinary = {
  async 'continue-as-new'(engine) {
    const ids = Array.from({ length: 10 }, (_, index) => `n${index}`);
    const run = await engine.start(
      documentOf([...ids.map((id) => step(id)), ask], [...chain(ids), ['n0.value', 'ask.value']]),
    );
    await reached(engine, run.id, 'n9', 'succeeded');
    await approveNode(engine.services, run.id, { key: 'ask', decision: 'approve', by: 'Ann', note: '' });
    return [(await engine.settled(run.id)).workflowId];
  },
};

/** Process and machine that carried it out differ each time and are nobody's business. */
const withoutHosts = (text: string): string =>
  JSON.stringify(
    JSON.parse(text, (_, value: unknown) =>
      typeof value === 'string' && /^\d+@\S+$/.test(value) ? 'recorder' : value,
    ),
  );

/** Every execution of a workflow id, oldest first, each a file `<name>-<number>.json`. */
async function keep(engine: Engine, name: string, workflowIds: readonly string[]): Promise<void> {
  let number = 0;
  for (const workflowId of workflowIds) {
    const executions: { runId: string; at: number }[] = [];
    // The index that is listed lags a moment behind.
    await sleep(1_500);
    for await (const { runId, startTime } of engine.client.workflow.list({ query: `WorkflowId = "${workflowId}"` })) {
      executions.push({ runId, at: startTime.getTime() });
    }
    for (const { runId } of executions.sort((a, b) => a.at - b.at)) {
      const history = await engine.client.workflow.getHandle(workflowId, runId).fetchHistory();
      const text = `{"workflowId":${JSON.stringify(workflowId)},"history":${withoutHosts(historyToJSON(history))}}\n`;
      if (text.length > LARGEST)
        throw new Error(`${name} has ${text.length} bytes; ${LARGEST} is the most that is kept`);
      const file = join(folder, `${name}-${++number}.json`);
      await writeFile(`${file}.tmp`, text);
      await rename(`${file}.tmp`, file);
      process.stdout.write(`${name}-${number}: ${(text.length / 1_000).toFixed(0)} kB\n`);
    }
  }
}

/** Scenes named on the command line; all without. Those of `former-…` are of earlier versions of the workflows and stay. */
const wanted = process.argv.slice(2);
const isWanted = (name: string): boolean => wanted.length === 0 || wanted.includes(name);

await mkdir(folder, { recursive: true });
for (const file of await readdir(folder)) {
  const name = file.replace(/-\d+\.json$/, '');
  if (!name.startsWith('former-') && isWanted(name)) await rm(join(folder, file));
}
for (const [scenes, suggestedHistory] of [
  [ordinary, null],
  [brief, 30],
] as const) {
  if (!Object.keys(scenes).some(isWanted)) continue;
  const engine = await startEngine({
    kinds: testKinds(new Executions()),
    ...(suggestedHistory === null ? {} : { suggestedHistory }),
  });
  try {
    for (const [name, play] of Object.entries(scenes)) {
      if (isWanted(name)) await keep(engine, name, await play(engine));
    }
  } finally {
    await engine.stop();
  }
}
process.exit(0);
