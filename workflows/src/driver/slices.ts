import type { ItemsResult, RunItemsInput } from '@cua-forge/spec/engine';
import { workflowTypes } from '@cua-forge/spec/engine-names';
import { startChild, workflowInfo } from '@temporalio/workflow';
import type { Command } from '../interpreter/state.ts';

type SliceCommand = Extract<Command, { type: 'slice' }>;

export const sliceWorkflowId = (runId: string, mapKey: string, slice: number): string =>
  `run/${runId}/${mapKey}/${slice}`;

/** Runs some items of a map in a child workflow; cancelling the scope it is called in cancels the child and waits for it. */
export async function runSlice(runId: string, command: SliceCommand): Promise<ItemsResult> {
  const { key, slice, scope, items, list, shared, edits, resume, retry, fresh } = command;
  const input: RunItemsInput = {
    runId,
    mapKey: key,
    scope,
    items,
    list,
    shared,
    edits,
    resume,
    retry,
    fresh,
    carried: null,
  };
  const child = await startChild<(input: RunItemsInput) => Promise<ItemsResult>>(workflowTypes.runItems, {
    workflowId: sliceWorkflowId(runId, key, slice),
    args: [input],
    parentClosePolicy: 'REQUEST_CANCEL',
    cancellationType: 'WAIT_CANCELLATION_COMPLETED',
    staticSummary: `${key}: items ${rangeText(items)}`,
    searchAttributes: workflowInfo().searchAttributes,
  });
  return child.result();
}

/** `0–9, 14` */
export function rangeText(items: readonly number[]): string {
  const parts: string[] = [];
  for (let start = 0; start < items.length; ) {
    let end = start;
    while (items[end + 1] === (items[end] ?? 0) + 1) end += 1;
    parts.push(end > start ? `${items[start]}–${items[end]}` : `${items[start]}`);
    start = end + 1;
  }
  return parts.join(', ').slice(0, 120);
}
