import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { redactorFor } from '@cua-forge/secrets/redactor';
import { secretSettings, secretSources } from '@cua-forge/secrets/secret-settings';
import { ForgeError, toForgeError } from '@cua-forge/spec/errors';
import { kinds } from '@cua-forge/spec/kinds';
import { instanceName } from '@cua-forge/store/instance-name';
import { openStore } from '@cua-forge/store/open-store';
import { tracingConfigFromEnv } from '@cua-forge/telemetry/telemetry-config';
import { startTracing } from '@cua-forge/telemetry/tracing';
import manifest from '../package.json' with { type: 'json' };
import { createApp } from './app.ts';
import { DesktopHosts } from './desktops/desktop-hosts.ts';
import { relayViews } from './desktops/relay-views.ts';
import { shipSkills } from './documents/ship-skills.ts';
import { EventHub } from './events/event-hub.ts';
import { createLogger } from './http/request-log.ts';
import { KeyedLock } from './keyed-lock.ts';
import { loadEnv, type ServerEnv } from './load-env.ts';
import { Reconciler } from './reconciler.ts';
import { createAccess } from './security/create-access.ts';
import type { Services } from './services.ts';
import { temporalEngineClient } from './temporal-engine-client.ts';
import { Collector } from './upkeep/collector.ts';

/** Milliseconds that open requests get when the server stops. */
const farewellMs = 3_000;

async function main(): Promise<void> {
  const env = loadEnv(process.env);
  const sources = secretSources(secretSettings(process.env, env.dataFolder), process.env);
  const redactor = await redactorFor(process.env, sources);
  const log = createLogger(env.logLevel, undefined, redactor);
  const store = await openStore(env.store);
  const tracingConfig = tracingConfigFromEnv(process.env);
  const tracing =
    tracingConfig === null ? undefined : startTracing(tracingConfig, 'cua-forge-server', manifest.version);
  const engine = temporalEngineClient(env.temporal, tracing);
  const events = new EventHub(store.meta);
  const services: Services = {
    env,
    store,
    engine,
    kinds,
    events,
    log,
    redactor,
    access: await createAccess(env),
    locks: new KeyedLock(),
    collector: new Collector({ store, log, now: Date.now }, env.upkeep),
    desktops: new DesktopHosts({ ...env.desktops, instance: instanceName(env.store) }),
    now: Date.now,
    ...(tracing === undefined ? {} : { tracing }),
  };
  log.info(await shipSkills(services, join(env.store.folder, 'shipped-skills.json')), 'shipped skills');

  const server = createServer(createApp(services));
  server.on('upgrade', relayViews(services));
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause) => reject(cannotListen(env, cause)));
    server.listen(env.port, env.host, resolve);
  });
  const reconciler = new Reconciler(services);
  reconciler.start();
  services.collector.schedule();
  process.stdout.write(`${JSON.stringify({ ready: 'server', url: urlOf(server.address(), env.host) })}\n`);

  let stopping = false;
  const stop = async () => {
    if (stopping) return;
    stopping = true;
    events.close();
    const closed = new Promise((resolve) => server.close(resolve));
    setTimeout(() => server.closeAllConnections(), farewellMs).unref();
    server.closeIdleConnections();
    await closed;
    await Promise.all([reconciler.stop(), services.collector.stop()]);
    await Promise.all([engine.close(), store.meta.close()]);
    await tracing?.shutdown();
  };
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
}

function cannotListen({ host, port }: ServerEnv, cause: Error): ForgeError {
  return new ForgeError('input.invalid', `It cannot listen on ${host}:${port}: ${cause.message}.`, {
    fix: 'Choose another FORGE_PORT or FORGE_HOST.',
    cause,
  });
}

function urlOf(address: AddressInfo | string | null, host: string): string {
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const name = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host;
  return `http://${name}:${port}`;
}

main().catch((thrown: unknown) => {
  const error = toForgeError(thrown);
  process.stderr.write(
    `The server cannot start. ${error.message}${error.fix === undefined ? '' : ` ${error.fix}`}\n`,
    () => process.exit(1),
  );
});
