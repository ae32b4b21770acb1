import type { ApiClient } from '@cua-forge/api-client/api-client';
import type { EvaluationList } from '@cua-forge/spec/evaluation-view';
import type { RevisionChoice } from '@cua-forge/spec/publication';
import { type Command, Option } from 'commander';
import { type BudgetOptions, collect, positive, whole, withBudget } from '../batch-program.ts';
import { revisionChoice, revisionOption } from './document-version.ts';
import { evaluateCommand, evaluationText } from './evaluate.ts';
import { exitCodes } from './exit-code.ts';
import { parsePairs } from './given-inputs.ts';
import { type Output, printResult, tableText } from './output.ts';

interface Parts {
  command(name: string, parent?: Command): Command;
  embedded(work: (api: ApiClient) => Promise<number>): Promise<void>;
  running(work: (api: ApiClient) => Promise<number>): Promise<void>;
  output: Output;
  signal: AbortSignal;
}

interface EvaluateFlags extends BudgetOptions {
  count: number;
  seed: number;
  revision: RevisionChoice;
  against: RevisionChoice[];
  model: string[];
  window?: number;
  input: string[];
  prove: boolean;
  wait: boolean;
}

const listText = ({ evaluations }: EvaluationList): string =>
  evaluations.length === 0
    ? 'There are no evaluations.'
    : tableText(
        ['evaluation', 'title', 'document', 'variants', 'seeds', 'ended', 'started (UTC)'],
        evaluations.map(({ evaluation: { id, title, documentId, variants, count, createdAt }, done }) => [
          ...[id, title, documentId, String(variants.length), String(count), `${done} of ${variants.length * count}`],
          new Date(createdAt).toISOString().slice(0, 19).replace('T', ' '),
        ]),
      );

/** `evaluate` and `evaluations …`: versions and models of a document, compared on the same seeds. */
export function addEvaluateCommands(program: Command, { command, embedded, running, output, signal }: Parts): void {
  withBudget(command('evaluate'))
    .description('run versions or models of a document on the same seeds and compare acceptance, tokens and money')
    .argument('<document>')
    .option('--count <n>', 'seeds', positive, 10)
    .option('--seed <n>', 'the first; the next ones follow', whole, 1)
    .addOption(revisionOption())
    .addOption(
      new Option('--against <which>', 'another revision to compare with; may be given several times')
        .argParser((text: string, before: RevisionChoice[]) => [...before, revisionChoice(text)])
        .default([]),
    )
    .option(
      '--model <model>',
      'a model in the place of those that the document names, or as-is; several times',
      collect,
      [],
    )
    .option('--window <n>', 'runs of each at once', positive)
    .option('--input <name=value>', 'value of an input; for file inputs a path', collect, [])
    .option('--prove', 'packages have to prove themselves in a sandbox', false)
    .option('--no-wait', 'start it and leave; needs services that run')
    .action(async (document: string, options: EvaluateFlags) => {
      const { count, seed, revision, against, model: models, window, input, prove, wait } = options;
      const budget = { usd: options.budgetUsd, tokens: options.budgetTokens };
      const inputs = parsePairs('--input', input);
      const revisions = [revision, ...against];
      await (wait ? embedded : running)((api) =>
        evaluateCommand(
          { document, revisions, models, count, seed, window, budget, inputs, prove, wait, signal },
          api,
          output,
        ),
      );
    });
  const evaluations = program.command('evaluations').description('comparisons that were made');
  command('list', evaluations)
    .description('newest evaluations')
    .option('--limit <n>', 'how many', positive, 20)
    .action(({ limit }: { limit: number }) =>
      embedded(async (api) => {
        printResult(output, await api.evaluations({ limit }), listText);
        return exitCodes.done;
      }),
    );
  command('show', evaluations)
    .description('one evaluation: its variants side by side')
    .argument('<evaluation>')
    .action((id: string) =>
      embedded(async (api) => {
        printResult(output, await api.evaluation(id), evaluationText);
        return exitCodes.done;
      }),
    );
  command('cancel', evaluations)
    .description('cancel what has not ended of an evaluation')
    .argument('<evaluation>')
    .action((id: string) =>
      running(async (api) => {
        printResult(output, await api.cancelEvaluation(id), () => `Evaluation ${id} is being cancelled.`);
        return exitCodes.done;
      }),
    );
}
