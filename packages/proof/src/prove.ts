import { ForgeError } from '@cua-forge/spec/errors';
import {
  type ProofLine,
  ProofRecord,
  type ProofStep,
  type ProofStepName,
  proofClaims,
  proofSteps,
} from '@cua-forge/spec/proof';
import type { SandboxInfo } from '@cua-forge/spec/sandbox-port';
import { DeskOffice } from './desk/desk-office.ts';
import {
  allFiles,
  changedPaths,
  crannies,
  type HomeFiles,
  homeFiles,
  type KeptFiles,
  keepFiles,
} from './desk/home-files.ts';
import { unpackedFiles } from './desk/unpacked.ts';
import type { Desk, Ground, ProofContext } from './ground.ts';
import { compiledMusts, type Judge, judgeOf } from './judge.ts';
import { line, packageFault } from './lines.ts';
import { anotherDayStep, laterClock, sameFilesLine } from './steps/another-day.ts';
import { cheatsStep } from './steps/cheats.ts';
import { equalSolutionsStep, savedByOffice, type WorkFile } from './steps/equal-solutions.ts';
import { mutantsStep } from './steps/mutants.ts';
import { partsStep } from './steps/parts.ts';
import { sensitivityStep } from './steps/sensitivity.ts';
import { solutionStep } from './steps/solution.ts';
import { visibleStep } from './steps/visible.ts';
import { workableLines } from './steps/workable.ts';
import { type Subject, solutionFiles } from './subject.ts';
import { looksAtPrograms, targetsOf } from './targets.ts';

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
    const evidence = await this.#evidence(work);
    const held = evidence.every(({ ok }) => ok);
    const seconds = Math.round(performance.now() - began) / 1000;
    this.done.push({ step, result: held ? 'held' : 'failed', seconds, evidence });
    return held;
  }

  /** What a sandbox refuses, such as a file at a place where nobody may put one, the package has asked for. */
  async #evidence(work: () => Promise<ProofLine[]> | ProofLine[]): Promise<ProofLine[]> {
    try {
      return await work();
    } catch (thrown) {
      if (!(thrown instanceof ForgeError) || thrown.code !== 'sandbox.refused') throw thrown;
      return [line('a sandbox allows it', [thrown.message], '')];
    }
  }
}

/** What ran a proof. */
type Place = Pick<SandboxInfo, 'provider' | 'image'>;

function recordOf(
  subject: Subject,
  place: Place | null,
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
    provider: place?.provider ?? null,
    image: place?.image ?? null,
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
  const seen: { place: Place | null; screenshot: Uint8Array | null; files: HomeFiles } = {
    place: null,
    screenshot: null,
    files: new Map(),
  };
  const finish = (reason: string | null) =>
    recordOf(subject, seen.place, Math.round(performance.now() - began) / 1000, steps.done, reason, seen.screenshot);
  if (subject.checks.length === 0) return finish('The package has no executable checks.');
  if (subject.solution === null) return finish('The package has no reference solution.');
  if (!(await steps.run('parts', () => partsStep(subject)))) return finish(null);
  if ('missing' in ground) return finish(ground.missing);
  const musts = compiledMusts(subject);
  const office = new DeskOffice(context.office);
  const own = { ...context, office };
  const judge = judgeOf(subject, musts, own);
  // Another day needs nothing of the first: it runs beside it, and ends when the first has failed.
  const ended = new AbortController();
  const ending = AbortSignal.any([context.signal, ended.signal]);
  const later = ground
    .use(subject, { clock: laterClock(now) }, (desk) => anotherDayStep(subject, desk, judge, ending))
    .then(
      (day) => ({ day }),
      (thrown: unknown) => ({ thrown }),
    );
  try {
    const held = await ground.use(subject, {}, (desk) => {
      seen.place = desk.sandbox.info;
      // Where checks look at what runs, nothing may run that the setup has not started.
      if (!looksAtPrograms(musts)) office.join(desk.sandbox);
      return new Today(subject, ground, desk, judge, steps, own)
        .prove({
          picture: (picture) => {
            seen.screenshot = picture;
          },
          files: (files) => {
            seen.files = files;
          },
        })
        .finally(() => office.leave());
    });
    if (!held) return finish(null);
    const outcome = await later;
    if ('thrown' in outcome) throw outcome.thrown;
    const { lines, left } = outcome.day;
    await steps.run('another-day', () => (left === null ? lines : [...lines, sameFilesLine(seen.files, left)]));
    return finish(null);
  } finally {
    ended.abort();
    await later;
  }
}

/** The steps on the first desktop. */
class Today {
  readonly #roots: string[];
  readonly #targets: string[];

  constructor(
    private readonly subject: Subject,
    private readonly ground: Ground,
    private readonly desk: Desk,
    private readonly judge: Judge,
    private readonly steps: Steps,
    private readonly context: ProofContext,
  ) {
    this.#roots = [desk.sandbox.home, '/tmp'];
    this.#targets = targetsOf(compiledMusts(subject));
  }

  /** Whether all steps held. */
  async prove(shown: {
    picture(picture: Uint8Array | null): void;
    /** What the setup has left. */
    files(files: HomeFiles): void;
  }): Promise<boolean> {
    const { subject, desk, judge, steps } = this;
    const { signal } = this.context;
    const { sandbox, state } = desk;
    const everywhere = [...this.#roots, '/dev/shm', '/run/desktop'];
    const clean = await allFiles(sandbox, everywhere, signal);
    let kept: KeptFiles | null = null;
    const ready = await steps.run('setup', async () => {
      const { lines, picture } = await this.#prepare();
      shown.picture(picture);
      if (lines.some(({ ok }) => !ok)) return lines;
      kept = await keepFiles(sandbox, this.#roots, clean, signal);
      shown.files(kept.files);
      return [...lines, ...(await workableLines(subject, this.desk, kept, this.#targets, signal))];
    });
    if (!ready || kept === null) return false;
    const first: KeptFiles = kept;
    return (
      (await steps.run('untouched', () => this.#untouched())) &&
      (await steps.run('visible', async () => {
        const aside = await crannies(sandbox, everywhere, clean, signal);
        const packed = await unpackedFiles(sandbox, new Map([...first.bytes, ...aside]), signal);
        return visibleStep(subject, first, new Map([...aside, ...packed]), state, this.#targets, judge);
      })) &&
      (await steps.run('cheats', () => cheatsStep(subject, desk, first, this.#roots, this.#targets, judge, signal))) &&
      (await steps.run('setup-again', () => this.#again(first))) &&
      (await this.#solve(first, clean))
    );
  }

  async #solve(first: KeptFiles, clean: HomeFiles): Promise<boolean> {
    const { subject, desk, judge, steps, context } = this;
    const { solution } = subject;
    if (
      solution === null ||
      !(await steps.run('solution', () => solutionStep(subject, solution, desk, this.#targets, judge, context.signal)))
    )
      return false;
    const done = await keepFiles(desk.sandbox, this.#roots, clean, context.signal);
    const work = await workFiles(first, done, this.#targets, context);
    const { mutants } = solution;
    return (
      (await steps.run('equal-solutions', () => equalSolutionsStep(subject, work, desk.state, judge))) &&
      (await steps.run('sensitivity', async () => [
        ...(await sensitivityStep(subject, work, desk.state, judge)),
        await this.#stays(done),
      ])) &&
      (await steps.run('mutants', () =>
        mutantsStep(mutants, {
          desk,
          roots: this.#roots,
          prepared: first,
          solved: done,
          fresh: (then) =>
            this.ground.use(subject, {}, async (other) => {
              await other.prepare(context.signal);
              return then(other);
            }),
          files: solutionFiles(subject),
          judge,
          signal: context.signal,
          progress: (index) =>
            context.progress(`Mutant ${index + 1} of ${mutants.length}`, 0.75 + (0.2 * index) / mutants.length),
        }),
      ))
    );
  }

  async #prepare(): Promise<{ lines: ProofLine[]; picture: Uint8Array | null }> {
    try {
      const { lines, screenshot: picture } = await this.desk.prepare(this.context.signal);
      return { lines, picture };
    } catch (thrown) {
      return { lines: [line('every operation of the setup works', [packageFault(thrown)], '')], picture: null };
    }
  }

  async #untouched(): Promise<ProofLine[]> {
    const { passed, failed } = await this.judge(this.desk.state);
    return [
      line(
        'untouched, every must criterion fails',
        passed.map((id) => `${id} passes`),
        `${failed.length} fail`,
      ),
    ];
  }

  async #again(first: KeptFiles): Promise<ProofLine[]> {
    const { lines } = await this.#prepare();
    const failed = lines.filter(({ ok }) => !ok);
    if (failed.length > 0) return failed;
    const now = await homeFiles(this.desk.sandbox, this.#roots, this.context.signal);
    return [
      line(
        'the same files are there',
        changedPaths(first.files, now).map((path) => `${path} differs`),
        `${first.files.size} files`,
      ),
    ];
  }

  /** Nothing that the setup has started takes the work back: by now it has had the time of two steps. */
  async #stays(done: KeptFiles): Promise<ProofLine> {
    const now = await homeFiles(this.desk.sandbox, this.#roots, this.context.signal);
    const { failed } = await this.judge(this.desk.state);
    return line(
      'what the work leaves stays as it is',
      [
        ...changedPaths(done.files, now)
          .filter((path) => this.#targets.includes(path))
          .map((path) => `${path} has changed by itself`),
        ...failed.map((id) => `${id} holds no more`),
      ],
      `${this.#targets.length} files`,
    );
  }
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
