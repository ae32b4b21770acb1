import { proxyActivities } from '@temporalio/workflow';

/** What a careful author would write by hand: the same steps on the same server, values by reference, no engine in between. */
export interface RawActivities {
  rawStep(input: { runId: string; step: number; inputs: string[] }): Promise<string>;
}

const { rawStep } = proxyActivities<RawActivities>({
  taskQueue: 'raw-steps',
  startToCloseTimeout: '2m',
  heartbeatTimeout: '15s',
  retry: { maximumAttempts: 3, initialInterval: '500ms' },
});

export async function rawChain(runId: string, first: string, length: number): Promise<string> {
  let value = first;
  for (let step = 0; step < length; step++) value = await rawStep({ runId, step, inputs: [value] });
  return value;
}

export async function rawLayer(runId: string, first: string, width: number): Promise<string[]> {
  return Promise.all(Array.from({ length: width }, (_, step) => rawStep({ runId, step, inputs: [first] })));
}

/** 1 → 4 → 4 → 1. */
export async function rawDiamond(runId: string, first: string): Promise<string> {
  const source = await rawStep({ runId, step: 0, inputs: [first] });
  const columns = await Promise.all(
    Array.from({ length: 4 }, async (_, column) => {
      const upper = await rawStep({ runId, step: 1 + column, inputs: [source] });
      return rawStep({ runId, step: 5 + column, inputs: [upper] });
    }),
  );
  return rawStep({ runId, step: 9, inputs: columns });
}

/** No step at all: what Temporal takes for starting and ending a workflow. */
export async function rawNothing(runId: string): Promise<string> {
  return runId;
}
