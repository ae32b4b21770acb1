import { createHash } from 'node:crypto';
import { memoryReader } from '@cua-forge/checks/file-readers';
import type { HomeFile, KeptFiles } from '@cua-forge/proof/desk/home-files';
import { compiledMusts, judgeOf, withFiles } from '@cua-forge/proof/judge';
import { equalSolutionsStep } from '@cua-forge/proof/steps/equal-solutions';
import { partsStep } from '@cua-forge/proof/steps/parts';
import { sensitivityStep } from '@cua-forge/proof/steps/sensitivity';
import { visibleStep } from '@cua-forge/proof/steps/visible';
import { readSubject } from '@cua-forge/proof/subject';
import { targetsOf } from '@cua-forge/proof/targets';
import { buildTask, sampleTask, type TaskDraft } from '@cua-forge/proof/testing/sample-task';
import type { ProofLine } from '@cua-forge/spec/proof';
import { noOffice } from '@cua-forge/testing/execute-context';
import { describe, expect, it } from 'vitest';
import { faults } from './faults.ts';
import { goodPackages } from './good-packages.ts';
import { finishedFile } from './plant.ts';

const signal = new AbortController().signal;

/** Files as a setup leaves them that places what the draft has. */
function keptOf({ files }: TaskDraft): KeptFiles {
  const entry = (path: string, bytes: Uint8Array): HomeFile => ({
    path,
    size: bytes.length,
    mode: 0o644,
    uid: 1000,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    link: false,
  });
  return { files: new Map([...files].map(([path, bytes]) => [path, entry(path, bytes)])), bytes: files };
}

/** The first step that fails, of those that need no desktop: the solution is the finished file as the preparer writes it. */
async function failedStep(draft: TaskDraft, finished: Uint8Array, path: string): Promise<string | null> {
  const built = buildTask(draft);
  const subject = await readSubject(built.package, built.read);
  const failed = (lines: readonly ProofLine[]) => lines.some(({ ok }) => !ok);
  if (failed(partsStep(subject))) return 'parts';
  const musts = compiledMusts(subject);
  const judge = judgeOf(subject, musts, { office: noOffice, signal, progress: () => {} });
  const state = memoryReader(draft.files);
  if ((await judge(state)).passed.length > 0) return 'untouched';
  if (failed(await visibleStep(subject, keptOf(draft), new Map(), state, targetsOf(musts), judge))) return 'visible';
  const solved = withFiles(state, new Map([[path, finished]]));
  if ((await judge(solved)).failed.length > 0) return 'solution';
  const work = [{ path, before: draft.files.get(path) ?? null, after: finished, saved: null }];
  if (failed(await equalSolutionsStep(subject, work, solved, judge))) return 'equal-solutions';
  return failed(await sensitivityStep(subject, work, solved, judge)) ? 'sensitivity' : null;
}

/** Faults that show without a desktop, with the step that finds each. */
const shown: Record<string, string> = {
  'the setup misses a file': 'parts',
  'the setup places another file': 'parts',
  'the work is done already': 'untouched',
  'the instruction tells an answer': 'parts',
  'the instruction names a file that is not there': 'parts',
  'the solution lies in the sandbox': 'parts',
  'the finished file lies in the sandbox': 'visible',
  'the finished file lies in an archive': 'visible',
  'the finished file is in a git history': 'visible',
  'answers lie in a note': 'visible',
  'an answer is in the properties of a file': 'visible',
  'an answer is on a hidden sheet': 'visible',
  'an answer is in a comment': 'visible',
  'a check looks at another sheet': 'parts',
  'a check looks at a file that is never made': 'solution',
  'no solution can pass': 'solution',
  'a check holds before anything is done': 'untouched',
  'a check cannot fail': 'parts',
  'a must criterion has no check': 'parts',
  'a check takes any number': 'sensitivity',
  'a check wants one literal formula': 'parts',
  'typed values pass where formulas are asked for': 'equal-solutions',
  'a must criterion has no mutant': 'parts',
  'the instruction names a sheet that is not there': 'parts',
  'the instruction names the file with another ending': 'parts',
  'the instruction has a place that was not filled': 'parts',
  'the title tells an answer': 'parts',
  'the instruction breaks off': 'parts',
  'the instruction names another cell than the checks': 'parts',
  'a check wants one function by its name': 'parts',
  'the finished file lies in a folder of programs': 'visible',
  'the answer stands in the instruction, rounded': 'parts',
  'two files have the name': 'visible',
  'two files are equal and neither is named': 'visible',
  'the finished file lies in the trash': 'visible',
  'the finished file lies below /tmp': 'visible',
  'an answer is in the history of the shell': 'visible',
  'answers lie in a PDF': 'visible',
  'answers lie in another workbook': 'visible',
  'an answer is in a hidden column': 'visible',
  'a hidden file is among those that people get': 'parts',
  'a check only asks whether there is something': 'sensitivity',
  'a check allows a few percent': 'sensitivity',
  'what has to stay is looked at in part': 'sensitivity',
  'two criteria are the same': 'parts',
  'two checks have one name': 'parts',
  'checks look in another home folder': 'solution',
  'a check expects a number as text': 'solution',
  'the solution carries the finished file in its text': 'parts',
  'the solution copies a finished file that lies beside it': 'parts',
};

describe('planted faults', () => {
  it('are of many kinds, each with a name of its own', () => {
    const names = faults.map(({ kind }) => kind);
    expect(new Set(names).size).toBe(names.length);
    expect(names.length).toBeGreaterThanOrEqual(20);
    expect(names).toEqual(expect.arrayContaining(Object.keys(shown)));
  });

  it('can each be planted in some package, and none breaks off in any', async () => {
    const packages = goodPackages([7]);
    const fits = new Map<string, string[]>();
    for (const { kind, plant } of faults)
      for (const { name, draft } of packages)
        if (await plant(await draft())) fits.set(kind, [...(fits.get(kind) ?? []), name]);
    expect(faults.filter(({ kind }) => !fits.has(kind)).map(({ kind }) => kind)).toEqual([]);
  }, 120_000);

  it('are not seen in the sound package', async () => {
    const draft = await sampleTask();
    const finished = await finishedFile(draft);
    expect(await failedStep(draft, finished?.bytes ?? new Uint8Array(), finished?.path ?? '')).toBeNull();
  });

  it.each(Object.entries(shown))('%s: found by the step %s', async (kind, step) => {
    const draft = await sampleTask();
    const finished = await finishedFile(draft);
    expect(await faults.find((fault) => fault.kind === kind)?.plant(draft)).toBe(true);
    expect(await failedStep(draft, finished?.bytes ?? new Uint8Array(), finished?.path ?? '')).toBe(step);
  });
});
