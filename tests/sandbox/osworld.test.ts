import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { reportOsworld } from '@cua-forge/checks/osworld/import-report';
import { readOsworldSource } from '@cua-forge/checks/osworld/read-source';
import { OsworldSolutions, runOsworldTask } from '@cua-forge/desktop/osworld-run';
import { noOffice } from '@cua-forge/testing/execute-context';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { type Desks, prepareDesks } from './prepare.ts';

const fixtures = join(import.meta.dirname, '../fixtures/osworld');
const shared = join(import.meta.dirname, '../../../shared/data/osworld');
const solutions = OsworldSolutions.parse(parse(readFileSync(join(fixtures, 'solutions.yaml'), 'utf8')));

let desks: Desks;
beforeAll(async () => {
  desks = await prepareDesks();
}, 1_500_000);
afterAll(() => desks?.stop(), 120_000);

async function run(source: string, id: string, solved = true) {
  const task = reportOsworld(await readOsworldSource(source)).tasks.find((one) => one.id === id);
  if (task === undefined) throw new Error(`no task ${id}`);
  return runOsworldTask(task, solved ? solutions[id] : undefined, {
    missing: async (target) => (target === 'minimal' ? null : 'not in this test'),
    async use(target, work) {
      const sandbox = await desks.docker.start({ target, lease: 'OSWorld test' });
      try {
        return await work(sandbox);
      } finally {
        await sandbox.close();
      }
    },
    office: noOffice,
    signal: new AbortController().signal,
  });
}

describe('tasks in OSWorld’s form', () => {
  it('score 0 untouched and 1 with a solution', async () => {
    const own = join(fixtures, 'own.jsonl');
    for (const id of ['own-notes', 'own-banners'])
      expect(await run(own, id), id).toMatchObject({ why: null, untouched: 0, solved: 1 });
    expect(await run(own, 'own-notes', false)).toMatchObject({ untouched: 0, solved: null });
  });

  it('whose setup has no counterpart are not run, with the reason', async () => {
    expect(await run(join(fixtures, 'own.jsonl'), 'own-drive')).toMatchObject({
      why: 'setup step googledrive: it needs an account of another service',
      untouched: null,
    });
  });

  it.skipIf(!existsSync(shared))('of the data set itself (when the shared data lies beside the project)', async () => {
    for (const id of ['f9be0997-4b7c-45c5-b05c-4612b44a6118', 'a4d98375-215b-4a4d-aee9-3d4370fccc41'])
      expect(await run(shared, id), id).toMatchObject({ why: null, untouched: 0, solved: 1 });
  });
});
