import type { ApiClient } from '@cua-forge/api-client/api-client';
import { exitCodes } from './exit-code.ts';
import { type GenerateOptions, type GenerateSummary, generate } from './generate.ts';
import { type Output, printResult } from './output.ts';

function summaryText({ requested, accepted, provider, usd, seconds, packages }: GenerateSummary): string {
  const money = usd === null ? 'price unknown' : `$${usd.toFixed(4)}`;
  const head = `${accepted} of ${requested} task packages (${provider}, ${money}, ${seconds} s)`;
  return [head, ...packages.map(({ path }) => `  ${path}`)].join('\n');
}

/** Exit code 0 when something was accepted and nothing failed; runs that a gate rejected are no failures. */
export async function generateCommand(options: GenerateOptions, api: ApiClient, output: Output): Promise<number> {
  const summary = await generate(options, api, output.reporter);
  printResult(output, summary, summaryText);
  return summary.accepted === 0 || summary.failed > 0 ? exitCodes.failed : exitCodes.done;
}
