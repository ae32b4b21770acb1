import type { ApiClient } from '@cua-forge/api-client/api-client';
import type { Json } from '@cua-forge/spec/json';
import type { Outcome, RunRecord, RunState } from '@cua-forge/spec/store-port';
import { eventually } from './services.ts';

const settled: readonly RunState[] = ['succeeded', 'failed', 'cancelled', 'terminated', 'needs-attention'];

/** Waits until the run is in one of the states: by default any end, or needs-attention. */
export function runIn(api: ApiClient, runId: string, states = settled, withinMs = 60_000): Promise<RunRecord> {
  return eventually(
    `run ${runId} is ${states.join(' or ')}`,
    async () => {
      const { run, nodes } = await api.run(runId);
      if (states.includes(run.state)) return run;
      throw new Error(`it is ${run.state}: ${nodes.map(({ key, status }) => `${key} ${status}`).join(', ')}`);
    },
    withinMs,
  );
}

/** Values of the outputs of a run, by name. */
export async function outputsOf(api: ApiClient, run: RunRecord): Promise<Record<string, Json>> {
  const named = Object.entries(run.outputs).map(
    async ([name, { hash, index }]) => [name, await api.value(hash, { index })] as const,
  );
  return Object.fromEntries(await Promise.all(named));
}

/** How many outcomes each node has. */
export function countByNode(outcomes: readonly Outcome[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { key } of outcomes) counts[key] = (counts[key] ?? 0) + 1;
  return counts;
}
