import { resolve } from 'node:path';
import { type ApiClient, createApiClient } from '@cua-forge/api-client/api-client';
import { VerdictFilter } from '@cua-forge/spec/api/packages';
import { ForgeError, toForgeError } from '@cua-forge/spec/errors';
import { kinds } from '@cua-forge/spec/kinds';
import { RunState, type Selection } from '@cua-forge/spec/store-port';
import { Command, CommanderError, type CommandOptions, Option } from 'commander';
import { addBatchCommands, type BudgetOptions, collect, positive, whole, withBudget } from './batch-program.ts';
import { type ApiAddress, runningApi, withServices } from './bootstrap/embedded.ts';
import type { Environment } from './bootstrap/environment.ts';
import type { Reporter } from './bootstrap/progress.ts';
import { loadSettings, type Settings } from './bootstrap/settings.ts';
import { startCommand } from './bootstrap/start-command.ts';
import { addAccessCommands } from './commands/access-commands.ts';
import { approveCommand, cancelCommand, retryCommand } from './commands/act.ts';
import { budgetOf } from './commands/batch.ts';
import { revisionOption } from './commands/document-version.ts';
import { addEvaluateCommands } from './commands/evaluate-commands.ts';
import { exitCodeOf, exitCodes } from './commands/exit-code.ts';
import { type GenerateOptions, generate } from './commands/generate.ts';
import { generateCommand } from './commands/generate-command.ts';
import { parsePairs } from './commands/given-inputs.ts';
import { addHookCommands } from './commands/hook-commands.ts';
import { importOsworld, type OsworldOptions } from './commands/import-osworld.ts';
import { listPackages, listRuns, showRun } from './commands/inspect.ts';
import { addInterchangeCommands } from './commands/interchange-commands.ts';
import { addModelCommands } from './commands/model-commands.ts';
import { type Output, printError } from './commands/output.ts';
import { proveCommand } from './commands/prove.ts';
import { addPublishCommands } from './commands/publish-commands.ts';
import { addReviewCommands } from './commands/review-commands.ts';
import { readTarget, runCommand } from './commands/run.ts';
import { addSandboxCommands, runSandboxProgram } from './commands/sandbox-commands.ts';
import { addScheduleCommands } from './commands/schedule-commands.ts';
import { backupCommand, gcCommand, restoreCommand, type UpkeepContext } from './commands/upkeep.ts';
import { validate } from './commands/validate.ts';
import { viewDesktop } from './commands/view-desktop.ts';
import { addWebhookCommands } from './commands/webhook-commands.ts';
import { setCurrentBuild, showWorkers } from './commands/workers.ts';
import { doctorCommand } from './doctor/doctor-command.ts';

export interface CliContext {
  /** The project's folder. */
  root: string;
  env: Environment;
  write(text: string): void;
  /** All of standard input, or what a person types without it being shown. */
  readSecret?: () => Promise<string>;
  reporter: Reporter;
  /** Aborted by the first Ctrl+C. */
  signal: AbortSignal;
}

/** Milliseconds a command waits for a server that is being restarted. */
const patienceMs = 60_000;
const demoSkill = 'calc-monthly-summary';
const demoSeed = 7;

function selectionOf({ only, to, from }: { only?: string; to?: string; from?: string }): Selection {
  const given: Selection[] = [];
  if (only !== undefined) given.push({ mode: 'only', node: only });
  if (to !== undefined) given.push({ mode: 'to', node: to });
  if (from !== undefined) given.push({ mode: 'from', node: from });
  if (given.length > 1)
    throw new ForgeError('input.invalid', '--only, --to and --from exclude each other.', { fix: 'Give one of them.' });
  return given[0] ?? { mode: 'all' };
}

/** Runs one command line. Answers with the exit code: 0 done, 1 failed, 2 bad input. Never rejects. */
export async function runCli(argv: readonly string[], context: CliContext): Promise<number> {
  const { reporter, signal } = context;
  const output: Output = { json: argv.includes('--json'), write: context.write, reporter };
  let code: number = exitCodes.done;
  try {
    const program = createProgram(context, output, (result) => {
      code = result;
    });
    await program.parseAsync([...argv], { from: 'user' });
    return code;
  } catch (thrown) {
    if (thrown instanceof CommanderError) return thrown.exitCode === 0 ? exitCodes.done : exitCodes.badInput;
    if (signal.aborted) {
      reporter.line('Interrupted.');
      return exitCodes.failed;
    }
    const error = toForgeError(thrown);
    printError(output, error);
    return exitCodeOf(error);
  }
}

function createProgram(context: CliContext, output: Output, done: (code: number) => void): Command {
  const { root, env, reporter, signal } = context;
  const settings = (): Settings => loadSettings(root, env);
  const clientOf = ({ url, token }: ApiAddress): ApiClient => createApiClient({ url, token, patienceMs });
  /** For commands that bring what they need. */
  const embedded = async (work: (api: ApiClient) => Promise<number>) =>
    done(await withServices({ settings: settings(), reporter, signal }, (address) => work(clientOf(address))));
  /** For commands that act on something that is running. */
  const running = async (work: (api: ApiClient) => Promise<number>) =>
    done(await work(clientOf(await runningApi(settings()))));

  const program = new Command('forge')
    .description('Synthesizes computer-use tasks from workflow graphs.')
    .exitOverride()
    .configureOutput({ writeOut: context.write, writeErr: (text) => reporter.line(text.trimEnd()) });
  const command = (name: string, parent = program, options: CommandOptions = {}): Command =>
    parent.command(name, options).option('--json', 'print the result as JSON on one line');

  command('start')
    .description('start everything, make the first packages, and serve until Ctrl+C')
    .option('--no-demo', 'make no packages')
    .option('--count <n>', 'packages to make', positive, 3)
    .option('--out <folder>', 'where to write them', 'out')
    .option('--open', 'open the studio in the browser', false)
    .option('--verbose', 'show every line the services say', false)
    .action(async (options: { demo: boolean; count: number; out: string; open: boolean; verbose: boolean }) => {
      const demo = async ({ url, token }: ApiAddress, ending: AbortSignal) => {
        const made = await generate(
          { skill: demoSkill, count: options.count, seed: demoSeed, out: options.out, inputs: new Map() },
          createApiClient({ url, token, patienceMs, signal: ending }),
          reporter,
        );
        return { folder: options.out, requested: made.requested, packages: made.packages };
      };
      done(
        await startCommand({
          settings: settings(),
          demo: options.demo ? demo : null,
          open: options.open,
          json: output.json,
          verbose: options.verbose,
          reporter,
        }),
      );
    });

  command('validate')
    .description('check documents without running anything')
    .argument('<file...>')
    .action(async (files: string[]) => done(await validate(files, kinds, output)));

  withBudget(command('run'))
    .description('run a stored document or a file')
    .argument('<document>', 'id of a document, or a file')
    .option('--input <name=value>', 'value of an input; for file inputs a path', collect, [])
    .option('--set <node.param=value>', 'another value of a param, for this run', collect, [])
    .option('--seed <n>', 'seed', whole, 1)
    .option('--wait', 'follow the run to its end', false)
    .option('--only <node>', 'run this node alone')
    .option('--to <node>', 'run this node and what it needs')
    .option('--from <node>', 'run this node and what hangs on it')
    .option('--base-run <run>', 'run that the other nodes take their values from')
    .action(
      async (
        target: string,
        options: BudgetOptions & {
          input: string[];
          set: string[];
          seed: number;
          wait: boolean;
          only?: string;
          to?: string;
          from?: string;
          baseRun?: string;
        },
      ) => {
        const { seed, wait, baseRun = null } = options;
        const request = {
          target,
          local: await readTarget(target, kinds),
          inputs: parsePairs('--input', options.input),
          set: parsePairs('--set', options.set),
          seed,
          wait,
          baseRun,
          selection: selectionOf(options),
          ...budgetOf({ usd: options.budgetUsd, tokens: options.budgetTokens }),
        };
        // Services that end with the command would leave a run behind that nobody waits for.
        await (wait ? embedded : running)((api) => runCommand(request, api, output, signal));
      },
    );

  command('generate')
    .description('generate task packages of a skill')
    .argument('<skill>')
    .option('--count <n>', 'packages to make', positive, 1)
    .option('--seed <n>', 'seed of the first; the next ones follow', whole, 1)
    .option('--out <folder>', 'where to write them', 'out')
    .option('--input <name=value>', 'value of an input; for file inputs a path', collect, [])
    .option('--window <n>', 'runs in progress at once', positive)
    .option('--prove', 'each has to prove itself in a sandbox', false)
    .addOption(revisionOption())
    .action(
      async (skill: string, options: Omit<GenerateOptions, 'skill' | 'inputs' | 'signal'> & { input: string[] }) => {
        const { input, ...rest } = options;
        const inputs = parsePairs('--input', input);
        await embedded((api) => generateCommand({ ...rest, skill, inputs, signal }, api, output));
      },
    );

  command('prove')
    .description('prove task packages in sandboxes: setup, checks, reference solution, mutants and cheats')
    .argument('<package...>', 'ids, or folders and .tar files, which are taken up first')
    .option('--out <folder>', 'where the packages are written with their proofs')
    .action((sources: string[], { out }: { out?: string }) =>
      embedded((api) => proveCommand({ sources, out, signal }, api, output)),
    );

  addBatchCommands(program, { command, embedded, running, output, signal });

  const runs = program.command('runs').description('look at runs');
  command('list', runs, { isDefault: true })
    .description('newest runs')
    .addOption(new Option('--state <state>').choices(RunState.options))
    .option('--document <id>')
    .option('--batch <id>')
    .option('--limit <n>', 'how many', positive, 20)
    .action(
      ({ state, document, batch, limit }: { state?: RunState; document?: string; batch?: string; limit: number }) =>
        embedded((api) =>
          listRuns(api, output, {
            limit,
            ...(state === undefined ? {} : { state }),
            ...(document === undefined ? {} : { documentId: document }),
            ...(batch === undefined ? {} : { batchId: batch }),
          }),
        ),
    );
  command('show', runs)
    .description('one run with its failures and outputs')
    .argument('<run>')
    .action((id: string) => embedded((api) => showRun(api, output, id)));

  withBudget(command('retry'))
    .description('run nodes of a run again')
    .argument('<run>')
    .option('--node <path...>', 'nodes to run again; all failed ones without', collect, [])
    .option('--failure <code>', 'the nodes that failed with this code')
    .option('--params <path=json>', 'params to use from now on', collect, [])
    .action((run: string, options: BudgetOptions & { node: string[]; failure?: string; params: string[] }) =>
      running((api) =>
        retryCommand(
          {
            run,
            nodes: options.node,
            failure: options.failure,
            params: parsePairs('--params', options.params),
            ...budgetOf({ usd: options.budgetUsd, tokens: options.budgetTokens }),
          },
          api,
          output,
        ),
      ),
    );

  command('cancel')
    .description('cancel a run')
    .argument('<run>')
    .action((run: string) => running((api) => cancelCommand(run, api, output)));

  command('approve')
    .description('decide an approval')
    .argument('<run>')
    .argument('<node>')
    .option('--reject', 'reject instead', false)
    .option('--by <name>', 'who decides', env.USER ?? 'someone')
    .option('--note <text>', 'why', '')
    .action((run: string, node: string, options: { reject: boolean; by: string; note: string }) =>
      running((api) => approveCommand({ run, node, ...options }, api, output)),
    );

  const packages = program.command('packages').description('look at task packages');
  command('list', packages, { isDefault: true })
    .description('newest packages')
    .option('--skill <id>')
    .option('--batch <id>')
    .addOption(new Option('--verdict <verdict>', 'what people said of them').choices(VerdictFilter.options))
    .option('--limit <n>', 'how many', positive, 100)
    .action(
      ({ skill, batch, verdict, limit }: { skill?: string; batch?: string; verdict?: VerdictFilter; limit: number }) =>
        embedded((api) =>
          listPackages(api, output, {
            limit,
            ...(skill === undefined ? {} : { skill }),
            ...(batch === undefined ? {} : { batchId: batch }),
            ...(verdict === undefined ? {} : { verdict }),
          }),
        ),
    );
  const parts = { command, embedded, positive, output };
  addInterchangeCommands({ program, packages, runs }, parts);
  addReviewCommands(packages, parts, env);
  addEvaluateCommands(program, { command, embedded, running, output, signal });
  addPublishCommands(program, { command, running, positive, output });
  addHookCommands(program, { command, running, collect, positive, output });
  addWebhookCommands(program, { command, running, positive, output });
  addScheduleCommands(program, { command, running, positive, whole, output });

  const imports = program.command('import').description('look at tasks of other projects');
  command('osworld', imports)
    .description('say which setup steps and evaluators of OSWorld tasks have a counterpart here')
    .argument('<source>', 'a file of tasks, .json or .jsonl, or a folder of such files')
    .option('--report', 'each task by itself, not the totals alone', false)
    .option('--run', 'run those that need nothing from elsewhere in sandboxes; untouched, each has to score 0', false)
    .option('--ids <ids>', 'with --run: only these tasks, separated by commas')
    .option('--solutions <file>', 'with --run: solutions by id, which have to score 1')
    .addOption(new Option('--provider <provider>', 'with --run').choices(['docker', 'bubblewrap']).default('docker'))
    .action(async (source: string, options: OsworldOptions) => {
      if (!options.run) return done(await importOsworld(output, source, options));
      const { ids, solutions, provider } = options;
      const given = {
        ids,
        solutions: solutions === undefined ? undefined : resolve(solutions),
        provider,
        json: output.json,
      };
      done(await runSandboxProgram({ root, env }, 'osworld', [resolve(source)], given));
    });

  const workers = program.command('workers').description('look at queues, workers and what is stuck');
  command('list', workers, { isDefault: true })
    .description('backlog, workers, builds and activities in trouble; exit code 1 when a queue has no worker')
    .option('--examine <n>', 'open workflows to look into', whole, 100)
    .action(({ examine }: { examine: number }) => running((api) => showWorkers(api, output, examine, Date.now())));
  command('use', workers)
    .description('start new runs on this build of the worker')
    .argument('<build>')
    .action((build: string) => running((api) => setCurrentBuild(api, output, build)));

  addAccessCommands({
    program,
    command,
    env,
    dataFolder: () => settings().data,
    output,
    readSecret: context.readSecret ?? (async () => ''),
    done,
    embedded,
    positive,
  });

  addModelCommands(program, { command, embedded, settings, collect, whole, output, signal, done });

  const upkeepContext = (): UpkeepContext => ({ settings: settings(), output, signal });
  command('gc')
    .description('delete what is past its retention, and artifacts that nothing refers to any more')
    .option('--dry-run', 'count only', false)
    .option('--grace <hours>', 'hours without a reference before an artifact goes', positive)
    .action((options: { dryRun: boolean; grace?: number }) => gcCommand(options, upkeepContext()));

  command('backup')
    .description('write everything that the store holds into one file; the instance may be running')
    .argument('<file>', 'a .tar, or a .tar.gz')
    .action((file: string) => backupCommand(file, upkeepContext()));

  command('restore')
    .description('fill an empty store from a backup, on any database')
    .argument('<file>')
    .option('--into <target>', 'folder for a new store, or postgres:// address; without it the store of the settings')
    .action((file: string, { into }: { into?: string }) => restoreCommand(file, into, upkeepContext()));

  addSandboxCommands(program, {
    root,
    env,
    command,
    done,
    view: async (request) => {
      const address = await runningApi(settings());
      await viewDesktop(clientOf(address), address.url, request, output);
    },
  });

  command('doctor')
    .description('say which parts are here and how to get the others')
    .option('--install', 'get what is missing, where that is allowed', false)
    .action(async ({ install }: { install: boolean }) =>
      done(await doctorCommand({ settings: settings(), install, json: output.json })),
    );
  return program;
}
