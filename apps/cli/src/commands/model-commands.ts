import type { ApiClient } from '@cua-forge/api-client/api-client';
import type { Command, CommandOptions } from 'commander';
import type { Settings } from '../bootstrap/settings.ts';
import { parsePairs } from './given-inputs.ts';
import { listModels, pullModel, testModel } from './models.ts';
import type { Output } from './output.ts';
import { playgroundCommand } from './playground.ts';
import { proposeCommand } from './propose.ts';

export interface ModelCommandParts {
  command(name: string, parent?: Command, options?: CommandOptions): Command;
  /** For commands that bring the services that they need. */
  embedded(work: (api: ApiClient) => Promise<number>): Promise<void>;
  settings(): Settings;
  collect(text: string, before: string[]): string[];
  whole(text: string): number;
  output: Output;
  signal: AbortSignal;
  done(code: number): void;
}

/** Model providers, weights of local ones, and one node with several models. */
export function addModelCommands(
  program: Command,
  { command, embedded, settings, collect, whole, output, signal, done }: ModelCommandParts,
): void {
  const models = program.command('models').description('model providers, prices and local weights');
  command('list', models, { isDefault: true })
    .description('providers, whether a key is there, models and prices, weights that can be pulled')
    .action(() => embedded((api) => listModels(api, output)));
  command('test', models)
    .description('ask a model one tiny thing; exit code 1 when it does not answer')
    .argument('[model]', 'provider, provider:model, or a model of the default provider')
    .action((model: string | undefined) => embedded((api) => testModel(api, output, model)));
  command('pull', models)
    .description('get weights for the local provider, and what runs them')
    .argument('[name]', 'name of the weights')
    .option('--from <source>', 'URL or path of the .gguf file')
    .option('--sha256 <hash>', 'SHA-256 it must have; needed for names that are not known')
    .option('--runtime', 'only what runs them', false)
    .action(async (name: string | undefined, options: { from?: string; sha256?: string; runtime: boolean }) => {
      const { from, sha256, runtime: runtimeOnly } = options;
      done(await pullModel({ name, from, sha256, runtimeOnly, signal }, settings(), output));
    });

  command('propose')
    .description('ask a model how a document is to change, and show the difference')
    .argument('<document>', 'id of a document')
    .argument('<words>', 'what should change')
    .option('--model <name>', 'provider:model; left out, the configured one')
    .option('--accept', 'save the proposal, where nothing is wrong with it', false)
    .action((document: string, words: string, options: { model?: string; accept: boolean }) =>
      embedded((api) => proposeCommand({ document, words, model: options.model, accept: options.accept }, api, output)),
    );

  command('playground')
    .description('execute one node with several models side by side; nothing is committed')
    .argument('<document>', 'id of a document')
    .argument('<node>', 'path of the node, such as draft')
    .requiredOption('--models <names>', 'models, separated by commas: anthropic:claude-…, local:NAME, …')
    .option('--run <run>', 'run to take params and inputs from')
    .option('--input <port=value>', 'value of an input, JSON or text', collect, [])
    .option('--inputs <json>', 'JSON object of values by port, or a file that holds one')
    .option('--params <json>', 'params to use instead')
    .option('--seed <n>', 'seed, where no run gives it', whole, 1)
    .action(
      (
        document: string,
        node: string,
        options: { models: string; run?: string; input: string[]; inputs?: string; params?: string; seed: number },
      ) => {
        const { run, inputs, params, seed } = options;
        const input = parsePairs('--input', options.input);
        const names = options.models.split(',').map((name) => name.trim());
        return embedded((api) =>
          playgroundCommand({ document, node, run, input, inputs, params, seed, models: names }, api, output),
        );
      },
    );
}
