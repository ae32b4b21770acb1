import type { ApiClient } from '@cua-forge/api-client/api-client';
import type { Budget } from '@cua-forge/spec/budget';
import { ForgeError } from '@cua-forge/spec/errors';
import { JsonObject } from '@cua-forge/spec/json';
import { exitCodes } from './exit-code.ts';
import { parseJson } from './given-inputs.ts';
import { type Output, printResult } from './output.ts';

export interface RetryOptions {
  run: string;
  nodes: readonly string[];
  failure: string | undefined;
  /** Node path → JSON object of the params to use from now on. */
  params: ReadonlyMap<string, string>;
  /** Takes the place of the run's. */
  budget?: Budget;
}

export async function retryCommand(options: RetryOptions, api: ApiClient, output: Output): Promise<number> {
  const edits = Object.fromEntries(
    [...options.params].map(([key, text]) => {
      const params = JsonObject.safeParse(parseJson(`--params ${key}`, text));
      if (!params.success)
        throw new ForgeError('input.invalid', `--params ${key} must be a JSON object.`, {
          fix: 'Give all params of the node: --params \'draft={"count":3}\'.',
        });
      return [key, { params: params.data }];
    }),
  );
  const result = await api.retryRun(options.run, {
    targets: [...options.nodes],
    failureCode: options.failure,
    edits,
    ...(options.budget === undefined ? {} : { budget: options.budget }),
  });
  printResult(output, result, ({ reset, reopened }) => {
    const what = reset.length === 0 ? 'What had not finished' : reset.join(', ');
    return `${what} will run again${reopened ? '; the run is open again' : ''}.`;
  });
  return exitCodes.done;
}

export async function cancelCommand(run: string, api: ApiClient, output: Output): Promise<number> {
  printResult(output, await api.cancelRun(run), () => `Run ${run} is being cancelled.`);
  return exitCodes.done;
}

export async function approveCommand(
  options: { run: string; node: string; reject: boolean; by: string; note: string },
  api: ApiClient,
  output: Output,
): Promise<number> {
  const { run, node, reject, by, note } = options;
  const result = await api.approve(run, { key: node, decision: reject ? 'reject' : 'approve', by, note });
  printResult(output, result, () => `${node} is ${reject ? 'rejected' : 'approved'}.`);
  return exitCodes.done;
}
