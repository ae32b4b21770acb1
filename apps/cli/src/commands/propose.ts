import type { ApiClient } from '@cua-forge/api-client/api-client';
import type { Proposal } from '@cua-forge/spec/proposals';
import { exitCodes } from './exit-code.ts';
import { type Output, printResult } from './output.ts';

export interface ProposeOptions {
  document: string;
  words: string;
  model: string | undefined;
  /** Save what is valid at once. */
  accept: boolean;
}

/** Asks a model how a stored document is to change, and shows the difference. Saves it with `accept` alone. */
export async function proposeCommand(options: ProposeOptions, api: ApiClient, output: Output): Promise<number> {
  const { document, words, model, accept } = options;
  output.reporter.update(`${document}: asking a model for a proposal`);
  const proposal = await api.proposeChange(document, {
    words,
    ...(model === undefined ? {} : { model }),
    accept: accept ? 'if-valid' : 'never',
  });
  printResult(output, proposal, proposalText);
  return exitCodes.done;
}

function proposalText(proposal: Proposal): string {
  const { summary, changes, provider, model, calls, usage, accepted, documentId } = proposal;
  const lines = changes.map(({ what, change, name, path, before, after }) => {
    const values = change === 'changed' ? `: ${JSON.stringify(before) ?? '—'} → ${JSON.stringify(after) ?? '—'}` : '';
    return `  ${change} ${what} ${name}${path === undefined ? '' : ` ${path}`}${values}`;
  });
  const end =
    accepted === null
      ? 'Nothing was saved. --accept saves a proposal, or open the document in the studio.'
      : `Saved as revision ${accepted} of ${documentId}.`;
  const cost = `${provider}:${model}, ${calls} call${calls === 1 ? '' : 's'}, ${usage.input + usage.output} tokens`;
  return [summary, ...lines, cost, end].join('\n');
}
