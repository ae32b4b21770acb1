import { toForgeError } from '@cua-forge/spec/errors';
import pc from 'picocolors';
import type { ApiAddress } from './embedded.ts';
import { type Instance, takeLock } from './lock.ts';
import { stopAllProcesses } from './managed-process.ts';
import { openInBrowser } from './open-browser.ts';
import { type Reporter, streamReporter } from './progress.ts';
import { type Services, startServices } from './services.ts';
import type { Settings } from './settings.ts';
import { waitForStop } from './stop-signal.ts';

/** What the first packages of a fresh start came to. */
export interface DemoResult {
  /** Folder that holds the packages. */
  folder: string;
  requested: number;
  packages: readonly { id: string; path: string }[];
}

export interface StartOptions {
  settings: Settings;
  /** Makes the first packages once everything runs, and gives up when the signal says so; null leaves it out. */
  demo: ((api: ApiAddress, signal: AbortSignal) => Promise<DemoResult>) | null;
  /** Opens the studio in the browser. */
  open: boolean;
  json: boolean;
  /** Shows every line the services say. */
  verbose?: boolean;
  out?: NodeJS.WritableStream;
  reporter?: Reporter;
  /** Resolves with the word for what asked for the end; without it, a signal to this process. */
  stopRequested?: Promise<string>;
}

/**
 * `forge start`: starts everything, makes the first packages, says where all is, and serves until it is asked to stop; then stops all it started.
 * A second start in one data folder says that one is running and ends with 0. Returns the exit code; a failed start rejects.
 */
export async function startCommand(options: StartOptions): Promise<number> {
  const { settings, out = process.stdout, reporter = streamReporter(process.stderr) } = options;
  const taken = await takeLock(settings.data, 'start');
  if (!taken.held) {
    out.write(options.json ? `${JSON.stringify({ running: taken.by })}\n` : `${describeRunning(settings, taken.by)}\n`);
    return 0;
  }
  const stop = options.stopRequested ?? waitForStop();
  try {
    const starting = new AbortController();
    const started = await Promise.race([start(options, whileOpen(reporter, starting.signal)), stop.then(() => null)]);
    if (started === null) {
      starting.abort();
      await stopAllProcesses();
      return 0;
    }
    const ending = new AbortController();
    try {
      await taken.lock.publish(started.addresses);
      await Promise.race([present(options, started, reporter, ending.signal), stop]);
      reporter.line(`Stopping (${await stop})`);
    } finally {
      ending.abort();
      await started.stop();
    }
    reporter.line('Everything is stopped.');
    return 0;
  } finally {
    await taken.lock.release();
  }
}

/** Says nothing more once the signal is aborted: what a start that is given up complains of is no news. */
function whileOpen(reporter: Reporter, closed: AbortSignal): Reporter {
  return {
    line: (text) => (closed.aborted ? undefined : reporter.line(text)),
    update: (text) => (closed.aborted ? undefined : reporter.update(text)),
  };
}

function start(options: StartOptions, reporter: Reporter): Promise<Services> {
  return startServices({
    settings: options.settings,
    reporter,
    studio: true,
    onLine:
      options.verbose === true ? (name, line) => reporter.line(`${pc.dim(`${name.padEnd(8)} |`)} ${line}`) : undefined,
  });
}

/** Makes the first packages and prints where everything is. */
async function present(
  options: StartOptions,
  services: Services,
  reporter: Reporter,
  ending: AbortSignal,
): Promise<void> {
  const { settings, out = process.stdout } = options;
  reporter.line(`The studio is at ${services.addresses.studio}`);
  if (options.open) openInBrowser(services.addresses.studio, settings.env);
  let demo: DemoResult | null = null;
  if (options.demo !== null) {
    try {
      demo = await options.demo({ url: services.addresses.studio, token: settings.token }, ending);
    } catch (error) {
      if (ending.aborted) return;
      const { message, fix } = toForgeError(error);
      reporter.line(`The first packages could not be made: ${message}${fix === undefined ? '' : ` ${fix}`}`);
    }
  }
  if (options.json)
    out.write(`${JSON.stringify({ ...services.addresses, logs: services.logs, packages: demo?.packages ?? [] })}\n`);
  else out.write(`${describeReady(services, demo)}\n`);
}

function describeReady({ addresses, logs }: Services, demo: DemoResult | null): string {
  const lines =
    demo === null
      ? []
      : [
          `${demo.packages.length} of ${demo.requested} task packages in ${demo.folder}:`,
          ...demo.packages.map(({ path }) => `  ${path}`),
          '',
        ];
  return [
    '',
    ...lines,
    `Studio       ${pc.cyan(addresses.studio)}`,
    `Temporal UI  ${addresses.temporalUi === null ? pc.dim('that of your cluster') : pc.cyan(addresses.temporalUi)}`,
    `Temporal     ${addresses.temporal}, namespace ${addresses.namespace}`,
    `Logs         ${logs}`,
    '',
    'Ctrl+C stops everything.',
  ].join('\n');
}

function describeRunning({ data }: Settings, by: Instance): string {
  const what =
    by.purpose === 'command'
      ? 'A command of CUA Forge uses'
      : by.addresses === null
        ? 'CUA Forge is just starting in'
        : 'CUA Forge already runs in';
  const head = `${what} ${data} (process ${by.pid}, since ${by.startedAt}). Nothing was started.`;
  if (by.addresses === null) return head;
  return [
    head,
    `Studio       ${by.addresses.studio}`,
    `Temporal UI  ${by.addresses.temporalUi ?? 'that of your cluster'}`,
    'Another instance needs another folder: FORGE_DATA=…',
  ].join('\n');
}
