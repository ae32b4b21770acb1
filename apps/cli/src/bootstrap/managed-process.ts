import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { ForgeError } from '@cua-forge/spec/errors';
import type { Environment } from './environment.ts';
import { forgetGroup, watchGroup } from './reaper.ts';

export interface ProcessOptions {
  command: string;
  args: readonly string[];
  /** The child's whole environment; without it the child inherits this process's. */
  env?: Environment;
  cwd?: string;
  /** Every line of stdout and stderr, without its end. */
  onLine?: (line: string, stream: 'out' | 'err') => void;
}

export interface Exit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

export interface ManagedProcess {
  /** Also the id of the process group that holds the child and all it starts. */
  readonly pid: number;
  /** Settles when the child itself has ended. */
  readonly exited: Promise<Exit>;
  /** TERM to the whole group, KILL to what is left after `graceMs` (default 5,000); resolves when the group is empty. */
  stop(graceMs?: number): Promise<void>;
}

/** Starts a child in a process group of its own, which dies with this process. Fails with `tool.missing` if it cannot be started. */
export async function startProcess(options: ProcessOptions): Promise<ManagedProcess> {
  if (ending) throw new ForgeError('internal', `${options.command} is not started: this process is ending.`);
  const child = spawn(options.command, options.args, {
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(options.env === undefined ? {} : { env: { ...options.env } }),
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
  });
  const { pid } = child;
  if (pid === undefined) {
    const [cause] = await once(child, 'error').catch((error: unknown) => [error]);
    throw new ForgeError(
      'tool.missing',
      `${options.command} could not be started: ${cause instanceof Error ? cause.message : String(cause)}`,
      { cause },
    );
  }
  watchGroup(pid);
  const exited = new Promise<Exit>((resolve) => {
    child.once('exit', (code, signal) => resolve({ code, signal }));
  });
  for (const [stream, name] of [
    [child.stdout, 'out'],
    [child.stderr, 'err'],
  ] as const) {
    createInterface({ input: stream, crlfDelay: Number.POSITIVE_INFINITY }).on('line', (line) =>
      options.onLine?.(line, name),
    );
  }
  let stopping: Promise<void> | null = null;
  const end = async (graceMs: number): Promise<void> => {
    signalGroup(pid, 'SIGTERM');
    if (!(await groupEnds(pid, graceMs))) {
      signalGroup(pid, 'SIGKILL');
      await groupEnds(pid, killedWithinMs);
    }
    await exited;
    forgetGroup(pid);
  };
  const managed: ManagedProcess = {
    pid,
    exited,
    stop(graceMs = 5_000) {
      stopping ??= end(graceMs).finally(() => live.delete(managed));
      return stopping;
    },
  };
  live.add(managed);
  return managed;
}

/** Whether the last process of a group ends within some milliseconds. */
async function groupEnds(group: number, withinMs: number): Promise<boolean> {
  for (const deadline = Date.now() + withinMs; groupIsAlive(group); await sleep(50)) {
    if (Date.now() > deadline) return false;
  }
  return true;
}

/** Milliseconds the system gets to carry out a KILL. */
const killedWithinMs = 5_000;

const live = new Set<ManagedProcess>();

let ending = false;

/** Stops every process started here and not stopped yet, all at once, and refuses to start more: for an end in the middle of a start. */
export async function stopAllProcesses(): Promise<void> {
  ending = true;
  await Promise.all([...live].map((managed) => managed.stop()));
}

/** False when no process of the group is left; one that is dead and only waits to be reaped does not count, where that can be told. */
export function groupIsAlive(group: number): boolean {
  try {
    process.kill(-group, 0);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
  return (
    process.platform !== 'linux' ||
    readdirSync('/proc').some((name) => /^\d+$/.test(name) && isLivingMember(name, group))
  );
}

function isLivingMember(pid: string, group: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const [state, , memberOf] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return state !== 'Z' && state !== 'X' && Number(memberOf) === group;
  } catch {
    return false;
  }
}

export function signalGroup(group: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-group, signal);
  } catch {
    return;
  }
}
