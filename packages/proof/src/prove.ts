import {
  type ProofLine,
  ProofRecord,
  type ProofStep,
  type ProofStepName,
  proofClaims,
  proofSteps,
} from '@cua-forge/spec/proof';
import { changedPaths, homeFiles, type KeptFiles, keepFiles } from './desk/home-files.ts';
import { runSolution } from './desk/run-solution.ts';
import type { Desk, Ground, ProofContext } from './ground.ts';
import { compiledMusts, type Judge, judgeOf } from './judge.ts';
import { line, packageFault } from './lines.ts';
import { anotherDayStep } from './steps/another-day.ts';
import { cheatsStep } from './steps/cheats.ts';
import { equalSolutionsStep, savedByOffice, type WorkFile } from './steps/equal-solutions.ts';
import { mutantsStep } from './steps/mutants.ts';
import { partsStep } from './steps/parts.ts';
import { sensitivityStep } from './steps/sensitivity.ts';
import { visibleStep } from './steps/visible.ts';
import { type Subject, solutionFiles } from './subject.ts';
import { targetsOf } from './targets.ts';

export const screenshotPath = 'proof/prepared.png';

export interface Proven {
  record: ProofRecord;
  /** The prepared desktop as a PNG. */
  screenshot: Uint8Array | null;
}

/** Steps of one proof as they come; the first that fails ends it, since the later ones rest on it. */
class Steps {
  readonly done: ProofStep[] = [];
  constructor(private readonly progress: ProofContext['progress']) {}

  /** Whether the step held. */
  async run(step: ProofStepName, work: () => Promise<ProofLine[]> | ProofLine[]): Promise<boolean> {
    this.progress(proofClaims[step], this.done.length / proofSteps.length);
    const began = performance.now();
    const evidence = await work();
    const held = evidence.every(({ ok }) => ok);
    const seconds = Math.round(performance.now() - began) / 1000;
    this.done.push({ step, result: held ? 'held' : 'failed', seconds, evidence });
    return held;
  }
}

function recordOf(
  subject: Subject,
  ground: Ground | null,
  seconds: number,
  done: readonly ProofStep[],
  reason: string | null,
  screenshot: Uint8Array | null,
): Proven {
  const failed = done.find(({ result }) => result === 'failed');
  const skipped = proofSteps
    .filter((step) => !done.some((one) => one.step === step))
    .map(
      (step): ProofStep => ({
        step,
        result: 'skipped',
        seconds: 0,
        evidence: [
          line('looked at', [], failed === undefined ? (reason ?? 'nothing') : `“${failed.step}” has failed before`),
        ],
      }),
    );
  const fault = failed?.evidence.find(({ ok }) => !ok);
  const record = ProofRecord.parse({
    schema: 1,
    verdict: failed !== undefined ? 'failed' : reason === null ? 'proven' : 'unproven',
    reason: fault === undefined ? reason : `${fault.check}: ${fault.detail}`,
    provider: ground?.provider ?? null,
    image: ground?.image ?? null,
    seconds,
    subject: subject.hash,
    steps: [...done, ...skipped].sort((a, b) => proofSteps.indexOf(a.step) - proofSteps.indexOf(b.step)),
    screenshot: screenshot === null ? null : screenshotPath,
  });
  return { record, screenshot };
}

/**
 * Proves a package on desktops of `ground`, or says why it cannot: without a ground, without checks or without a solution the verdict is `unproven`, after all
 * has been looked at that can be.
 * @throws ForgeError `node.cancelled`, `sandbox.lost`, `sandbox.unavailable`: the proof may be tried again
 */
export async function prove(
  subject: Subject,
  ground: Ground | { missing: string },
  context: ProofContext,
  now: number = Date.now(),
): Promise<Proven> {
  const began = performance.now();
  const steps = new Steps(context.progress);
  const place = 'missing' in ground ? null : ground;
  const finish = (reason: string | null, screenshot: Uint8Array | null = null) =>
    recordOf(subject, place, Math.round(performance.now() - began) / 1000, steps.done, reason, screenshot);
  if (subject.checks.length === 0) return finish('The package has no executable checks.');
  if (subject.solution === null) return finish('The package has no reference solution.');
  if (!(await steps.run('parts', () => partsStep(subject)))) return finish(null);
  if ('missing' in ground) return finish(ground.missing);
  const judge = judgeOf(subject, compiledMusts(subject), context);
  // Another day needs nothing of the first: it runs beside it, and ends when the first has failed.
  const ended = new AbortController();
  const later = anotherDayStep(subject, ground, judge, now, AbortSignal.any([context.signal, ended.signal])).then(
    (lines) => ({ lines }),
    (thrown: unknown) => ({ thrown }),
  );
  let screenshot: Uint8Array | null = null;
  try {
    const held = await proveToday(subject, ground, judge, steps, context, (picture) => {
      screenshot = picture;
    });
    if (!held) return finish(null, screenshot);
    const outcome = await later;
    if ('thrown' in outcome) throw outcome.thrown;
    await steps.run('another-day', () => outcome.lines);
    return finish(null, screenshot);
  } finally {
    ended.abort();
    await later;
  }
}

async function proveToday(
  subject: Subject,
  ground: Ground,
  judge: Judge,
  steps: Steps,
  context: ProofContext,
  shown: (picture: Uint8Array | null) => void,
): Promise<boolean> {
  const { signal } = context;
  const { solution } = subject;
  const targets = targetsOf(compiledMusts(subject));
  const files = solutionFiles(subject);
  const prepared = async (desk: Desk): Promise<{ lines: ProofLine[]; picture: Uint8Array | null }> => {
    try {
      const { lines, screenshot: picture } = await desk.prepare(signal);
      return { lines, picture };
    } catch (thrown) {
      return { lines: [line('every operation of the setup works', [packageFault(thrown)], '')], picture: null };
    }
  };
  const desk = await ground.desk(subject, {}, signal);
  try {
    const { sandbox, state } = desk;
    const roots = [...new Set([sandbox.home, '/home/user', '/tmp'])];
    const clean = await homeFiles(sandbox, roots, signal);
    let kept: KeptFiles | null = null;
    const ready = await steps.run('setup', async () => {
      const { lines, picture } = await prepared(desk);
      shown(picture);
      if (lines.some(({ ok }) => !ok)) return lines;
      kept = await keepFiles(sandbox, roots, clean, signal);
      return [...lines, ...(await workable(subject, desk, targets, signal))];
    });
    if (!ready || kept === null) return false;
    const first: KeptFiles = kept;
    const untouched = await steps.run('untouched', async () => {
      const { passed, failed } = await judge(state);
      return [
        line(
          'untouched, every must criterion fails',
          passed.map((id) => `${id} passes`),
          `${failed.length} fail`,
        ),
      ];
    });
    if (!untouched) return false;
    if (!(await steps.run('visible', () => visibleStep(subject, first, state, targets, judge)))) return false;
    if (!(await steps.run('cheats', () => cheatsStep(subject, desk, first, roots, targets, judge, signal))))
      return false;
    const again = await steps.run('setup-again', async () => {
      const { lines } = await prepared(desk);
      const failed = lines.filter(({ ok }) => !ok);
      if (failed.length > 0) return failed;
      const changed = changedPaths(first.files, await homeFiles(sandbox, roots, signal));
      return [
        line(
          'the same files are there',
          changed.map((path) => `${path} differs`),
          `${first.files.size} files`,
        ),
      ];
    });
    if (!again || solution === null) return false;
    let work: WorkFile[] = [];
    const solved = await steps.run('solution', async () => {
      try {
        await runSolution(sandbox, solution.run, files, signal);
      } catch (thrown) {
        return [line('the solution runs', [packageFault(thrown)], '')];
      }
      const { passed, failed, places } = await judge(state);
      return [
        line(
          `the solution (${solution.through}) passes every must criterion`,
          failed.map((id) => `${id}: ${places.get(id)}`),
          `${passed.length} pass`,
        ),
      ];
    });
    if (!solved) return false;
    const done = await keepFiles(sandbox, roots, clean, signal);
    work = await workFiles(first, done, targets, context);
    if (!(await steps.run('equal-solutions', () => equalSolutionsStep(subject, work, state, judge)))) return false;
    if (!(await steps.run('sensitivity', () => sensitivityStep(subject, work, state, judge)))) return false;
    return steps.run('mutants', () =>
      mutantsStep(solution.mutants, {
        desk,
        roots,
        prepared: first,
        solved: done,
        fresh: async () => {
          const other = await ground.desk(subject, {}, signal);
          await other.prepare(signal);
          return other;
        },
        files,
        judge,
        signal,
        progress: (index) =>
          context.progress(
            `Mutant ${index + 1} of ${solution.mutants.length}`,
            0.75 + (0.2 * index) / Math.max(1, solution.mutants.length),
          ),
      }),
    );
  } finally {
    await desk.close();
  }
}

/** What the user has to be able to do: write the files that the work changes. */
async function workable(subject: Subject, { sandbox }: Desk, targets: readonly string[], signal: AbortSignal) {
  const inputs = subject.manifest.files.map(({ sandboxPath }) => sandboxPath);
  const problems: string[] = [];
  for (const path of targets) {
    const folder = path.slice(0, path.lastIndexOf('/')) || '/';
    const asked = inputs.includes(path)
      ? `test -w "$1" && test -O "$1" && test -w "$2"`
      : `test ! -e "$2" || test -w "$2"`;
    const { exitCode } = await sandbox.exec(['bash', '-c', asked, 'workable', path, folder], { signal });
    if (exitCode !== 0) problems.push(`${path} cannot be written by the user`);
  }
  return [line('the user may change what the work changes', problems, `${targets.length} files`)];
}

async function workFiles(
  before: KeptFiles,
  after: KeptFiles,
  targets: readonly string[],
  context: ProofContext,
): Promise<WorkFile[]> {
  const found: WorkFile[] = [];
  for (const path of changedPaths(before.files, after.files)) {
    const bytes = after.bytes.get(path);
    if (bytes === undefined || !targets.includes(path)) continue;
    found.push({
      path,
      before: before.bytes.get(path) ?? null,
      after: bytes,
      saved: await savedByOffice(path, bytes, context),
    });
  }
  return found;
}
