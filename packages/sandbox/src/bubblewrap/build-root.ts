import { spawn } from 'node:child_process';
import { cp, mkdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { ForgeError } from '@cua-forge/spec/errors';
import type { SandboxTarget } from '@cua-forge/spec/sandbox-port';
import type { BuildReport } from '../build-report.ts';
import { layEditor } from '../lay-editor.ts';
import { type RecipeStep, recipeSteps } from './recipe-steps.ts';

const suite = 'bookworm';

/**
 * Makes the root file system of a target from the distribution's packages alone, by the recipe that images are made by. Needs root, debootstrap and bubblewrap.
 * @throws ForgeError `tool.missing`, `sandbox.unavailable` with the last words of what failed
 */
export async function buildRoot(
  request: { recipe: string; target: SandboxTarget; folder: string; mirror: string },
  report: BuildReport,
): Promise<{ built: boolean }> {
  const { recipe, target, folder, mirror } = request;
  if ((await stat(folder).catch(() => null)) !== null) return { built: false };
  if (process.getuid?.() !== 0)
    throw new ForgeError('sandbox.unavailable', 'A root file system can be made by root alone.', {
      fix: 'Run it as root, or make it from an image of Docker.',
    });
  if (target === 'full') await layEditor(recipe, report);
  const dockerfile = await readFile(join(recipe, 'Dockerfile'), 'utf8');
  const steps = recipeSteps(dockerfile, target);
  const fresh = `${folder}.new`;
  await rm(fresh, { recursive: true, force: true });
  await mkdir(fresh, { recursive: true });
  const start = Date.now();
  let done = 0;
  const total = steps.length + 1;
  const say = (line: string): void => {
    const seconds = (Date.now() - start) / 1000;
    const left = done === 0 ? '' : `, about ${Math.ceil((seconds / done) * (total - done))} s left`;
    report.update(`Step ${done + 1} of ${total}, ${Math.round(seconds)} s${left}: ${line.slice(0, 80)}`);
  };
  try {
    await run('debootstrap', ['--variant=minbase', suite, fresh, `${mirror}/debian`], say);
    await run('sh', ['-c', sources, 'sh', fresh, mirror, suite], say);
    done += 1;
    const environment = new Map<string, string>();
    for (const step of steps) {
      await carryOut(step, { root: fresh, recipe, dockerfile, environment, say });
      done += 1;
    }
    await rm(join(fresh, 'var/cache/apt/archives'), { recursive: true, force: true });
    await rename(fresh, folder);
    return { built: true };
  } finally {
    await rm(fresh, { recursive: true, force: true });
  }
}

/** The package lists that an image's base has, and none of the machine's own. */
const sources = `cat >"$1/etc/apt/sources.list" <<LIST
deb $2/debian $3 main
deb $2/debian $3-updates main
deb $2/debian-security $3-security main
LIST`;

interface Place {
  root: string;
  recipe: string;
  dockerfile: string;
  environment: Map<string, string>;
  say(line: string): void;
}

async function carryOut(step: RecipeStep, place: Place): Promise<void> {
  const { root, recipe, dockerfile, environment, say } = place;
  switch (step.do) {
    case 'env':
      environment.set(step.name, step.value);
      return;
    case 'run':
      return runInside(root, step.command, environment, say);
    case 'unpack': {
      const to = join(root, step.to);
      await mkdir(to, { recursive: true });
      return run('tar', ['-xzf', join(recipe, step.archive), '--no-same-owner', '-C', to], say);
    }
    case 'copy': {
      const source = step.root === null ? recipe : await otherRoot(step.root, place);
      try {
        for (const from of step.from) {
          const whole = (await stat(join(source, from))).isDirectory();
          const to = join(root, step.to, !whole && step.to.endsWith('/') ? basename(from) : '');
          await mkdir(join(to, '..'), { recursive: true });
          await cp(join(source, from), to, { recursive: true });
        }
      } finally {
        if (step.root !== null) await rm(source, { recursive: true, force: true });
      }
      return;
    }
  }
  function otherRoot(name: string, { root: here }: Place): Promise<string> {
    return partOf(name, { here, recipe, dockerfile, say });
  }
}

/** Another part of the recipe on a copy of this root: what both begin with is there already. */
async function partOf(
  name: string,
  { here, recipe, dockerfile, say }: { here: string; recipe: string; dockerfile: string; say: (line: string) => void },
): Promise<string> {
  const other = `${here}.${name}`;
  await rm(other, { recursive: true, force: true });
  await run('cp', ['-a', here, other], say);
  const shared = recipeSteps(dockerfile, 'core').length;
  const environment = new Map<string, string>();
  for (const step of recipeSteps(dockerfile, name).slice(shared))
    await carryOut(step, { root: other, recipe, dockerfile, environment, say });
  return other;
}

/** Runs a command as root of that root file system, with the machine's network and none of its files. */
function runInside(
  root: string,
  command: string,
  environment: ReadonlyMap<string, string>,
  say: (line: string) => void,
): Promise<void> {
  return run(
    'bwrap',
    [
      '--bind',
      root,
      '/',
      '--proc',
      '/proc',
      '--dev',
      '/dev',
      // Whoever the package tools become has to write there.
      '--perms',
      '1777',
      '--tmpfs',
      '/tmp',
      '--ro-bind',
      '/etc/resolv.conf',
      '/etc/resolv.conf',
      '--unshare-pid',
      '--unshare-ipc',
      '--die-with-parent',
      '--cap-add',
      'ALL',
      '--clearenv',
      ...[['PATH', '/usr/sbin:/usr/bin:/sbin:/bin'], ['HOME', '/root'], ...environment].flatMap(
        ([name = '', value = '']) => ['--setenv', name, value],
      ),
      '--chdir',
      '/',
      'sh',
      '-c',
      command,
    ],
    say,
  );
}

function run(program: string, args: readonly string[], say: (line: string) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    let last: string[] = [];
    const take = (data: Buffer): void => {
      const lines = data
        .toString('utf8')
        .split('\n')
        .map((line) => line.trim())
        .filter((line) => line !== '');
      last = [...last, ...lines].slice(-5);
      say(last.at(-1) ?? '');
    };
    child.stdout.on('data', take);
    child.stderr.on('data', take);
    child.on('error', (error: NodeJS.ErrnoException) =>
      reject(
        error.code === 'ENOENT'
          ? new ForgeError('tool.missing', `${program} is missing.`, { fix: 'apt-get install bubblewrap debootstrap' })
          : error,
      ),
    );
    child.on('close', (code) => {
      if (code === 0) resolve();
      else
        reject(
          new ForgeError('sandbox.unavailable', `${program} failed while the root was made: ${last.join(' | ')}`, {
            fix: 'It needs root, a Debian mirror (FORGE_DEBIAN_MIRROR names another) and about 4 GB of disk.',
          }),
        );
    });
  });
}
