import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { checkPackage } from './check-package.ts';
import { officeHere, thisMachine } from './this-machine.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'this-machine-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

it('sees files under their own paths, and what runs', async () => {
  const here = thisMachine();
  const file = join(folder, 'note.txt');
  await writeFile(file, 'done');
  expect(new TextDecoder().decode((await here.readFile(file)) ?? undefined)).toBe('done');
  expect(await here.listFiles(folder)).toEqual(['note.txt']);
  expect(await here.readFile(join(folder, 'gone'))).toBeNull();
  expect(await here.run?.(['sh', '-c', 'echo out; echo err >&2; exit 3'])).toEqual({ code: 3, output: 'out\nerr\n' });
  await expect(here.run?.(['no-such-program'])).rejects.toMatchObject({ code: 'tool.missing' });
});

it('scores a package, and gives none where it has no checks', async () => {
  const place = { reader: thisMachine(), office: officeHere, signal: new AbortController().signal };
  const rubric = join(folder, 'rubric.json');
  const where = { folder, rubric };
  await writeFile(
    rubric,
    JSON.stringify({
      criteria: [
        { id: 'note', text: 'The note.', weight: 0.6, must: true, judge: 'check', check: 'note', evidence: 'the file' },
        { id: 'tone', text: 'The tone.', weight: 0.4, must: false, judge: 'model', evidence: 'the file' },
      ],
    }),
  );
  await expect(checkPackage(where, place)).rejects.toMatchObject({ code: 'input.invalid' });
  await mkdir(join(folder, 'hidden'));
  const see = { look: 'file', path: join(folder, 'note.txt'), of: 'text' };
  const checks = (text: string) => ({ schema: 1, checks: [{ id: 'note', check: { see, expect: { equals: text } } }] });
  await writeFile(join(folder, 'hidden/checks.json'), JSON.stringify(checks('done')));
  expect(await checkPackage(where, place)).toMatchObject({ reward: 1, score: 1, open: ['tone'] });
  await writeFile(join(folder, 'hidden/checks.json'), JSON.stringify(checks('other')));
  const failed = await checkPackage(where, place);
  expect(failed).toMatchObject({ reward: 0, score: 0 });
  expect(failed.criteria[0]?.evidence).toEqual([expect.stringContaining('no: ')]);
});
