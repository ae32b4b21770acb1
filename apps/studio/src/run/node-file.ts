import { allPages } from '@cua-forge/api-client/all-pages';
import type { NodeDetail } from '@cua-forge/spec/api/runs';
import type { Json } from '@cua-forge/spec/json';
import type { ValueRef } from '@cua-forge/spec/value';
import { readValue } from '../api/files-api.ts';
import { runsApi } from '../api/runs-api.ts';

/** All that is known of a node of a run, as JSON: executions, model calls with prompts and answers, log. Hidden values stay out. */
export async function nodeFile(runId: string, key: string, { outcomes, calls, params }: NodeDetail): Promise<string> {
  const text = async (ref: ValueRef | null): Promise<Json> =>
    ref === null ? null : ref.hidden === true ? '(hidden)' : readValue(ref);
  const log = await allPages(
    (page) => runsApi.nodeLog(runId, { ...page, key }),
    ({ events }) => events,
  );
  const asked = await Promise.all(
    calls.map(async (call) => ({ ...call, prompt: await text(call.prompt), response: await text(call.response) })),
  );
  return JSON.stringify({ run: runId, node: key, params, executions: outcomes, calls: asked, log }, null, 2);
}
