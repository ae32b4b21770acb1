import type { ApiClient } from '@cua-forge/api-client/api-client';
import { CostBy } from '@cua-forge/spec/costs';
import type { RevisionChoice } from '@cua-forge/spec/publication';
import { type Command, type CommandOptions, InvalidArgumentError, Option } from 'commander';
import {
  batchCommand,
  cancelBatch,
  exportBatch,
  followToEnd,
  listBatches,
  pauseBatch,
  resumeBatch,
  retryBatch,
  showBatch,
} from './commands/batch.ts';
import { type CostOptions, costsCommand } from './commands/costs.ts';
import { revisionOption } from './commands/document-version.ts';
import { parsePairs } from './commands/given-inputs.ts';
import type { Output } from './commands/output.ts';

export const whole = (text: string): number => {
  if (!/^-?\d{1,15}$/.test(text)) throw new InvalidArgumentError('It must be a whole number.');
  return Number(text);
};
export const positive = (text: string): number => {
  const value = whole(text);
  if (value < 1) throw new InvalidArgumentError('It must be at least 1.');
  return value;
};
const dollars = (text: string): number => {
  const value = /^\d+(\.\d+)?$/.test(text) ? Number(text) : 0;
  if (value <= 0) throw new InvalidArgumentError('It must be an amount of US dollars, such as 2.50.');
  return value;
};
export const collect = (text: string, before: string[]): string[] => [...before, text];

/** Options that bound what is spent on models. */
export const withBudget = (command: Command): Command =>
  command
    .option('--budget-usd <usd>', 'most to spend on models, in US dollars', dollars)
    .option('--budget-tokens <n>', 'most tokens to read and write', positive);
export interface BudgetOptions {
  budgetUsd?: number;
  budgetTokens?: number;
}

interface Parts {
  command: (name: string, parent?: Command, options?: CommandOptions) => Command;
  /** For commands that bring what they need. */
  embedded: (work: (api: ApiClient) => Promise<number>) => Promise<void>;
  /** For commands that act on something that is running. */
  running: (work: (api: ApiClient) => Promise<number>) => Promise<void>;
  output: Output;
  signal: AbortSignal;
}

/** The commands about many runs at once and what they cost. */
export function addBatchCommands(program: Command, { command, embedded, running, output, signal }: Parts): void {
  const batch = program.command('batch').description('make many runs of one skill or of several');
  withBudget(command('start', batch, { isDefault: true }))
    .description('start a batch and write its packages as they come; Ctrl+C pauses it')
    .argument('<skills...>')
    .option('--count <n>', 'runs of each skill', positive, 1)
    .option('--seed <n>', 'seed of the first; the next ones follow', whole, 1)
    .option('--window <n>', 'runs in progress at once', positive)
    .option('--out <folder>', 'where to write packages', 'out')
    .option('--input <name=value>', 'value of an input, of one skill with skill.name', collect, [])
    .addOption(revisionOption())
    .option('--no-wait', 'start it and leave; needs services that run')
    .action(
      async (
        skills: string[],
        options: BudgetOptions & {
          count: number;
          seed: number;
          revision: RevisionChoice;
          window?: number;
          out: string;
          input: string[];
          wait: boolean;
        },
      ) => {
        const { count, seed, revision, window, out, wait, budgetUsd: usd, budgetTokens: tokens } = options;
        const inputs = parsePairs('--input', options.input);
        const request = { skills, count, seed, revision, window, out, inputs, wait, budget: { usd, tokens }, signal };
        await (wait ? embedded : running)((api) => batchCommand(request, api, output));
      },
    );
  command('show', batch)
    .description('counts, pace, failures and cost of a batch')
    .argument('<batch>')
    .action((id: string) => embedded((api) => showBatch(api, output, id)));
  command('watch', batch)
    .description('follow a batch to its end and write its packages')
    .argument('<batch>')
    .option('--out <folder>', 'where to write packages', 'out')
    .action((id: string, { out }: { out: string }) => embedded((api) => followToEnd(api, output, { id, out, signal })));
  command('pause', batch)
    .description('start no more runs of a batch; those in progress end')
    .argument('<batch>')
    .action((id: string) => running((api) => pauseBatch(api, output, id)));
  withBudget(command('resume', batch))
    .description('go on with a batch that is paused, out of budget or cancelled')
    .argument('<batch>')
    .option('--window <n>', 'runs in progress at once from now on', positive)
    .action((id: string, { budgetUsd: usd, budgetTokens: tokens, window }: BudgetOptions & { window?: number }) => {
      const budget = { ...(usd === undefined ? {} : { usd }), ...(tokens === undefined ? {} : { tokens }) };
      const request = { budget, ...(window === undefined ? {} : { window }) };
      return running((api) => resumeBatch(api, output, id, request));
    });
  command('cancel', batch)
    .description('cancel the runs of a batch and start no others')
    .argument('<batch>')
    .action((id: string) => running((api) => cancelBatch(api, output, id)));
  command('retry', batch)
    .description('run what failed in a batch again, in its window')
    .argument('<batch>')
    .option('--failed <code>', 'those that failed with this code; without it also those that were cancelled')
    .action((id: string, { failed }: { failed?: string }) => running((api) => retryBatch(api, output, id, failed)));
  command('export', batch)
    .description('write what has been accepted so far')
    .argument('<batch>')
    .option('--out <folder>', 'where to write packages', 'out')
    .option('--rejected', 'also those that people rejected', false)
    .action((id: string, options: { out: string; rejected: boolean }) =>
      embedded((api) => exportBatch(api, output, id, options)),
    );

  command('batches')
    .description('newest batches')
    .option('--limit <n>', 'how many', positive, 20)
    .action(({ limit }: { limit: number }) => embedded((api) => listBatches(api, output, limit)));

  command('costs')
    .description('what models cost, by node, run, skill, batch or model')
    .addOption(new Option('--by <what>', 'what to add up by').choices(CostBy.options).default('skill'))
    .option('--run <run>', 'of one run')
    .option('--batch <batch>', 'of one batch')
    .option('--from <time>', 'from this day or moment on (ISO 8601, UTC)')
    .option('--to <time>', 'before this day or moment')
    .option('--limit <n>', 'rows', positive, 20)
    .action(({ by, run, batch, from, to, limit }: CostOptions) =>
      embedded((api) => costsCommand({ by, run, batch, from, to, limit }, api, output)),
    );
}
