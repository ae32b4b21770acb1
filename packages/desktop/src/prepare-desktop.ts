import { ForgeError } from '@cua-forge/spec/errors';
import type { CommandResult } from '@cua-forge/spec/sandbox-messages';
import type { Sandbox } from '@cua-forge/spec/sandbox-port';
import type {
  OperationReport,
  PostCondition,
  PrepareOptions,
  SetupReport,
  SetupTask,
} from '@cua-forge/spec/setup-report';
import type { SetupOperation } from '@cua-forge/spec/task';
import type { FileValue } from '@cua-forge/spec/value';
import { packageFileNames } from './package-file-names.ts';
import { postConditions } from './post-conditions.ts';
import { renderSetupScript, renderSetupStep } from './setup-script.ts';

/** Where the script and the files of a package lie while it is carried out. */
const folder = '/tmp/.task-package';
const waitMs = 120_000;
const stepMs = 180_000;

/** What an operation is about, for people. */
export function aboutOperation(operation: SetupOperation): string {
  switch (operation.op) {
    case 'place-file':
      return operation.path;
    case 'open':
      return [operation.application, ...(operation.path === undefined ? [] : [operation.path])].join(' ');
    case 'run':
      return operation.why;
    case 'env':
      return operation.name;
    case 'window':
      return `${operation.action} ${operation.window.text}`;
    case 'wait-window':
      return operation.window.text;
    case 'desktop':
      return Object.keys(operation.settings).join(', ');
    case 'service':
      return operation.name;
    case 'mail':
      return operation.address;
  }
}

const kinds: Record<SetupOperation['op'], string> = {
  'place-file': 'setup.place-file',
  open: 'setup.open',
  run: 'setup.run',
  env: 'setup.env',
  window: 'setup.window',
  'wait-window': 'setup.wait-window',
  desktop: 'setup.desktop',
  service: 'setup.service',
  mail: 'setup.mail',
};

const lastLine = ({ stdout, stderr, timedOut, exitCode }: CommandResult): string =>
  timedOut
    ? 'it took longer than it may'
    : (`${stdout}\n${stderr}`.trim().split('\n').at(-1)?.slice(0, 500) ?? '') || `exit ${exitCode}`;

/**
 * Carries the setup of a task out in a running sandbox, operation by operation, and looks after each whether it did what it says. Then the whole
 * script runs once more, and everything is looked at again. Where the package's script is another than its operations make, it runs as a whole.
 * @throws ForgeError `setup.failed` naming the operation, what was expected and what was seen, and the screenshot that was kept; `sandbox.lost`,
 * `node.cancelled`
 */
export async function prepareDesktop(sandbox: Sandbox, task: SetupTask, options: PrepareOptions): Promise<SetupReport> {
  const { signal, progress } = options;
  const { operations } = task;
  const start = performance.now();
  const seconds = (since: number): number => Math.round(performance.now() - since) / 1000;
  const own = renderSetupScript(operations);
  const strange = task.script !== null && task.script !== own;
  const context = { sandbox, signal, waitMs };
  const reports: OperationReport[] = [];

  const failed = async (index: number | null, why: string, fix: string): Promise<ForgeError> => {
    const kept = await keepScreenshot(sandbox, options, 'setup-failed.png').catch(() => null);
    const operation = index === null ? undefined : operations[index];
    const name =
      operation === undefined
        ? 'The setup script'
        : `Operation ${(index ?? 0) + 1} of ${operations.length} (${kinds[operation.op]} ${aboutOperation(operation)})`;
    return new ForgeError(
      'setup.failed',
      `${name}: ${why}${kept === null ? '' : ` The screen then: ${kept.name} (${kept.hash.slice(0, 12)}).`}`,
      { fix },
    );
  };
  const run = async (name: string, script: string, index: number | null): Promise<void> => {
    const path = `${folder}/setup/${name}.sh`;
    await sandbox.putFile(path, new TextEncoder().encode(script), { mode: 0o700 });
    const result = await sandbox.exec(['bash', path], { timeoutMs: stepMs, signal });
    signal.throwIfAborted();
    if (result.exitCode !== 0)
      throw await failed(index, `${sentence(lastLine(result))}`, 'Change the operation, or what it needs.');
  };
  const look = async (index: number, operation: SetupOperation, when: string): Promise<PostCondition[]> => {
    const conditions = await postConditions(context, operation);
    const broken = conditions.find(({ ok }) => !ok);
    if (broken !== undefined)
      throw await failed(
        index,
        `${when}, ${broken.what}: expected ${broken.expected}, seen ${broken.seen}.`,
        'Change the operation, or what comes after it.',
      );
    return conditions;
  };

  try {
    await upload(sandbox, task, signal);
    if (strange) await run('setup', task.script ?? own, null);
    for (const [index, operation] of operations.entries()) {
      signal.throwIfAborted();
      progress?.(
        `Setup ${index + 1} of ${operations.length}: ${operation.op} ${aboutOperation(operation)}`,
        index / (operations.length + 1),
      );
      const since = performance.now();
      if (!strange) await run(`${index + 1}-${operation.op}`, renderSetupStep(operations, index), index);
      const conditions = await look(index, operation, 'afterwards');
      reports.push({
        id: `${index + 1}-${operation.op}`,
        op: operation.op,
        about: aboutOperation(operation),
        seconds: seconds(since),
        conditions,
      });
    }
    let again: SetupReport['again'] = null;
    if (options.again !== false && operations.length > 0) {
      progress?.('Setup once more, which has to change nothing', operations.length / (operations.length + 1));
      const since = performance.now();
      const windows = await windowCount(sandbox);
      await run('setup', task.script ?? own, null);
      // Something later may have changed what a window operation did; after the second run the last one holds again.
      for (const [index, operation] of operations.entries())
        if (!isOvertaken(operations, index)) await look(index, operation, 'after a second run');
      const now = await windowCount(sandbox);
      if (now !== windows)
        throw await failed(
          null,
          `A second run changes the desktop: ${windows} windows before, ${now} after.`,
          'Let every operation look whether its work is done already.',
        );
      again = { seconds: seconds(since) };
    }
    const screenshot = await keepScreenshot(sandbox, options, 'prepared-desktop.png');
    return {
      provider: sandbox.info.provider,
      image: sandbox.info.image,
      seconds: seconds(start),
      operations: reports,
      again,
      screenshot,
    };
  } finally {
    // What is in the package is not there for who works on the desktop.
    await sandbox.exec(['rm', '-rf', folder], { timeoutMs: 20_000 }).catch(() => undefined);
  }
}

const sentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);

/** Whether a later operation is about the same place, so that what this one did need not be left. */
function isOvertaken(operations: readonly SetupOperation[], index: number): boolean {
  const operation = operations[index];
  return operations.slice(index + 1).some((later) => {
    if (operation?.op === 'window' && (later.op === 'window' || later.op === 'open')) return true;
    if (operation?.op === 'place-file') return later.op === 'place-file' && later.path === operation.path;
    if (operation?.op === 'env') return later.op === 'env' && later.name === operation.name;
    return false;
  });
}

const windowCount = async (sandbox: Sandbox): Promise<number> => (await sandbox.windows()).length;

async function upload(sandbox: Sandbox, { operations, read }: SetupTask, signal: AbortSignal): Promise<void> {
  const names = packageFileNames(operations);
  const done = new Set<string>();
  for (const operation of operations) {
    if (operation.op !== 'place-file') continue;
    const name = names.get(operation.path) ?? operation.file.name;
    if (done.has(name)) continue;
    done.add(name);
    signal.throwIfAborted();
    await sandbox.putFile(`${folder}/files/${name}`, await read(operation.file));
  }
}

async function keepScreenshot(sandbox: Sandbox, { keep }: PrepareOptions, name: string): Promise<FileValue | null> {
  if (keep === undefined) return null;
  const { bytes, mediaType } = await sandbox.screenshot();
  return keep(name, mediaType, bytes);
}
