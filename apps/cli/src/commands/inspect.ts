import type { ApiClient } from '@cua-forge/api-client/api-client';
import type { VerdictFilter } from '@cua-forge/spec/api/packages';
import type { RunState } from '@cua-forge/spec/store-port';
import { exitCodes } from './exit-code.ts';
import { type Output, printResult, tableText } from './output.ts';
import { runsText, runText } from './run-text.ts';

export async function listRuns(
  api: ApiClient,
  output: Output,
  filter: { state?: RunState; documentId?: string; batchId?: string; limit: number },
): Promise<number> {
  const { runs } = await api.runs(filter);
  printResult(output, runs, runsText);
  return exitCodes.done;
}

export async function showRun(api: ApiClient, output: Output, id: string): Promise<number> {
  const view = await api.run(id);
  const text = output.json ? '' : await runText(view, api);
  printResult(output, view, () => text);
  return exitCodes.done;
}

export async function listPackages(
  api: ApiClient,
  output: Output,
  filter: { skill?: string; batchId?: string; verdict?: VerdictFilter; limit: number },
): Promise<number> {
  const { packages, reviews } = await api.packages(filter);
  printResult(output, packages, (all) =>
    all.length === 0
      ? 'There are no packages.'
      : tableText(
          ['package', 'skill', 'seed', 'outcome', 'review', 'title'],
          all.map((one) => [
            one.id,
            one.skill,
            String(one.seed),
            one.outcomeKind,
            reviews[one.id]?.verdict ?? 'unreviewed',
            one.title,
          ]),
        ),
  );
  return exitCodes.done;
}
