import { evaluateCheck } from '@cua-forge/checks/evaluate';
import { Looker } from '@cua-forge/checks/look';
import type { TaskReport } from '@cua-forge/checks/osworld/import-report';
import type { OsworldStep } from '@cua-forge/checks/osworld/osworld-task';
import { screenProgram, screenScript } from '@cua-forge/checks/osworld/screen-steps';
import { ForgeError, toForgeError } from '@cua-forge/spec/errors';
import type { OfficePort } from '@cua-forge/spec/kind';
import type { Sandbox, SandboxTarget } from '@cua-forge/spec/sandbox-port';
import type { SetupOperation } from '@cua-forge/spec/task';
import { z } from 'zod';
import { prepareDesktop } from './prepare-desktop.ts';
import { sandboxState } from './sandbox-state.ts';

/** What does a task: a program that runs in the prepared desktop, as its user. */
export const OsworldSolution = z.strictObject({ language: z.enum(['bash', 'python']), script: z.string().min(1) });
export type OsworldSolution = z.infer<typeof OsworldSolution>;
/** Solutions by the ids of their tasks. */
export const OsworldSolutions = z.record(z.string(), OsworldSolution);

/** A task that was run. Scores are 1 or 0; null where it was not tried. */
export interface OsworldRun {
  id: string;
  domain: string;
  evaluators: string[];
  /** Why it was not run; null where it was. */
  why: string | null;
  untouched: 0 | 1 | null;
  solved: 0 | 1 | null;
  seconds: number;
  /** What the check saw last, a line for each leaf. */
  evidence: string[];
}

export interface OsworldRunContext {
  /** Gives a fresh sandbox to `work` and ends it afterwards. */
  use<T>(target: SandboxTarget, work: (sandbox: Sandbox) => Promise<T>): Promise<T>;
  /** Why no sandbox of the target can be had; null where one can. */
  missing(target: SandboxTarget): Promise<string | null>;
  office: Pick<OfficePort, 'convert'>;
  signal: AbortSignal;
}

const inMinimal = new Set(['libreoffice-calc', 'chromium', 'text-editor']);
/** Programs and settings that commands of tasks use and that the smaller image does not have. */
const inFull = /\b(?:sysstat|sar|gnome-terminal|ctrl\+alt\+t|org\.gnome\.shell)\b/;

function targetOf({ operations, check }: TaskReport): SandboxTarget {
  const applications = operations.every((one) => one.op !== 'open' || inMinimal.has(one.application));
  return applications && !inFull.test(JSON.stringify([operations, check])) ? 'minimal' : 'full';
}

/** Why a task cannot be run here; null where it can. */
export function whyNot(task: TaskReport): string | null {
  const step = task.setup.find(({ status }) => status === 'no');
  if (step !== undefined) return `setup step ${step.name}: ${step.why}`;
  if (task.operations.some(({ op }) => op === 'place-file')) return 'it needs files that are elsewhere';
  const evaluator = task.evaluators.find(({ status }) => status === 'no');
  if (evaluator !== undefined) return `evaluator ${evaluator.name}: ${evaluator.why}`;
  if (task.check === null) return 'its check decides nothing';
  const before = task.beforeSteps.map(plan).find((one) => typeof one === 'string');
  return before ?? null;
}

type Action = (sandbox: Sandbox, signal: AbortSignal) => Promise<void>;
const Command = z.object({ command: z.union([z.string(), z.array(z.string())]) });
const programs: Record<string, string> = { chrome: 'chromium', 'google-chrome': 'chromium' };

/** What a step before the check does here, or why it cannot be done. */
function plan({ type, parameters }: OsworldStep): Action | string {
  if (type === 'sleep')
    return async (sandbox, signal) => {
      await sandbox
        .waitForStill({ quietMs: 500, timeoutMs: 10_000, tolerance: 600, signal })
        .catch((thrown: unknown) => {
          if (toForgeError(thrown).code !== 'sandbox.timeout') throw thrown;
        });
    };
  const parsed = Command.safeParse(parameters).data?.command;
  const words = typeof parsed === 'string' ? parsed.split(/\s+/) : (parsed ?? []);
  const [program = '', name = ''] = words;
  if (program === 'pkill' && words.length === 2)
    return async (sandbox, signal) => {
      const target = programs[name] ?? name;
      // It may write its settings down before it ends.
      await sandbox.exec(
        [
          'bash',
          '-c',
          'pkill -TERM -f "$1" ; for _ in $(seq 100); do pgrep -f "$1" | grep -qvx $$ || exit 0; sleep 0.1; done',
          'end',
          `(^|/)${target}( |$)`,
        ],
        { timeoutMs: 20_000, signal },
      );
    };
  // It is started again so that it reads its settings, which the check does by itself.
  if (type === 'launch') return async () => undefined;
  const code = words.join(' ');
  const onScreen = type === 'execute' && Array.isArray(parsed) ? screenProgram(parsed) : undefined;
  const script = onScreen === undefined ? undefined : screenScript(onScreen);
  if (script !== undefined)
    return async (sandbox, signal) => {
      await sandbox.exec(['bash', '-c', script], { timeoutMs: 60_000, signal });
      await sandbox.waitForStill({ quietMs: 500, timeoutMs: 10_000, tolerance: 600, signal }).catch(() => undefined);
    };
  return `before the check, it wants ${type} ${code.slice(0, 60)}`;
}

/** Runs a task without doing anything, which has to score 0, and, where there is a solution, with it. Each in a sandbox of its own. */
export async function runOsworldTask(
  task: TaskReport,
  solution: OsworldSolution | undefined,
  context: OsworldRunContext,
): Promise<OsworldRun> {
  const start = performance.now();
  const target = targetOf(task);
  const base = { id: task.id, domain: task.domain, evaluators: task.evaluators.map(({ name }) => name) };
  const done = (rest: Pick<OsworldRun, 'why' | 'untouched' | 'solved' | 'evidence'>): OsworldRun => ({
    ...base,
    ...rest,
    seconds: Math.round((performance.now() - start) / 100) / 10,
  });
  const why = whyNot(task) ?? (await context.missing(target));
  if (why !== null) return done({ why, untouched: null, solved: null, evidence: [] });
  try {
    const untouched = await context.use(target, (sandbox) => score(sandbox, task, undefined, context));
    const solved =
      solution === undefined ? null : await context.use(target, (sandbox) => score(sandbox, task, solution, context));
    return done({
      why: null,
      untouched: untouched.score,
      solved: solved?.score ?? null,
      evidence: (solved ?? untouched).evidence,
    });
  } catch (thrown) {
    context.signal.throwIfAborted();
    return done({ why: toForgeError(thrown).message, untouched: null, solved: null, evidence: [] });
  }
}

async function score(
  sandbox: Sandbox,
  task: TaskReport,
  solution: OsworldSolution | undefined,
  { office, signal }: OsworldRunContext,
): Promise<{ score: 0 | 1; evidence: string[] }> {
  if (task.check === null) throw new ForgeError('internal', `Task ${task.id} has no check.`);
  // Tasks whose files are elsewhere are not run.
  const operations = task.operations.flatMap((one): SetupOperation[] => (one.op === 'place-file' ? [] : [one]));
  const read = () => Promise.reject(new ForgeError('internal', 'A task without files placed one.'));
  await prepareDesktop(sandbox, { operations, script: null, read }, { signal, again: false });
  if (solution !== undefined) {
    const path = '/tmp/.solution';
    await sandbox.putFile(path, new TextEncoder().encode(solution.script), { mode: 0o700 });
    const ran = await sandbox.exec([solution.language === 'bash' ? 'bash' : 'python3', path], {
      timeoutMs: 120_000,
      signal,
    });
    if (ran.exitCode !== 0)
      throw new ForgeError('setup.failed', `The solution of ${task.id} failed: ${ran.stderr.trim().slice(-500)}`);
  }
  for (const step of task.beforeSteps) {
    const action = plan(step);
    if (typeof action !== 'string') await action(sandbox, signal);
  }
  const { ok, evidence } = await evaluateCheck(
    task.check,
    new Looker({ reader: sandboxState(sandbox, signal), office, signal }),
  );
  return {
    score: ok ? 1 : 0,
    evidence: evidence.map(({ where, expected, seen, held }) => `${held}: ${where}: ${expected}; seen ${seen}`),
  };
}
