import { mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ApiClient, createApiClient } from '@cua-forge/api-client/api-client';
import { startApp } from '@cua-forge/cli/bootstrap/app-process';
import type { Environment } from '@cua-forge/cli/bootstrap/environment';
import { openLog } from '@cua-forge/cli/bootstrap/log-file';
import { signalGroup } from '@cua-forge/cli/bootstrap/managed-process';
import { freePort } from '@cua-forge/cli/bootstrap/ports';
import type { Part } from '@cua-forge/cli/bootstrap/supervise';
import { startTemporalServer } from '@cua-forge/cli/bootstrap/temporal-server';

const root = join(import.meta.dirname, '../..');

export type ServiceName = 'temporal' | 'worker' | 'server';

export interface ServicesOptions {
  /** What is started at once, in this order; the rest with `restart`. All of it by default. */
  start?: readonly ServiceName[];
  /** Environment variables of worker and server, over the test's own. */
  env?: Environment;
  /** Folder of the store; without it one in `folder`. */
  store?: string;
  /** Every line a service says. */
  onLine?: (name: ServiceName, line: string) => void;
}

export interface ServiceProcess extends Part {
  /** Also the id of its process group. */
  pid: number;
}

export interface RunningServices {
  /** Origin of server and studio; the same after each restart. */
  url: string;
  temporal: { address: string; namespace: string; uiUrl: string };
  /** What runs now. */
  processes: Record<ServiceName, ServiceProcess | null>;
  api: ApiClient;
  /** Holds store, databases and logs (`logs/worker.log`, …); gone after `stop`. */
  folder: string;
  store: string;
  /** kill -9 of the service and all that it started; resolves when it is gone. */
  kill(name: ServiceName): Promise<void>;
  /** Ends it in good order. */
  end(name: ServiceName): Promise<void>;
  /** Starts it (again) with the same folder and ports; resolves when it is ready. Only one that does not run can be started. */
  restart(name: ServiceName): Promise<void>;
  /** Starts one more worker beside the first, with these variables over the others' own. It ends with the rest. */
  addWorker(env: Environment): Promise<ServiceProcess>;
  stop(): Promise<void>;
}

/** The product's real processes with a folder and ports of their own. Whatever happens to the test, none of them outlives it. */
export async function startServices(options: ServicesOptions = {}): Promise<RunningServices> {
  const folder = await mkdtemp(join(tmpdir(), 'forge-services-'));
  const store = options.store ?? join(folder, 'store');
  await shareBundles(folder);
  const ports = { temporal: await somePort(), ui: await somePort(), server: await somePort() };
  const temporal = {
    address: `127.0.0.1:${ports.temporal}`,
    namespace: 'default',
    uiUrl: `http://127.0.0.1:${ports.ui}/temporal`,
  };
  const url = `http://127.0.0.1:${ports.server}`;
  const processes: RunningServices['processes'] = { temporal: null, worker: null, server: null };
  const others: ServiceProcess[] = [];
  const log = (name: ServiceName) => openLog(join(folder, 'logs', `${name}.log`));
  const env: Environment = {
    ...withoutSettings(process.env),
    FORGE_DATA: folder,
    FORGE_STORE: store,
    FORGE_SKILLS: join(root, 'skills'),
    FORGE_HOST: '127.0.0.1',
    FORGE_PORT: String(ports.server),
    FORGE_STUDIO_DIST: join(root, 'apps/studio/dist'),
    FORGE_TEMPORAL_UI: `http://127.0.0.1:${ports.ui}`,
    FORGE_MODEL_PROVIDER: 'rehearsal',
    TEMPORAL_ADDRESS: temporal.address,
    TEMPORAL_NAMESPACE: temporal.namespace,
    ...options.env,
  };

  function startNamed(name: ServiceName): Promise<ServiceProcess> {
    const file = log(name);
    const onLine = (line: string) => options.onLine?.(name, line);
    if (name !== 'temporal') {
      const args = ['--import', 'tsx', join(root, 'apps', name, 'src/main.ts')];
      return startApp({ name, command: process.execPath, args, cwd: root, env, log: file, onLine });
    }
    return startTemporalServer({
      folder: join(folder, 'temporal'),
      port: ports.temporal,
      uiPort: ports.ui,
      env: process.env,
      onLine: (line) => {
        file.write(line);
        onLine(line);
      },
    });
  }

  const services: RunningServices = {
    url,
    temporal,
    processes,
    api: createApiClient({ url, patienceMs: 20_000 }),
    folder,
    store,
    async kill(name) {
      const running = processes[name];
      if (running === null) throw new Error(`The ${name} does not run.`);
      processes[name] = null;
      signalGroup(running.pid, 'SIGKILL');
      await running.exited;
      await running.stop();
    },
    async end(name) {
      const running = processes[name];
      processes[name] = null;
      await running?.stop();
    },
    async restart(name) {
      if (processes[name] !== null) throw new Error(`The ${name} runs already.`);
      processes[name] = await startNamed(name);
    },
    async addWorker(more) {
      const args = ['--import', 'tsx', join(root, 'apps/worker/src/main.ts')];
      const file = log('worker');
      const worker = await startApp({
        name: 'worker',
        command: process.execPath,
        args,
        cwd: root,
        env: { ...env, ...more },
        log: file,
        onLine: (line) => options.onLine?.('worker', line),
      });
      others.push(worker);
      return worker;
    },
    async stop() {
      await Promise.all([
        services.end('server'),
        services.end('worker'),
        ...others.splice(0).map((worker) => worker.stop()),
      ]);
      await services.end('temporal');
      await rm(folder, { recursive: true, force: true });
    },
  };
  try {
    const wanted = options.start ?? ['temporal', 'worker', 'server'];
    if (wanted.includes('temporal')) await services.restart('temporal');
    const started = await Promise.allSettled(
      wanted.filter((name) => name !== 'temporal').map((name) => services.restart(name)),
    );
    for (const result of started) if (result.status === 'rejected') throw result.reason;
  } catch (thrown) {
    await services.stop();
    throw thrown;
  }
  return services;
}

/** The environment without the developer's own settings of the product, but for where its tools lie. */
function withoutSettings(env: Environment): Environment {
  const kept = new Set(['FORGE_CACHE', 'FORGE_SOFFICE']);
  return Object.fromEntries(Object.entries(env).filter(([name]) => kept.has(name) || !/^(FORGE|TEMPORAL)_/.test(name)));
}

/** A port far from the defaults, so that tests beside each other seldom meet. */
const somePort = (): Promise<number> => freePort(20_000 + Math.floor(Math.random() * 12_000));

/** The workflow bundle depends on the sources alone: made once, it serves every test. */
async function shareBundles(folder: string): Promise<void> {
  const shared = join(tmpdir(), 'forge-test-bundles');
  await mkdir(shared, { recursive: true });
  await symlink(shared, join(folder, 'cache'));
}

/** Asks until the answer is a value; fails with the last error, or with `what`, after `withinMs`. */
export async function eventually<T>(
  what: string,
  ask: () => Promise<T | null | undefined | false>,
  withinMs = 30_000,
): Promise<T> {
  let last: unknown = new Error('it did not come');
  for (const until = Date.now() + withinMs; Date.now() < until; await sleep(50)) {
    try {
      const answer = await ask();
      if (answer !== null && answer !== undefined && answer !== false) return answer;
    } catch (thrown) {
      last = thrown;
    }
  }
  throw new Error(`Waited ${withinMs} ms in vain: ${what}.`, { cause: last });
}
