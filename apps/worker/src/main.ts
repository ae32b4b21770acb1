import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createModels } from '@cua-forge/models/create-models';
import { describeModels } from '@cua-forge/models/describe-models';
import { modelsConfigFromEnv } from '@cua-forge/models/models-config';
import { loadSandboxSettings } from '@cua-forge/sandbox/settings';
import { chainedSecrets } from '@cua-forge/secrets/chained-secrets';
import { redactedSecrets, redactorFor } from '@cua-forge/secrets/redactor';
import { secretSettings, secretSources, withSecretVariables } from '@cua-forge/secrets/secret-settings';
import { instanceName } from '@cua-forge/store/instance-name';
import { openStore } from '@cua-forge/store/open-store';
import { tracingConfigFromEnv } from '@cua-forge/telemetry/telemetry-config';
import { traceFields } from '@cua-forge/telemetry/tracing';
import { NativeConnection } from '@temporalio/worker';
import pino from 'pino';
import { QuickJs } from './code/quick-js.ts';
import { createWorkers } from './create-workers.ts';
import { startDesktopService } from './desktops/desktop-service.ts';
import { Desktops } from './desktops/desktops.ts';
import { preparePackage } from './desktops/prepare-package.ts';
import { AllowedHttp } from './http/allowed-http.ts';
import { loadEnv } from './load-env.ts';
import { LibreOffice } from './office/libre-office.ts';
import { createProvider } from './sandbox/create-providers.ts';
import { LentSandboxes } from './sandbox/lent-sandboxes.ts';
import { WebhookSender } from './webhooks/webhook-sender.ts';
import { startWorkerTelemetry } from './worker-telemetry.ts';
import { workflowBundle } from './workflow-bundle.ts';

const env = loadEnv(process.env);
const sources = secretSources(secretSettings(process.env, env.FORGE_DATA), process.env);
const redactor = await redactorFor(process.env, sources);
const secrets = redactedSecrets(chainedSecrets(sources), redactor);
const log = pino(
  {
    name: 'worker',
    level: env.FORGE_LOG_LEVEL,
    mixin: traceFields,
    hooks: { streamWrite: (line) => redactor.text(line) },
  },
  pino.destination(2),
);

const tracing = tracingConfigFromEnv(process.env);
const telemetry = startWorkerTelemetry({ log, metricsAddress: env.FORGE_METRICS_ADDRESS, tracing });

/** Temporal may start later than this process, or be away for a while. */
async function connect(signal: AbortSignal): Promise<NativeConnection> {
  for (let attempt = 1; ; attempt++) {
    signal.throwIfAborted();
    try {
      return await NativeConnection.connect({
        address: env.TEMPORAL_ADDRESS,
        ...(env.TEMPORAL_TLS ? { tls: true } : {}),
        ...(env.TEMPORAL_API_KEY ? { apiKey: env.TEMPORAL_API_KEY } : {}),
      });
    } catch (error) {
      if (attempt === 1 || attempt % 20 === 0)
        log.warn(
          { address: env.TEMPORAL_ADDRESS, error: error instanceof Error ? error.message : String(error) },
          'Temporal does not answer; trying again',
        );
      await sleep(Math.min(5_000, 250 * attempt), undefined, { signal });
    }
  }
}

const stop = new AbortController();
const store = await openStore(env.store);
const office = new LibreOffice(env.FORGE_SOFFICE ?? 'soffice');
const [bundle, connection, version] = await Promise.all([
  workflowBundle(join(env.FORGE_DATA, 'cache'), log, tracing !== null),
  connect(stop.signal),
  office.version(),
]);
const sandboxSettings = loadSandboxSettings(process.env, join(import.meta.dirname, '../../..'));
const providers = (
  sandboxSettings.provider === 'auto'
    ? (['docker', 'bubblewrap'] as const)
    : sandboxSettings.provider === 'none'
      ? []
      : [sandboxSettings.provider]
).map((name) => createProvider(name, sandboxSettings));
const sandboxes = new LentSandboxes(providers, { warm: sandboxSettings.warm, log });
const desktopService =
  env.desktops === null
    ? null
    : await startDesktopService({
        desktops: new Desktops({
          providers,
          folder: join(sandboxSettings.runtime, '.recordings'),
          prepare: preparePackage(store),
        }),
        runtime: sandboxSettings.runtime,
        instance: instanceName(env.store),
        tcp: env.desktops,
        log,
      }).catch((error: unknown) => {
        // Runs do not need it.
        log.warn({ error: String(error) }, 'desktops of this machine cannot be shown');
        return null;
      });
const http = new AllowedHttp(env.FORGE_HTTP_ALLOW);
const modelsConfig = modelsConfigFromEnv(await withSecretVariables(process.env, secrets));
const workers = await createWorkers({
  connection,
  namespace: env.TEMPORAL_NAMESPACE,
  store,
  models: telemetry.watch(createModels(modelsConfig)),
  describeModels: () => describeModels(modelsConfig, Date.now()),
  office,
  secrets,
  redactor,
  http,
  code: new QuickJs(),
  sandboxes: sandboxes.portOf,
  environment: version ?? 'no LibreOffice',
  bundle,
  slots: { light: env.FORGE_LIGHT_SLOTS, model: env.FORGE_MODEL_SLOTS, heavy: env.FORGE_HEAVY_SLOTS },
  tuning: {
    roles: env.FORGE_QUEUES,
    workflowSlots: env.FORGE_WORKFLOW_SLOTS,
    localSlots: env.FORGE_LOCAL_SLOTS,
    cachedWorkflows: env.FORGE_CACHED_WORKFLOWS,
    identity: `${env.FORGE_WORKER_NAME ?? 'worker'} (${process.pid}@${hostname()})`,
    buildId: env.FORGE_BUILD_ID,
  },
  observe: telemetry.observe,
  ...(telemetry.plugin === undefined ? {} : { plugin: telemetry.plugin }),
  log,
});
for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => workers.shutdown());
sandboxes.sweepNowAndThen();
const webhooks = new WebhookSender({ meta: store.meta, http, secrets, log });
webhooks.start();
const running = workers.run();
process.stdout.write(`${JSON.stringify({ ready: 'worker' })}\n`);
try {
  await running;
} finally {
  await webhooks.stop();
  await desktopService?.close();
  await sandboxes.close();
  await connection.close();
  await store.meta.close();
  await telemetry.shutdown();
}
