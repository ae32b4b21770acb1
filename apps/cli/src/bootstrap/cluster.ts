import { ForgeError, toForgeError } from '@cua-forge/spec/errors';
import { Connection } from '@temporalio/client';
import type { Reporter } from './progress.ts';
import type { Cluster } from './settings.ts';
import { ensureSearchAttributes } from './temporal-namespace.ts';

/** Checks that a cluster of the user's answers and has the namespace, and adds the product's search attributes where that is allowed. */
export async function prepareCluster(cluster: Cluster, reporter: Reporter): Promise<void> {
  let connection: Connection;
  try {
    connection = await Connection.connect({
      address: cluster.address,
      connectTimeout: 10_000,
      ...(cluster.tls ? { tls: true } : {}),
      ...(cluster.apiKey === undefined ? {} : { apiKey: cluster.apiKey }),
    });
  } catch (error) {
    throw unusable(cluster, error);
  }
  try {
    await connection.withDeadline(Date.now() + 10_000, () =>
      connection.workflowService.describeNamespace({ namespace: cluster.namespace }),
    );
    await ensureSearchAttributes(connection, cluster.namespace).catch((error: unknown) => {
      reporter.line(
        `Search attributes could not be added to namespace ${cluster.namespace} (${toForgeError(error).message}). Add ForgeSkill, ForgeWorkflow, ForgeVersion, ForgeBatch and ForgeState as keywords.`,
      );
    });
  } catch (error) {
    throw unusable(cluster, error);
  } finally {
    await connection.close();
  }
}

const unusable = (cluster: Cluster, cause: unknown): ForgeError =>
  new ForgeError(
    'temporal.unreachable',
    `Temporal at ${cluster.address}, namespace ${cluster.namespace}, cannot be used: ${toForgeError(cause).message}`,
    {
      fix: 'Check TEMPORAL_ADDRESS, TEMPORAL_NAMESPACE, TEMPORAL_TLS and TEMPORAL_API_KEY; or unset TEMPORAL_ADDRESS to run with a Temporal server of its own.',
      cause,
    },
  );
