import type { ApiClient } from '@cua-forge/api-client/api-client';
import { ForgeError } from '@cua-forge/spec/errors';
import { JsonObject } from '@cua-forge/spec/json';
import type { RevisionChoice } from '@cua-forge/spec/publication';
import { Overlap, type Timing } from '@cua-forge/spec/schedule';
import { type Command, Option } from 'commander';
import { revisionChoice, revisionOption } from './document-version.ts';
import { parseJson } from './given-inputs.ts';
import type { Output } from './output.ts';
import {
  changeSchedule,
  createSchedule,
  deleteSchedule,
  listSchedules,
  showSchedule,
  steerSchedule,
} from './schedules.ts';

interface Parts {
  command(name: string, parent: Command): Command;
  running(work: (api: ApiClient) => Promise<number>): Promise<void>;
  positive(text: string): number;
  whole(text: string): number;
  output: Output;
}

interface AddOptions {
  cron?: string;
  zone: string;
  every?: number;
  title?: string;
  inputs: string;
  count: number;
  seed: number;
  sameSeeds: boolean;
  window: number;
  overlap: Overlap;
  paused: boolean;
  prove: boolean;
  revision: RevisionChoice;
}

type ChangeOptions = Partial<Omit<AddOptions, 'sameSeeds' | 'paused'>>;

function timingOf({ cron, zone = 'UTC', every }: Pick<ChangeOptions, 'cron' | 'zone' | 'every'>): Timing {
  if ((cron === undefined) === (every === undefined))
    throw new ForgeError('input.invalid', 'A schedule takes either --cron or --every.', {
      fix: "Give one: --cron '0 6 * * 1-5' --zone Europe/Berlin, or --every 3600.",
    });
  return cron === undefined ? { everySeconds: every ?? 0 } : { cron, timeZone: zone };
}

function inputsOf(text: string): JsonObject {
  const inputs = JsonObject.safeParse(parseJson('--inputs', text));
  if (inputs.success) return inputs.data;
  throw new ForgeError('input.invalid', '--inputs must be a JSON object.', { fix: 'For example: \'{"rows": 40}\'.' });
}

/** `schedules …`: batches that start by themselves. */
export function addScheduleCommands(program: Command, { command, running, positive, whole, output }: Parts): void {
  const schedules = program.command('schedules').description('batches that start by the clock or at intervals');
  command('list', schedules)
    .description('all schedules with their next times')
    .action(() => running((api) => listSchedules(api, output)));
  command('show', schedules)
    .description('one schedule: next times, and the batches that it began last')
    .argument('<schedule>')
    .action((id: string) => running((api) => showSchedule(api, output, id)));
  command('add', schedules)
    .description('start batches of a document again and again, with the document and inputs as they are now')
    .argument('<document>')
    .option('--cron <expression>', 'minute hour day month weekday, or @daily and the like')
    .option('--zone <zone>', 'time zone whose clock counts', 'UTC')
    .option('--every <seconds>', 'an interval instead, 60 at least', positive)
    .option('--title <text>')
    .option('--inputs <json>', 'values of inputs', '{}')
    .option('--count <n>', 'runs of each batch', positive, 1)
    .option('--seed <n>', 'seed of the first run', whole, 1)
    .option('--same-seeds', 'every batch has the same seeds; otherwise they go on', false)
    .option('--window <n>', 'runs at once', positive, 8)
    .addOption(
      new Option('--overlap <policy>', 'when the batch before still runs').choices(Overlap.options).default('skip'),
    )
    .option('--paused', 'only when it is resumed or triggered', false)
    .option('--prove', 'packages have to prove themselves in a sandbox', false)
    .addOption(revisionOption())
    .action((documentId: string, options: AddOptions) => {
      const { title, count, seed, sameSeeds, window, overlap, paused, prove, revision } = options;
      const wanted = { documentId, revision, count, seed, window, overlap, paused, prove, advance: !sameSeeds };
      return running((api) =>
        createSchedule(api, output, {
          ...wanted,
          ...(title === undefined ? {} : { title }),
          inputs: inputsOf(options.inputs),
          timing: timingOf(options),
        }),
      );
    });
  command('change', schedules)
    .description('change what a schedule runs and when; what is not named stays')
    .argument('<schedule>')
    .option('--cron <expression>', 'minute hour day month weekday, or @daily and the like')
    .option('--zone <zone>', 'time zone whose clock counts, with --cron')
    .option('--every <seconds>', 'an interval instead, 60 at least', positive)
    .option('--title <text>')
    .option('--inputs <json>', 'values of inputs, in place of all that were given')
    .option('--count <n>', 'runs of each batch', positive)
    .option('--seed <n>', 'seed of the next run', whole)
    .option('--window <n>', 'runs at once', positive)
    .addOption(new Option('--overlap <policy>', 'when the batch before still runs').choices(Overlap.options))
    .option('--prove', 'packages have to prove themselves in a sandbox')
    .option('--no-prove', 'they have not')
    .addOption(new Option('--revision <which>', 'published, latest, or a number').argParser(revisionChoice))
    .action((id: string, options: ChangeOptions) => {
      const { cron, zone, every, inputs, title, count, seed, window, overlap, prove, revision } = options;
      const settings = { title, count, seed, window, overlap, prove, revision };
      return running((api) =>
        changeSchedule(api, output, id, {
          ...settings,
          ...(inputs === undefined ? {} : { inputs: inputsOf(inputs) }),
          ...(cron === undefined && every === undefined && zone === undefined ? {} : { timing: timingOf(options) }),
        }),
      );
    });
  for (const [name, how, description] of [
    ['pause', 'pauseSchedule', 'begin no more batches; those in progress go on'],
    ['resume', 'resumeSchedule', 'act again at the next time'],
    ['trigger', 'triggerSchedule', 'begin a batch now'],
  ] as const)
    command(name, schedules)
      .description(description)
      .argument('<schedule>')
      .action((id: string) => running((api) => steerSchedule(api, output, id, how)));
  command('delete', schedules)
    .description('end a schedule; batches that it began go on')
    .argument('<schedule>')
    .action((id: string) => running((api) => deleteSchedule(api, output, id)));
}
