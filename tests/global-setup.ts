import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { streamReporter } from '@cua-forge/cli/bootstrap/progress';
import { startTemporalServer } from '@cua-forge/cli/bootstrap/temporal-server';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** The Temporal server that all integration tests share; take task queues and workflow ids of your own. */
    temporal: { address: string; namespace: string; uiUrl: string };
  }
}

/** Starts one Temporal server for the integration tests, in a folder that goes away with it. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'forge-tests-'));
  const server = await startTemporalServer({ folder, env: process.env, reporter: streamReporter(process.stderr) });
  project.provide('temporal', { address: server.address, namespace: server.namespace, uiUrl: server.uiUrl });
  return async () => {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  };
}
