import { randomUUID } from 'node:crypto';
import { ForgeError } from '@cua-forge/spec/errors';
import type { Sandbox } from '@cua-forge/spec/sandbox-port';
import { RecordedActions, type SolutionRun } from '@cua-forge/spec/solution';
import { replayActions } from './replay-actions.ts';

/** The part of a script's output that its failure is told with. */
const lastWords = (text: string): string => text.trim().split('\n').slice(-3).join(' ').slice(-400);

/**
 * Starts a LibreOffice that listens on a pipe, with a profile of its own, so that the user's windows are left alone, and waits for the pipe.
 * The pipe's name is all that a script needs.
 */
const office = `
set -u
profile="$1/profile"
mkdir -p "$profile"; cp -r "$HOME/.config/libreoffice/4/user" "$profile/" 2>/dev/null; rm -f "$profile/.lock" "$profile/user/.lock"
soffice --headless --norestore --nologo --nodefault "-env:UserInstallation=file://$profile" "--accept=pipe,name=$2;urp;" >/dev/null 2>&1 &
for _ in $(seq 600); do
  ls /tmp/OSL_PIPE_*"$2" >/dev/null 2>&1 && break
  sleep 0.1
done
shift 2
"$@"
code=$?
pkill -f "accept=pipe,name=$SOLUTION_PIPE;" 2>/dev/null
exit "$code"
`;

/**
 * Runs a solution or a mutant in a prepared sandbox, as its user. Its files lie in a folder below /tmp that is taken away afterwards.
 * @throws ForgeError `node.failed` when it ends with an error or takes too long; what the sandbox throws
 */
export async function runSolution(
  sandbox: Sandbox,
  run: SolutionRun,
  files: ReadonlyMap<string, Uint8Array>,
  signal: AbortSignal,
): Promise<void> {
  if (run.how === 'actions') {
    const bytes = files.get(run.entry);
    if (bytes === undefined) throw missing(run.entry);
    const actions = RecordedActions.parse(JSON.parse(new TextDecoder().decode(bytes)));
    await replayActions(sandbox, actions, { timeoutMs: run.timeoutSeconds * 1000, signal });
    return;
  }
  if (!files.has(run.entry)) throw missing(run.entry);
  const name = `solution-${randomUUID().slice(0, 8)}`;
  const folder = `/tmp/${name}`;
  try {
    for (const [path, bytes] of files) await sandbox.putFile(`${folder}/${path}`, bytes);
    const program = [run.language === 'bash' ? 'bash' : 'python3', `${folder}/${run.entry}`, ...run.args];
    const command =
      run.language === 'uno' ? ['bash', '-c', office, 'office', `/tmp/${name}.office`, name, ...program] : program;
    const { exitCode, timedOut, stderr, stdout } = await sandbox.exec(command, {
      cwd: sandbox.home,
      env: { SOLUTION_FOLDER: folder, SOLUTION_PIPE: name, PYTHONDONTWRITEBYTECODE: '1' },
      timeoutMs: run.timeoutSeconds * 1000,
      signal,
    });
    if (timedOut) throw new ForgeError('sandbox.timeout', `${run.entry} did not end within ${run.timeoutSeconds} s.`);
    if (exitCode !== 0)
      throw new ForgeError(
        'sandbox.failed',
        `${run.entry} ended with code ${exitCode}: ${lastWords(stderr === '' ? stdout : stderr)}`,
      );
  } finally {
    if (!signal.aborted) await sandbox.exec(['rm', '-rf', '--', folder, `${folder}.office`]).catch(() => undefined);
  }
}

const missing = (entry: string) =>
  new ForgeError('input.invalid', `hidden/solution has no ${entry}, which it names.`, {
    fix: 'Give every file that solution and mutants run.',
  });
