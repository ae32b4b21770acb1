import type { ApiClient } from '@cua-forge/api-client/api-client';
import type { RunView } from '@cua-forge/spec/api/runs';
import type { RunRecord } from '@cua-forge/spec/store-port';
import type { ValueRef } from '@cua-forge/spec/value';
import { tableText } from './output.ts';

const time = (milliseconds: number): string => new Date(milliseconds).toISOString().slice(0, 19).replace('T', ' ');

/** Bytes up to which a value is fetched to be shown. */
const shownBytes = 2_000;

async function valueText(ref: ValueRef, api: ApiClient): Promise<string> {
  if (ref.hidden === true) return '(hidden)';
  if (ref.preview !== undefined) return ref.preview;
  if (ref.size > shownBytes && ref.index === undefined) return `(${ref.size} bytes)`;
  const value = await api.value(ref.hash, { index: ref.index });
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** One run for people: state, failures with what to do, outputs, cost. */
export async function runText({ run, nodes, usage, temporalUrl }: RunView, api: ApiClient): Promise<string> {
  const lines = [`${run.id}  ${run.title}  ${run.state}  seed ${run.seed}  ${time(run.createdAt)}`];
  if (run.failure !== null)
    lines.push(
      `  ${run.failure.code}: ${run.failure.message}`,
      ...(run.failure.fix === undefined ? [] : [`    ${run.failure.fix}`]),
    );
  for (const node of nodes) {
    if (node.failure === null) continue;
    lines.push(
      `  ${node.key}: ${node.failure.code}: ${node.failure.message}`,
      ...(node.failure.fix === undefined ? [] : [`    ${node.failure.fix}`]),
    );
  }
  for (const [name, ref] of Object.entries(run.outputs)) lines.push(`  ${name} = ${await valueText(ref, api)}`);
  const { calls, usd } = usage;
  if (calls > 0)
    lines.push(
      `  ${calls} model calls, ${usage.usage.input} + ${usage.usage.output} tokens, ${usd === null ? 'price unknown' : `$${usd.toFixed(4)}`}`,
    );
  if (run.state === 'needs-attention')
    lines.push(`  It waits for you: forge retry ${run.id}, or forge cancel ${run.id}`);
  if (temporalUrl !== null)
    lines.push(`  ${temporalUrl.startsWith('/') ? api.http.address(temporalUrl) : temporalUrl}`);
  return lines.join('\n');
}

export function runsText(runs: readonly RunRecord[]): string {
  if (runs.length === 0) return 'There are no runs.';
  const rows = runs.map((run) => [
    run.id,
    run.documentId,
    run.state,
    String(run.seed),
    time(run.createdAt),
    run.failure?.code ?? '',
  ]);
  return tableText(['run', 'document', 'state', 'seed', 'created (UTC)', 'failure'], rows);
}
