/** What the worker bundles: every workflow of the product. */
export { consult } from './consult/consult.workflow.ts';
export { runBatch } from './run-batch/run-batch.workflow.ts';
export { runGraph } from './run-graph/run-graph.workflow.ts';
export { runHosted } from './run-hosted/run-hosted.workflow.ts';
export { runItems } from './run-items/run-items.workflow.ts';
export { runScheduled } from './run-scheduled/run-scheduled.workflow.ts';
