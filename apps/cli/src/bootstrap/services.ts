import { join } from 'node:path';
import { toForgeError } from '@cua-forge/spec/errors';
import { type AppProcess, startApp } from './app-process.ts';
import { prepareCluster } from './cluster.ts';
import type { Environment } from './environment.ts';
import type { Addresses } from './lock.ts';
import { openLog } from './log-file.ts';
import { defaultPorts, type ReservedPort, reservePort } from './ports.ts';
import type { Reporter } from './progress.ts';
import type { Settings } from './settings.ts';
import { buildStudio, studioDist } from './studio-build.ts';
import { type Part, type Supervised, stopAll, supervise } from './supervise.ts';
import { ensureTemporalBinary } from './temporal-binary.ts';
import { startTemporalServer } from './temporal-server.ts';

export interface ServicesOptions {
  settings: Settings;
  reporter: Reporter;
  /** Whether the studio is built and served. */
  studio: boolean;
  /** Every line a service says, with the service's name. */
  onLine?: ((name: string, line: string) => void) | undefined;
}

export interface Services {
  addresses: Addresses;
  logs: string;
  /** Stops server, worker and Temporal, in that order; nothing of them is left. */
  stop(): Promise<void>;
}

interface Temporal {
  address: string;
  namespace: string;
  uiPort: number | null;
}

/** Starts Temporal (unless a cluster is set), worker and server, keeps them running, and resolves when all are ready. A failed start stops what was started. */
export async function startServices(options: ServicesOptions): Promise<Services> {
  const { settings, reporter } = options;
  const logs = join(settings.data, 'logs');
  const parts: Supervised<Part>[] = [];
  const ports: ReservedPort[] = [];
  const reserve = async (preferred: number): Promise<number> => {
    const reserved = await reservePort(preferred);
    ports.push(reserved);
    return reserved.port;
  };
  const stop = async (): Promise<void> => {
    await stopAll(parts.splice(0).reverse());
    for (const { release } of ports.splice(0)) await release();
  };
  try {
    const temporal = await startTemporal(options, logs, parts, reserve);
    const port = await reserve(settings.port);
    const env = childEnvironment(settings, temporal, port);
    const run = async (name: 'worker' | 'server'): Promise<Supervised<AppProcess>> => {
      const log = openLog(join(logs, `${name}.log`));
      const start = (): Promise<AppProcess> =>
        startApp({
          name,
          command: process.execPath,
          args: ['--import', 'tsx', join(settings.root, 'apps', name, 'src/main.ts')],
          cwd: settings.root,
          env,
          log,
          onLine: (line) => options.onLine?.(name, line),
        });
      const supervised = await supervise({ name, reporter, start });
      parts.push(supervised);
      return supervised;
    };
    reporter.line('Starting worker and server');
    const [worker, server] = await Promise.allSettled([
      run('worker'),
      run('server'),
      options.studio ? studio(options) : null,
    ]);
    for (const result of [worker, server]) if (result.status === 'rejected') throw result.reason;
    const studioUrl =
      (server.status === 'fulfilled' ? server.value.current().ready.url : undefined) ?? `http://127.0.0.1:${port}`;
    const temporalUi =
      temporal.uiPort === null ? (settings.cluster?.ui ?? null) : `${studioUrl.replace(/\/$/, '')}/temporal`;
    return {
      addresses: { studio: studioUrl, temporal: temporal.address, namespace: temporal.namespace, temporalUi },
      logs,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Builds the studio; without it everything else still works, so a failure is only told. */
async function studio({ settings, reporter }: ServicesOptions): Promise<void> {
  try {
    await buildStudio(settings.root, settings.env, reporter);
  } catch (error) {
    reporter.line(toForgeError(error).message);
  }
}

async function startTemporal(
  options: ServicesOptions,
  logs: string,
  parts: Supervised<Part>[],
  reserve: (preferred: number) => Promise<number>,
): Promise<Temporal> {
  const { settings, reporter } = options;
  if (settings.cluster !== null) {
    reporter.line(`Using Temporal at ${settings.cluster.address}, namespace ${settings.cluster.namespace}`);
    await prepareCluster(settings.cluster, reporter);
    return { address: settings.cluster.address, namespace: settings.cluster.namespace, uiPort: null };
  }
  const binary = await ensureTemporalBinary({ env: settings.env, reporter });
  const port = await reserve(defaultPorts.temporal);
  const uiPort = await reserve(defaultPorts.temporalUi);
  const log = openLog(join(logs, 'temporal.log'));
  reporter.line(`Starting Temporal ${binary.version} (${binary.from === 'path' ? binary.path : 'own copy'})`);
  const supervised = await supervise({
    name: 'temporal',
    reporter,
    start: () =>
      startTemporalServer({
        folder: join(settings.data, 'temporal'),
        port,
        uiPort,
        binary: binary.path,
        env: settings.env,
        onLine(line) {
          log.write(line);
          options.onLine?.('temporal', line);
        },
      }),
  });
  parts.push(supervised);
  return { address: supervised.current().address, namespace: supervised.current().namespace, uiPort };
}

/** The children's environment: this one's, with what the services must agree on. */
function childEnvironment(settings: Settings, temporal: Temporal, port: number): Environment {
  return {
    ...settings.env,
    FORGE_DATA: settings.data,
    FORGE_STORE: join(settings.data, 'store'),
    FORGE_SKILLS: settings.env.FORGE_SKILLS || join(settings.root, 'skills'),
    FORGE_HOST: settings.host,
    FORGE_PORT: String(port),
    FORGE_STUDIO_DIST: studioDist(settings.root),
    TEMPORAL_ADDRESS: temporal.address,
    TEMPORAL_NAMESPACE: temporal.namespace,
    ...(temporal.uiPort === null ? {} : { FORGE_TEMPORAL_UI: `http://127.0.0.1:${temporal.uiPort}` }),
  };
}
