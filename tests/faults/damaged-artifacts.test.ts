import { readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { GraphDocument } from '@cua-forge/spec/document';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { outputsOf, runIn } from '../support/run-watch.ts';
import { eventually, type RunningServices, startServices } from '../support/services.ts';
import { documentOf } from '../support/test-kinds.ts';

/** Makes a value that is stored as a file, lets a person look at it, and uses it. */
function documentWith(word: string, approval: boolean): GraphDocument {
  const inputs = { text: 'text' };
  return GraphDocument.parse(
    documentOf(
      [
        { id: 'make', kind: 'data.transform', params: { expression: `$join([1..5000].("${word} " & $), ",")` } },
        ...(approval ? [{ id: 'look', kind: 'flow.approval', params: { message: 'All right?' } }] : []),
        { id: 'use', kind: 'data.transform', params: { expression: '$length(text)', inputs } },
      ],
      approval
        ? [
            ['make.value', 'look.value'],
            ['look.approved', 'use.text'],
          ]
        : [['make.value', 'use.text']],
      { outputs: { length: 'use.value' } },
    ),
  );
}

const damages: Record<string, (file: string) => Promise<void>> = {
  truncated: (file) => truncate(file, 1_000),
  altered: async (file) => {
    const bytes = await readFile(file);
    bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1;
    await writeFile(file, bytes);
  },
  lost: (file) => rm(file),
};

describe('an artifact that is damaged on disk', () => {
  let services: RunningServices;
  const runs: Record<string, { id: string; hash: string }> = {};

  const hashOf = async (id: string): Promise<string> => {
    const { outcomes } = await services.api.node(id, { key: 'make' });
    return outcomes[0]?.outputs.value?.hash ?? '';
  };
  const fileOf = (hash: string) => join(services.store, 'artifacts', hash.slice(0, 2), hash);
  const approve = (id: string) => services.api.approve(id, { key: 'look', decision: 'approve' });
  const waitsForApproval = (id: string) =>
    eventually('the approval is open', async () =>
      (await services.api.run(id)).nodes.some(({ key, status }) => key === 'look' && status === 'awaiting'),
    );

  beforeAll(async () => {
    services = await startServices();
    for (const word of Object.keys(damages)) {
      const { id } = await services.api.startRun({ document: documentWith(word, true) });
      await waitsForApproval(id);
      runs[word] = { id, hash: await hashOf(id) };
    }
    const memo = await runIn(services.api, (await services.api.startRun({ document: documentWith('memo', false) })).id);
    runs.memo = { id: memo.id, hash: await hashOf(memo.id) };
    // What the worker holds in memory is whole.
    await services.end('worker');
    for (const [word, damage] of Object.entries({ ...damages, memo: damages.altered })) {
      await damage?.(fileOf(runs[word]?.hash ?? ''));
    }
    await services.restart('worker');
  });
  afterAll(() => services.stop());

  it.each(Object.keys(damages))(
    '(%s) fails the node that reads it, by name, and its producer heals it',
    async (word) => {
      const { id = '', hash = '' } = runs[word] ?? {};
      const code = word === 'lost' ? 'artifact.missing' : 'artifact.corrupt';
      await approve(id);
      const failed = await runIn(services.api, id);
      expect(failed).toMatchObject({
        state: 'needs-attention',
        failure: {
          code,
          message: expect.stringContaining(hash),
          fix: expect.stringMatching(/run the node that makes it again/i),
          place: { node: 'use', port: 'text' },
        },
      });
      await expect(services.api.value(hash)).rejects.toMatchObject({ code });

      expect(await services.api.retryRun(id, { targets: ['make'] })).toMatchObject({ reopened: false });
      await waitsForApproval(id);
      await approve(id);
      const healed = await runIn(services.api, id, ['succeeded']);
      expect(await outputsOf(services.api, healed)).toEqual({ length: (await readFile(fileOf(hash))).length - 2 });
      const { outcomes } = await services.api.node(id, { key: 'make' });
      expect(outcomes.map(({ origin }) => origin)).toEqual(['executed', 'executed']);
    },
  );

  it('answers nothing from memory: the node runs again, and the next time it is a hit', async () => {
    const origins: (string | undefined)[] = [];
    for (let time = 0; time < 2; time += 1) {
      const { id } = await services.api.startRun({ document: documentWith('memo', false), seed: 2 + time });
      expect(await runIn(services.api, id)).toMatchObject({ state: 'succeeded' });
      origins.push((await services.api.node(id, { key: 'make' })).outcomes[0]?.origin);
    }
    expect(origins).toEqual(['executed', 'memo']);
  });
});
