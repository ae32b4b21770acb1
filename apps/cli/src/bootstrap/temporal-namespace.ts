import { searchAttributes } from '@cua-forge/spec/engine';
import type { Connection } from '@temporalio/client';
import proto from '@temporalio/proto';

const keyword = proto.temporal.api.enums.v1.IndexedValueType.INDEXED_VALUE_TYPE_KEYWORD;

/** Creates the search attributes that the namespace lacks. Safe to repeat, and for several processes at once. */
export async function ensureSearchAttributes(connection: Connection, namespace: string): Promise<void> {
  const present = await connection.operatorService.listSearchAttributes({ namespace });
  const missing = Object.values(searchAttributes).filter((name) => present.customAttributes?.[name] === undefined);
  if (missing.length === 0) return;
  await connection.operatorService.addSearchAttributes({
    namespace,
    searchAttributes: Object.fromEntries(missing.map((name) => [name, keyword])),
  });
}

/** Sets for how long the namespace keeps the histories of closed workflows. */
export async function setRetention(connection: Connection, namespace: string, hours: number): Promise<void> {
  await connection.workflowService.updateNamespace({
    namespace,
    config: { workflowExecutionRetentionTtl: proto.google.protobuf.Duration.fromObject({ seconds: hours * 3600 }) },
  });
}
