import type { Environment } from '../bootstrap/environment.ts';
import { startProcess } from '../bootstrap/managed-process.ts';
import type { Reporter } from '../bootstrap/progress.ts';
import { findTool } from './find-tool.ts';

/** How packages can be installed here: the words before `apt-get`, or why they cannot. */
export type Installer = { prefix: readonly string[] } | { refusal: string };

/** Root needs no prefix; others need a sudo that asks nothing. */
export async function findInstaller(
  env: Environment,
  uid: number | undefined = process.getuid?.(),
): Promise<Installer> {
  const plain = { versionArgs: ['--version'], versionPattern: /(\d\S*)/ };
  if ((await findTool({ commands: ['apt-get'], ...plain }, env)) === null)
    return { refusal: 'there is no apt-get here' };
  if (uid === 0) return { prefix: [] };
  if ((await findTool({ commands: ['sudo'], ...plain }, env)) === null)
    return { refusal: 'only root may install packages, and there is no sudo' };
  const probe = await runQuietly(['sudo', '-n', 'true'], env, () => undefined);
  return probe === 0 ? { prefix: ['sudo', '-n'] } : { refusal: 'sudo asks for a password' };
}

/** Installs Debian packages, showing what apt-get does. Returns null, or why it did not work. */
export async function installPackages(
  packages: readonly string[],
  env: Environment,
  reporter: Reporter,
  uid: number | undefined = process.getuid?.(),
): Promise<string | null> {
  const installer = await findInstaller(env, uid);
  if ('refusal' in installer) return installer.refusal;
  const quiet = { ...env, DEBIAN_FRONTEND: 'noninteractive' };
  const keepEnv = installer.prefix.length === 0 ? [] : ['env', 'DEBIAN_FRONTEND=noninteractive'];
  const aptGet = [...installer.prefix, ...keepEnv, 'apt-get', '-o', 'DPkg::Lock::Timeout=120'];
  const lastWords: string[] = [];
  const show = (line: string): void => {
    if (lastWords.push(line) > 8) lastWords.shift();
    reporter.update(line);
  };
  reporter.line(`Installing ${packages.join(' ')}`);
  const updated = await runQuietly([...aptGet, 'update'], quiet, show);
  const installed = await runQuietly([...aptGet, 'install', '-y', '--no-install-recommends', ...packages], quiet, show);
  if (installed === 0) return null;
  return `apt-get install ended with ${installed}${updated === 0 ? '' : ` (and apt-get update with ${updated})`}: ${lastWords.join(' | ')}`;
}

async function runQuietly(
  [command = '', ...args]: readonly string[],
  env: Environment,
  onLine: (line: string) => void,
): Promise<number> {
  const child = await startProcess({ command, args, env, onLine });
  const { code } = await child.exited;
  await child.stop();
  return code ?? 1;
}
