import type { ApiClient } from '@cua-forge/api-client/api-client';
import { ForgeError } from '@cua-forge/spec/errors';
import type { HookMade, HookRecord } from '@cua-forge/spec/hook';
import { JsonObject } from '@cua-forge/spec/json';
import type { RevisionChoice } from '@cua-forge/spec/publication';
import type { Command } from 'commander';
import { revisionOption } from './document-version.ts';
import { exitCodes } from './exit-code.ts';
import { parseJson } from './given-inputs.ts';
import { type Output, printResult, tableText } from './output.ts';

interface Parts {
  command(name: string, parent: Command): Command;
  running(work: (api: ApiClient) => Promise<number>): Promise<void>;
  collect(text: string, before: string[]): string[];
  positive(text: string): number;
  output: Output;
}

interface AddOptions {
  title?: string;
  inputs: string;
  open: string[];
  count: number;
  window: number;
  perMinute: number;
  revision: RevisionChoice;
}

const madeText = ({ hook, path }: HookMade): string =>
  `${path}\n\nPOST to this address of the server starts "${hook.title}" (${hook.id}). It is shown once.`;

const listText = (hooks: readonly HookRecord[]): string =>
  hooks.length === 0
    ? 'There are no hooks.'
    : tableText(
        ['hook', 'title', 'document', 'runs', 'open inputs', 'made by'],
        hooks.map((hook) => [hook.id, hook.title, hook.documentId, String(hook.count), hook.open.join(', '), hook.by]),
      );

function inputsOf(text: string): JsonObject {
  const inputs = JsonObject.safeParse(parseJson('--inputs', text));
  if (inputs.success) return inputs.data;
  throw new ForgeError('input.invalid', '--inputs must be a JSON object.', { fix: 'For example: \'{"rows": 40}\'.' });
}

const settingsOf = ({ open, count, window, perMinute, revision }: Omit<AddOptions, 'title' | 'inputs'>) => ({
  ...{ open, count, window, perMinute, revision },
});

/** `hooks …`: addresses that start batches. */
export function addHookCommands(program: Command, { command, running, collect, positive, output }: Parts): void {
  const hooks = program.command('hooks').description('addresses that start a batch for whoever calls them');
  command('list', hooks)
    .description('all hooks, without their tokens')
    .action(() =>
      running(async (api) => {
        printResult(output, (await api.hooks({})).hooks, listText);
        return exitCodes.done;
      }),
    );
  command('add', hooks)
    .description('make a hook; its address, with the token, is printed once')
    .argument('<document>')
    .option('--title <text>', 'what it is for')
    .option('--inputs <json>', 'values of inputs', '{}')
    .option('--open <input>', 'an input that callers may give instead', collect, [])
    .option('--count <n>', 'runs of each batch', positive, 1)
    .option('--window <n>', 'runs at once', positive, 8)
    .option('--per-minute <n>', 'calls that it takes in a minute', positive, 30)
    .addOption(revisionOption())
    .action((documentId: string, options: AddOptions) =>
      running(async (api) => {
        const { title = documentId, inputs, ...rest } = options;
        const wanted = { title, documentId, inputs: inputsOf(inputs), ...settingsOf(rest) };
        printResult(output, await api.createHook(wanted), madeText);
        return exitCodes.done;
      }),
    );
  command('rotate', hooks)
    .description('give a hook a new token, printed once; the one before ends')
    .argument('<hook>')
    .action((id: string) =>
      running(async (api) => {
        printResult(output, await api.rotateHook(id), madeText);
        return exitCodes.done;
      }),
    );
  command('delete', hooks)
    .description('end a hook')
    .argument('<hook>')
    .action((id: string) =>
      running(async (api) => {
        printResult(output, await api.deleteHook(id), () => `Hook ${id} has ended.`);
        return exitCodes.done;
      }),
    );
}
