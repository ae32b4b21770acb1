import { setTimeout as sleep } from 'node:timers/promises';
import { ForgeError } from '@cua-forge/spec/errors';
import { z } from 'zod';
import type { Environment } from './environment.ts';
import type { LogFile } from './log-file.ts';
import { startProcess } from './managed-process.ts';
import type { Part } from './supervise.ts';

/** The line with which an app of this product says on stdout that it serves. */
const ReadyLine = z.looseObject({ ready: z.string(), url: z.url().optional() });
export type ReadyLine = z.infer<typeof ReadyLine>;

export interface AppOptions {
  name: string;
  command: string;
  args: readonly string[];
  cwd: string;
  env: Environment;
  log: LogFile;
  /** Every line of output, for a person who wants to see it. */
  onLine?: ((line: string) => void) | undefined;
  readyWithinMs?: number;
  graceMs?: number;
}

export interface AppProcess extends Part {
  pid: number;
  ready: ReadyLine;
}

/** Starts an app and resolves with its ready line. Fails with the app's last words when it ends first or stays silent for `readyWithinMs` (default 120,000). */
export async function startApp(options: AppOptions): Promise<AppProcess> {
  const lastWords: string[] = [];
  let announce: (line: ReadyLine) => void = () => undefined;
  const announced = new Promise<ReadyLine>((resolve) => {
    announce = resolve;
  });
  const child = await startProcess({
    command: options.command,
    args: options.args,
    cwd: options.cwd,
    env: options.env,
    onLine(line, stream) {
      options.log.write(line);
      options.onLine?.(line);
      if (lastWords.push(line) > 15) lastWords.shift();
      if (stream === 'out') {
        const ready = readyLineOf(line);
        if (ready !== null) announce(ready);
      }
    },
  });
  const stop = (): Promise<void> => child.stop(options.graceMs ?? 10_000);
  const waiting = new AbortController();
  const late = sleep(options.readyWithinMs ?? 120_000, 'late' as const, { signal: waiting.signal }).catch(
    () => 'late' as const,
  );
  const first = await Promise.race([announced, child.exited, late]);
  waiting.abort();
  if (first !== 'late' && 'ready' in first) return { pid: child.pid, ready: first, exited: child.exited, stop };
  await stop();
  const what =
    first === 'late' ? 'was not ready in time' : `ended before it was ready (${first.signal ?? `exit ${first.code}`})`;
  throw new ForgeError('internal', `The ${options.name} ${what}. Its last words:\n${lastWords.join('\n')}`, {
    fix: `Its whole log is ${options.log.path}.`,
  });
}

function readyLineOf(line: string): ReadyLine | null {
  if (!line.startsWith('{')) return null;
  try {
    return ReadyLine.safeParse(JSON.parse(line)).data ?? null;
  } catch {
    return null;
  }
}
