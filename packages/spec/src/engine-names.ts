/** Names on the wire between server, workflows and worker. Changing one breaks running workflows. */
export const workflowTypes = {
  runGraph: 'runGraph',
  runItems: 'runItems',
  runBatch: 'runBatch',
  runHosted: 'runHosted',
  runScheduled: 'runScheduled',
  consult: 'consult',
} as const;
export const taskQueues = {
  workflows: 'forge',
  light: 'forge-light',
  model: 'forge-model',
  heavy: 'forge-heavy',
} as const;
/** Under this name Temporal keeps the builds of the worker, where runs stay with the build that they were started on. */
export const deploymentName = 'cua-forge';
/** A decision about an approval inside a map item, handed on to the slice that runs it. */
export const decisionSignal = 'decision';
/** Tells a host to cancel one of its runs. */
export const cancelRunSignal = 'cancelRun';
/** Tells a batch that its record has changed. */
export const batchSignal = 'look';
export const updateNames = { retry: 'retry', approve: 'approve' } as const;
export const searchAttributes = {
  skill: 'ForgeSkill',
  workflow: 'ForgeWorkflow',
  version: 'ForgeVersion',
  batch: 'ForgeBatch',
  state: 'ForgeState',
} as const;

export const runWorkflowId = (runId: string): string => `run/${runId}`;
export const batchWorkflowId = (batchId: string): string => `batch/${batchId}`;
/** A workflow that drives several small runs. */
export const hostWorkflowId = (hostId: string): string => `host/${hostId}`;
export const isHostWorkflow = (workflowId: string): boolean => workflowId.startsWith(hostWorkflowId(''));
/** Id of the batch that one turn of a schedule begins; a turn is a workflow. */
export const scheduledBatchId = (turn: string, sha256: (text: string) => string): string =>
  `b${sha256(`schedule ${turn}`).slice(0, 16)}`;
export const runIdOfWorkflow = (workflowId: string): string | null => /^run\/([^/]+)$/.exec(workflowId)?.[1] ?? null;

/** Short name of a document version, as it is shown and searched for in Temporal. */
export const versionOf = (documentHash: string): string => documentHash.slice(0, 12);
