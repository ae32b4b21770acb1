import { ForgeError } from '@cua-forge/spec/errors';
import type { ProofLine } from '@cua-forge/spec/proof';
import type { Sandbox } from '@cua-forge/spec/sandbox-port';
import { changedPaths, type HomeFiles, homeFiles } from '../desk/home-files.ts';
import { runSolution } from '../desk/run-solution.ts';
import type { Desk } from '../ground.ts';
import type { Judge } from '../judge.ts';
import { line, packageFault } from '../lines.ts';
import { type Subject, solutionFiles } from '../subject.ts';

const days = 401;

/** A moment so many days later, in the form of a sandbox's clock. */
export const laterClock = (now: number): string => new Date(now + days * 86_400_000).toISOString().slice(0, 19);

/** Runs `setup/setup.sh` in the sandbox, as somebody does who has only the package. @throws ForgeError `sandbox.failed` */
export async function runSetupScript(subject: Subject, sandbox: Sandbox, signal: AbortSignal): Promise<void> {
  const folder = '/tmp/task-package';
  for (const [path, bytes] of subject.files)
    if (path.startsWith('setup/') || path.startsWith('files/'))
      await sandbox.putFile(`${folder}/${path}`, bytes, { mode: subject.executables.has(path) ? 0o755 : 0o644 });
  try {
    const { exitCode, timedOut, stderr, stdout } = await sandbox.exec(['bash', `${folder}/setup/setup.sh`], {
      cwd: sandbox.home,
      timeoutMs: 180_000,
      signal,
    });
    if (timedOut) throw new ForgeError('sandbox.timeout', 'setup.sh did not end within 180 s.');
    if (exitCode !== 0)
      throw new ForgeError(
        'sandbox.failed',
        `setup.sh ended with code ${exitCode}: ${(stderr === '' ? stdout : stderr).trim().split('\n').slice(-2).join(' ').slice(-300)}`,
      );
  } finally {
    if (!signal.aborted) await sandbox.exec(['rm', '-rf', '--', folder]).catch(() => undefined);
  }
}

/** Files that people see: what programs keep in folders of their own may hold a date. */
const isSeen = (path: string): boolean => !path.includes('/.') && path.startsWith('/home/');

const seenOf = (files: HomeFiles): HomeFiles => new Map([...files].filter(([path]) => isSeen(path)));

/** What another day has shown, and what the setup has left then; null where it did not end. */
export interface AnotherDay {
  lines: ProofLine[];
  left: HomeFiles | null;
}

/** Whether the setup leaves the same on both days. */
export function sameFilesLine(today: HomeFiles, later: HomeFiles): ProofLine {
  const seen = seenOf(later);
  return line(
    'the setup leaves the same files on another day',
    changedPaths(seenOf(today), seen).map((path) => `${path} differs`),
    `${seen.size} files`,
  );
}

/** Setup by its script and solution, in a sandbox whose clock is more than a year on. */
export async function anotherDayStep(
  subject: Subject,
  { sandbox, state }: Desk,
  judge: Judge,
  signal: AbortSignal,
): Promise<AnotherDay> {
  const { solution, manifest } = subject;
  try {
    await runSetupScript(subject, sandbox, signal);
  } catch (thrown) {
    return { lines: [line('setup.sh runs by itself', [packageFault(thrown)], '')], left: null };
  }
  const left = await homeFiles(sandbox, [sandbox.home], signal);
  const wrong: string[] = [];
  for (const { sandboxPath, path } of manifest.files) {
    const bytes = await state.readFile(sandboxPath);
    const own = subject.files.get(path);
    if (bytes === null) wrong.push(`${sandboxPath} is not there`);
    else if (own !== undefined && !Buffer.from(own).equals(Buffer.from(bytes)))
      wrong.push(`${sandboxPath} is another file than ${path}`);
  }
  const before = await judge(state);
  const lines = [
    line('setup.sh places the files', wrong, `${manifest.files.length} files`),
    line(
      'untouched, every must criterion fails',
      before.passed.map((id) => `${id} passes`),
      `${before.failed.length} fail`,
    ),
  ];
  if (solution === null || solution.run.how === 'actions' || lines.some(({ ok }) => !ok)) return { lines, left };
  try {
    await runSolution(sandbox, solution.run, solutionFiles(subject), signal);
  } catch (thrown) {
    return { lines: [...lines, line('the solution runs', [packageFault(thrown)], '')], left };
  }
  const after = await judge(state);
  const passes = line(
    `${days} days later the solution passes as well`,
    after.failed.map((id) => `${id}: ${after.places.get(id)}`),
    `${after.passed.length} must criteria`,
  );
  return { lines: [...lines, passes], left };
}
