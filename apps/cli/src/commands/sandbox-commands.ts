import { spawn } from 'node:child_process';
import { join, resolve } from 'node:path';
import { type Command, Option } from 'commander';
import type { Environment } from '../bootstrap/environment.ts';

export interface SandboxParts {
  root: string;
  env: Environment;
  command(name: string, parent: Command): Command;
  done(code: number): void;
  /** Tells where a running sandbox is seen, or begins or ends a recording. */
  view(request: { id: string; record: boolean; stop: string | undefined }): Promise<void>;
}

/** Runs the worker's program for sandboxes with this terminal; answers with its exit code. */
export async function runSandboxProgram(
  { root, env }: Pick<SandboxParts, 'root' | 'env'>,
  name: string,
  args: readonly string[],
  options: Readonly<Record<string, unknown>>,
): Promise<number> {
  const flags = Object.entries(options).flatMap(([option, value]) => {
    const flag = `--${option.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
    return value === true ? [flag] : typeof value === 'string' ? [flag, value] : [];
  });
  const main = join(root, 'apps/worker/src/sandbox/sandbox-main.ts');
  const child = spawn(process.execPath, ['--import', 'tsx', main, name, ...args, ...flags], {
    cwd: root,
    env: { ...env },
    stdio: 'inherit',
  });
  return new Promise<number>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => resolve(code ?? 1));
  });
}

/** Desktops of this machine and of the hosts that are set. The work is the worker's, whose program is run here with this terminal. */
export function addSandboxCommands(program: Command, { root, env, command, done, view }: SandboxParts): void {
  const sandbox = program.command('sandbox').description('build, look at and use desktop sandboxes');
  const target = (): Option =>
    new Option('--target <target>', 'applications').choices(['minimal', 'full']).default('minimal');
  const provider = (): Option =>
    new Option('--provider <provider>').choices(['docker', 'bubblewrap']).default('docker');
  const run = async (name: string, args: readonly string[], options: Readonly<Record<string, unknown>>) =>
    done(await runSandboxProgram({ root, env }, name, args, options));

  command('build', sandbox)
    .description('make the image, unless there is one of the same content')
    .addOption(target())
    .addOption(provider())
    .action((options: object) => run('build', [], { ...options }));
  command('list', sandbox)
    .description('sandboxes of all hosts')
    .action((options: object) => run('list', [], { ...options }));
  command('sweep', sandbox)
    .description('end sandboxes that nobody holds any more')
    .option('--max-age-hours <hours>', 'also those older than this', '24')
    .action((options: object) => run('sweep', [], { ...options }));
  command('view', sandbox)
    .description('where to see a running one live, and take it over: a page of the studio')
    .argument('<sandbox>', 'id of a running one')
    .option('--record', 'keep what people do on it, from now on')
    .option('--stop <file>', 'end that recording and write its actions to this file')
    .action((id: string, { record, stop }: { record?: true; stop?: string }) =>
      view({ id, record: record === true, stop }),
    );
  command('replay', sandbox)
    .description('do recorded actions again, on a running sandbox or in a new one')
    .argument('<actions>', 'file that a recording has written')
    .option('--id <sandbox>', 'id of a running one')
    .option('--screenshot <file>', 'write a picture of the end as PNG')
    .addOption(target())
    .addOption(provider())
    .action((file: string, options: object) => run('replay', [resolve(file)], { ...options }));
  command('shell', sandbox)
    .description('a shell in a new sandbox, or in a running one')
    .argument('[sandbox]', 'id of a running one')
    .addOption(target())
    .addOption(provider())
    .action((id: string | undefined, options: object) => run('shell', id === undefined ? [] : [id], { ...options }));
}
