import { execFile } from 'node:child_process';
import { access, constants, realpath } from 'node:fs/promises';
import { delimiter, isAbsolute, join } from 'node:path';
import { promisify } from 'node:util';
import type { Environment } from '../bootstrap/environment.ts';
import type { ToolPart } from './parts.ts';

const run = promisify(execFile);

/** Where a tool lies and its version, or null when none of its commands is there. A tool that does not tell its version is 'unknown'. */
export async function findTool(
  part: Pick<ToolPart, 'commands' | 'versionArgs' | 'versionPattern'>,
  env: Environment,
): Promise<{ path: string; version: string } | null> {
  for (const command of part.commands) {
    const path = await locate(command, env);
    if (path !== null) return { path, version: await versionOf(path, part) };
  }
  return null;
}

async function locate(command: string, env: Environment): Promise<string | null> {
  const candidates = isAbsolute(command)
    ? [command]
    : (env.PATH ?? '')
        .split(delimiter)
        .filter(Boolean)
        .map((folder) => join(folder, command));
  for (const candidate of candidates) {
    try {
      await access(candidate, constants.X_OK);
      await realpath(candidate);
      return candidate;
    } catch {}
  }
  return null;
}

async function versionOf(path: string, part: Pick<ToolPart, 'versionArgs' | 'versionPattern'>): Promise<string> {
  const output = await run(path, part.versionArgs, { timeout: 20_000 }).catch((error: unknown) => ({
    stdout: '',
    stderr: error instanceof Error && 'stderr' in error ? String(error.stderr) : '',
  }));
  return part.versionPattern.exec(`${output.stdout}\n${output.stderr}`)?.[1] ?? 'unknown';
}
