import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { connect } from 'node:net';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ForgeError } from '@cua-forge/spec/errors';
import { Connection } from '@temporalio/client';
import type { Environment } from './environment.ts';
import { type Exit, type ManagedProcess, startProcess } from './managed-process.ts';
import { defaultPorts, freePort } from './ports.ts';
import { type Reporter, silentReporter } from './progress.ts';
import { ensureTemporalBinary } from './temporal-binary.ts';
import { ensureSearchAttributes, setRetention } from './temporal-namespace.ts';

export interface TemporalServerOptions {
  /** Holds the server's SQLite database; made if it is not there. */
  folder: string;
  /** Ports to bind exactly; without them free ones near the defaults are taken. */
  port?: number;
  uiPort?: number;
  /** The executable; without it `ensureTemporalBinary` finds or fetches one. */
  binary?: string;
  /** More dynamic config, as `key=value` with the value in JSON. */
  dynamicConfig?: readonly string[];
  env?: Environment;
  reporter?: Reporter;
  onLine?: (line: string) => void;
  readyWithinMs?: number;
}

export interface TemporalServer {
  /** host:port of the gRPC frontend. */
  address: string;
  namespace: 'default';
  /** Origin and base path of the web UI, as the server itself serves it. */
  uiUrl: string;
  uiPort: number;
  pid: number;
  exited: Promise<Exit>;
  stop(): Promise<void>;
}

/** Base path of the web UI, the same behind the studio's proxy. */
export const temporalUiPath = '/temporal';

/** Task dispatch, timers and reuse of workflow ids without the pauses that suit a shared cluster. */
const dynamicConfig = [
  'history.transferProcessorMaxPollRPS=2000',
  'history.timerProcessorMaxPollRPS=2000',
  'history.timerProcessorMaxTimeShift="10ms"',
  'history.workflowIdReuseMinimalInterval="0s"',
];

const retentionHours = 720;

/**
 * Starts a dev server that keeps its state in `folder`, and resolves when it answers and knows the product's search attributes.
 * It dies with this process. Fails with `temporal.unreachable` and the server's last words when it ends or does not answer in time.
 */
export async function startTemporalServer(options: TemporalServerOptions): Promise<TemporalServer> {
  const folder = resolve(options.folder);
  await mkdir(folder, { recursive: true });
  const reporter = options.reporter ?? silentReporter;
  const binary =
    options.binary ??
    (await ensureTemporalBinary({ reporter, ...(options.env === undefined ? {} : { env: options.env }) })).path;
  const port = options.port ?? (await freePort(defaultPorts.temporal));
  const uiPort = options.uiPort ?? (await freePort(defaultPorts.temporalUi));
  const address = `127.0.0.1:${port}`;
  for (const taken of [port, uiPort]) {
    if (await isListening(`127.0.0.1:${taken}`)) throw portTaken(taken);
  }
  const lastWords: string[] = [];
  const child = await startProcess({
    command: binary,
    args: serverArgs(join(folder, 'temporal.sqlite'), port, uiPort, options.dynamicConfig ?? []),
    ...(options.env === undefined ? {} : { env: options.env }),
    onLine: (line) => {
      if (lastWords.push(line) > 20) lastWords.shift();
      options.onLine?.(line);
    },
  });
  try {
    await prepare(address, child, lastWords, options.readyWithinMs ?? 60_000);
  } catch (error) {
    await child.stop();
    throw error;
  }
  return {
    address,
    namespace: 'default',
    uiUrl: `http://127.0.0.1:${uiPort}${temporalUiPath}`,
    uiPort,
    pid: child.pid,
    exited: child.exited,
    stop: () => child.stop(),
  };
}

function serverArgs(file: string, port: number, uiPort: number, more: readonly string[]): string[] {
  return [
    ...[
      'server',
      'start-dev',
      '--ip',
      '127.0.0.1',
      '--ui-ip',
      '127.0.0.1',
      '--port',
      String(port),
      '--ui-port',
      String(uiPort),
    ],
    ...['--ui-public-path', temporalUiPath, '--ui-disable-news-fetch', '--log-level', 'error', '--db-filename', file],
    ...['--sqlite-pragma', 'journal_mode=WAL', '--sqlite-pragma', 'synchronous=NORMAL'],
    ...[...dynamicConfig, ...more].flatMap((setting) => ['--dynamic-config-value', setting]),
  ];
}

async function prepare(
  address: string,
  child: ManagedProcess,
  lastWords: readonly string[],
  withinMs: number,
): Promise<void> {
  const deadline = Date.now() + withinMs;
  let ended: Exit | null = null;
  void child.exited.then((exit) => {
    ended = exit;
  });
  for (let reason = 'no answer'; ; await sleep(50)) {
    if (ended !== null || Date.now() > deadline) throw notReady(address, ended, reason, lastWords);
    if (!(await isListening(address))) continue;
    try {
      const connection = await Connection.connect({ address, connectTimeout: 2_000 });
      try {
        await connection.withDeadline(Date.now() + 10_000, async () => {
          await setRetention(connection, 'default', retentionHours);
          await ensureSearchAttributes(connection, 'default');
        });
        if (ended === null) return;
      } finally {
        await connection.close();
      }
    } catch (error) {
      reason = error instanceof Error ? error.message : String(error);
    }
  }
}

/** Asked before gRPC is, whose own retries start a second apart. */
async function isListening(address: string): Promise<boolean> {
  const { hostname, port } = new URL(`tcp://${address}`);
  const socket = connect({ host: hostname, port: Number(port) });
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

function portTaken(port: number): ForgeError {
  return new ForgeError(
    'temporal.unreachable',
    `The Temporal server cannot start: port ${port} of 127.0.0.1 is taken.`,
    {
      fix: 'End what listens there, or give another port; or set TEMPORAL_ADDRESS to a running Temporal.',
    },
  );
}

function notReady(address: string, ended: Exit | null, reason: string, lastWords: readonly string[]): ForgeError {
  const what =
    ended === null ? `did not answer in time (${reason})` : `ended at once (exit ${ended.code ?? ended.signal})`;
  const words = lastWords.length === 0 ? '' : ` It said:\n${lastWords.join('\n')}`;
  return new ForgeError('temporal.unreachable', `The Temporal server on ${address} ${what}.${words}`, {
    fix: 'Check that its ports are free and that its data folder can be written; or set TEMPORAL_ADDRESS to a running Temporal.',
  });
}
