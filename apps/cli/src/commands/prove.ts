import { stat } from 'node:fs/promises';
import type { ApiClient } from '@cua-forge/api-client/api-client';
import { ProofRecord } from '@cua-forge/spec/proof';
import { exitCodes } from './exit-code.ts';
import { exportPackage } from './export-package.ts';
import { takeUp } from './interchange.ts';
import { type Output, printResult } from './output.ts';
import { waitForRun } from './wait-for-run.ts';

export interface ProveOptions {
  /** Ids of packages, or folders and archives of some. */
  sources: readonly string[];
  /** Folder that the packages are written to with their proofs. */
  out?: string | undefined;
  signal: AbortSignal;
}

interface Proved {
  id: string;
  verdict: string;
  reason: string | null;
  provider: string | null;
  seconds: number;
  steps: { step: string; result: string; seconds: number }[];
  path: string | null;
}

const isThere = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );

async function proofOf(api: ApiClient, id: string, out: string | undefined): Promise<Proved> {
  const { package: made } = await api.package(id);
  const file = made.files.find(({ path }) => path === 'proof/proof.json')?.file;
  const path = out === undefined ? null : await exportPackage(api, id, out);
  if (file === undefined)
    return {
      id,
      verdict: 'unproven',
      reason: 'The proof left no record.',
      provider: null,
      seconds: 0,
      steps: [],
      path,
    };
  const { verdict, reason, provider, seconds, steps } = ProofRecord.parse(
    JSON.parse(new TextDecoder().decode(await api.file(file.hash))),
  );
  const brief = steps.map(({ step, result, seconds: took }) => ({ step, result, seconds: took }));
  return { id, verdict, reason, provider, seconds, steps: brief, path };
}

const textOf = (proved: readonly Proved[]): string =>
  proved
    .map(({ id, verdict, reason, provider, seconds, path }) =>
      [
        `${id}: ${verdict}${provider === null ? '' : ` on ${provider}`}, ${seconds.toFixed(1)} s`,
        ...(reason === null ? [] : [`  ${reason}`]),
        ...(path === null ? [] : [`  ${path}`]),
      ].join('\n'),
    )
    .join('\n');

/** Proves packages, one after the other; what lies in folders or archives is taken up first. Exit code 1 when one is not proven. */
export async function proveCommand(options: ProveOptions, api: ApiClient, output: Output): Promise<number> {
  const { sources, out, signal } = options;
  const proved: Proved[] = [];
  for (const [index, source] of sources.entries()) {
    const id = (await isThere(source)) ? await takeUp(api, source) : source;
    const run = await api.provePackage(id);
    const { run: ended } = await waitForRun(api, run.id, output.reporter, signal);
    if (ended.state === 'succeeded') proved.push(await proofOf(api, id, out));
    else
      proved.push({
        id,
        verdict: 'unproven',
        reason: ended.failure?.message ?? `The run ${ended.id} is ${ended.state}.`,
        provider: null,
        seconds: 0,
        steps: [],
        path: null,
      });
    output.reporter.line(`${index + 1} of ${sources.length}: ${id} ${proved.at(-1)?.verdict}`);
    if (signal.aborted) break;
  }
  printResult(output, proved, textOf);
  return proved.length === sources.length && proved.every(({ verdict }) => verdict === 'proven')
    ? exitCodes.done
    : exitCodes.failed;
}
