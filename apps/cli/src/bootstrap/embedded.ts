import { setTimeout as sleep } from 'node:timers/promises';
import { ForgeError } from '@cua-forge/spec/errors';
import { runningInstance, takeLock } from './lock.ts';
import type { Reporter } from './progress.ts';
import { startServices } from './services.ts';
import type { Settings } from './settings.ts';

/** Where a command finds the HTTP API. */
export interface ApiAddress {
  url: string;
  token: string | undefined;
}

export interface WithServicesOptions {
  settings: Settings;
  reporter: Reporter;
  /** Ends the wait for another instance, and keeps services from being started. */
  signal?: AbortSignal;
}

/**
 * Runs `work` against a server: the one of FORGE_URL, else the instance that runs in the data folder, else one started for the
 * time of the work and stopped afterwards, also when the work fails. Waits while another command uses the data folder.
 */
export async function withServices<T>(options: WithServicesOptions, work: (api: ApiAddress) => Promise<T>): Promise<T> {
  const { settings, reporter, signal } = options;
  if (settings.url !== undefined) return work({ url: settings.url, token: settings.token });
  let told = false;
  for (;;) {
    signal?.throwIfAborted();
    const taken = await takeLock(settings.data, 'command');
    if (taken.held) {
      try {
        const services = await startServices({ settings, reporter, studio: false });
        try {
          return await work({ url: services.addresses.studio, token: settings.token });
        } finally {
          await services.stop();
        }
      } finally {
        await taken.lock.release();
      }
    }
    if (taken.by.purpose === 'start' && taken.by.addresses !== null)
      return work({ url: taken.by.addresses.studio, token: settings.token });
    if (!told)
      reporter.line(
        `Waiting for ${taken.by.purpose === 'start' ? 'the instance that is starting' : 'another command'} (process ${taken.by.pid})`,
      );
    told = true;
    await sleep(300, undefined, signal === undefined ? {} : { signal });
  }
}

/** The server of FORGE_URL or of the running instance, for commands that make no sense without one. Fails with `server.unreachable`. */
export async function runningApi(settings: Settings): Promise<ApiAddress> {
  if (settings.url !== undefined) return { url: settings.url, token: settings.token };
  const instance = await runningInstance(settings.data);
  if (instance?.purpose === 'start' && instance.addresses !== null)
    return { url: instance.addresses.studio, token: settings.token };
  throw new ForgeError('server.unreachable', `Nothing runs in ${settings.data}.`, {
    fix: 'Start it with `npm start`, or set FORGE_URL to a running server.',
  });
}
