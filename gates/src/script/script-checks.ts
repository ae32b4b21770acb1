import { findAnswerLeaks } from '@cua-forge/spec/answer-leaks';
import type { Verdict } from '@cua-forge/spec/kind';
import { sessionCommands } from '@cua-forge/spec/setup-operations';
import { type HiddenAnswers, SetupOperation, type SetupScript, type TaskSpecification } from '@cua-forge/spec/task';
import { type ParsedScript, parseShell, type ShellCommand } from './shell-words.ts';

type Evidence = Verdict['evidence'][number];

const passed = (check: string, problems: readonly string[], good: string): Evidence => ({
  check,
  ok: problems.length === 0,
  detail: problems.length === 0 ? good : problems.slice(0, 10).join('; '),
});

/** Folders that a setup may write to or open from. */
const allowedFolders = ['/home/', '/tmp/'];
const isAllowed = (path: string) =>
  allowedFolders.some((folder) => path.startsWith(folder)) && !path.split('/').includes('..');
/** Absolute paths that any script may name. */
const harmless = new Set(['/dev/null', '/usr/bin/env']);
/** Names of settings of Xfce, which look like paths. */
const settings = new Set(['/Net/ThemeName', '/Xft/DPI', '/saver/enabled', '/last-image$']);
const forbidden = new Set([
  'sudo',
  'su',
  'sh',
  'bash',
  'dash',
  'zsh',
  'eval',
  'curl',
  'wget',
  'nc',
  'ssh',
  'scp',
  'mkfs',
  'dd',
  'shutdown',
  'reboot',
]);

/** Everything that is looked at in a setup script, without running it: one line of evidence each. */
export function checkScript(
  { script, operations }: SetupScript,
  spec: TaskSpecification,
  hidden: HiddenAnswers | undefined,
): Evidence[] {
  const parsed = parseShell(script);
  return [
    syntax(script, parsed),
    operationsAppear(parsed.commands, operations),
    nothingElse(parsed.commands, operations, bodyStart(script)),
    ...valuesProper(operations),
    filesPlaced(operations, spec),
    opensAfterPlacing(operations, spec),
    preconditionsCovered(operations, spec),
    pathsAllowed(parsed.commands, operations),
    commandsAllowed(parsed.commands),
    noAnswers(script, operations, spec, hidden),
  ];
}

function syntax(script: string, { problems }: ParsedScript): Evidence {
  const found = [...problems];
  if (!/^#!\/usr\/bin\/env bash\n/.test(script)) found.unshift('the first line is not #!/usr/bin/env bash');
  if (!/^set -euo pipefail$/m.test(script))
    found.push('set -euo pipefail is missing, so that a failed step would go unnoticed');
  return passed('the script parses and stops at errors', found, 'quotes and blocks are closed; errors stop it');
}

/** The functions of setup scripts that carry operations out, and the fewest words of their calls. */
const steps = new Map([
  ['place', 3],
  ['launch', 3],
  ['set_env', 3],
  ['wait_window', 4],
  ['window_state', 5],
  ['desktop', 3],
  ['serve', 6],
  ['mail_profile', 3],
  ['mail_folder', 3],
]);
const isStep = ({ words }: ShellCommand) => words.length >= (steps.get(words[0] ?? '') ?? Number.POSITIVE_INFINITY);

type Carrier = (words: readonly string[]) => boolean;

const exactly =
  (wanted: readonly string[]): Carrier =>
  (words) =>
    words.length === wanted.length && words.every((word, index) => word === wanted[index]);

/** What tells each of the commands that carry an operation out. */
function carriersOf(operation: SetupOperation): Carrier[] {
  switch (operation.op) {
    case 'place-file':
      return [
        (words) =>
          words.length === 4 && words[0] === 'place' && words[2] === operation.path && words[3] === operation.mode,
      ];
    case 'open':
      return [
        (words) =>
          words[0] === 'launch' &&
          words[1]?.endsWith(operation.application) === true &&
          (operation.path === undefined || words.at(-1) === operation.path),
      ];
    case 'run':
      return [exactly(operation.command)];
    default:
      return sessionCommands(operation).map(exactly);
  }
}

function nameOf(operation: SetupOperation): string {
  switch (operation.op) {
    case 'place-file':
      return `place ${operation.path}`;
    case 'open':
      return `open ${operation.application}${operation.path === undefined ? '' : ` with ${operation.path}`}`;
    case 'run':
      return operation.command.join(' ');
    default:
      return sessionCommands(operation)
        .map((words) => words.map((word) => word.slice(0, 200)).join(' '))
        .join(', ');
  }
}

function operationsAppear(commands: readonly ShellCommand[], operations: readonly SetupOperation[]): Evidence {
  const problems: string[] = [];
  let from = 0;
  for (const [index, operation] of operations.entries()) {
    for (const carries of carriersOf(operation)) {
      const at = commands.findIndex(({ words }, position) => position >= from && carries(words));
      if (at < 0) {
        problems.push(`operation ${index + 1} (${nameOf(operation)}) is not in the script, or not in its turn`);
        break;
      }
      from = at + 1;
    }
  }
  return passed('every operation is in the script, in order', problems, `${operations.length} operations found`);
}

/** `first` is the line that the steps begin on; the functions above it call each other with their own arguments. */
function nothingElse(
  commands: readonly ShellCommand[],
  operations: readonly SetupOperation[],
  first: number,
): Evidence {
  const carriers = operations.flatMap(carriersOf);
  const inFunction = ({ words, line }: ShellCommand) => line <= first && words.some((word) => /^\$\d$/.test(word));
  const problems = commands
    .filter((command) => isStep(command) && !inFunction(command) && !carriers.some((carries) => carries(command.words)))
    .map(({ words, line }) => `line ${line} (${words.slice(0, 3).join(' ')}) is none of the operations`);
  return passed('the script does nothing that is no operation', problems, 'all steps come from operations');
}

/** Whether variables, windows and settings are as they may be; nothing to say where there are none. */
function valuesProper(operations: readonly SetupOperation[]): Evidence[] {
  if (operations.every(({ op }) => op === 'place-file' || op === 'open' || op === 'run')) return [];
  const problems = operations.flatMap((operation, index) =>
    SetupOperation.safeParse(operation).success
      ? []
      : [`operation ${index + 1} (${operation.op}) is not what it may be`],
  );
  return [passed('variables, windows and settings are proper', problems, 'all values are as they may be')];
}

function filesPlaced(operations: readonly SetupOperation[], { files }: TaskSpecification): Evidence {
  const paths = operations.flatMap((one) => (one.op === 'place-file' ? [one.path] : []));
  const missing = files
    .filter(({ path }) => !paths.includes(path))
    .map(({ id, path }) => `the file ${id} is not placed at ${path}`);
  const stray = paths
    .filter((path) => !files.some((file) => file.path === path))
    .map((path) => `${path} is placed but not specified`);
  const twice = paths.filter((path, index) => paths.indexOf(path) !== index).map((path) => `${path} is placed twice`);
  return passed(
    'every required file is placed',
    [...missing, ...stray, ...twice],
    `${files.length} of ${files.length} files placed`,
  );
}

function opensAfterPlacing(operations: readonly SetupOperation[], { files }: TaskSpecification): Evidence {
  const problems = operations.flatMap((operation, index) => {
    if (operation.op !== 'open' || operation.path === undefined || !files.some(({ path }) => path === operation.path))
      return [];
    const placed = operations
      .slice(0, index)
      .some((earlier) => earlier.op === 'place-file' && earlier.path === operation.path);
    return placed ? [] : [`${operation.application} opens ${operation.path} before it is placed`];
  });
  return passed('files are placed before they are opened', problems, 'the order is right');
}

function preconditionsCovered(
  operations: readonly SetupOperation[],
  { files, preconditions }: TaskSpecification,
): Evidence {
  const problems = preconditions.flatMap((condition) => {
    const path = files.find(({ id }) => id === condition.file)?.path;
    if (path === undefined) return [`a precondition names the file ${condition.file}, which is not specified`];
    if (condition.type === 'file-present') {
      return operations.some((one) => one.op === 'place-file' && one.path === path) ? [] : [`${path} is not placed`];
    }
    const opened = operations.some(
      (one) => one.op === 'open' && one.application === condition.application && one.path === path,
    );
    return opened ? [] : [`${condition.application} is not opened with ${path}`];
  });
  return passed('every precondition is brought about', problems, `${preconditions.length} preconditions covered`);
}

/** Paths that an operation names. */
function pathsOf(operation: SetupOperation): string[] {
  if (operation.op === 'desktop')
    return operation.settings.wallpaper === undefined ? [] : [operation.settings.wallpaper];
  return (operation.op === 'place-file' || operation.op === 'open') && operation.path !== undefined
    ? [operation.path]
    : [];
}

function pathsAllowed(commands: readonly ShellCommand[], operations: readonly SetupOperation[]): Evidence {
  const own = operations.flatMap(pathsOf);
  // The program itself may lie anywhere; what it is given may not.
  // Values of variables are handed on and not touched.
  const named = commands.flatMap(({ words }) =>
    words[0] === 'set_env' ? [] : words.slice(1).filter((word) => word.startsWith('/') && !settings.has(word)),
  );
  const climbing = operations.flatMap((one) =>
    one.op === 'run' ? one.command.filter((word) => word.split('/').includes('..')) : [],
  );
  const bad = [...new Set([...own, ...named, ...climbing])].filter((path) => !isAllowed(path) && !harmless.has(path));
  return passed(
    'only folders of the user are touched',
    bad.map((path) => `${path} is outside ${allowedFolders.join(' and ')}`),
    'all paths are under /home or /tmp',
  );
}

function commandsAllowed(commands: readonly ShellCommand[]): Evidence {
  const problems = commands.flatMap(({ words, line }) =>
    words
      .filter(
        (word, index) => forbidden.has(word.slice(word.lastIndexOf('/') + 1)) && (index === 0 || words[0] === 'env'),
      )
      .map((word) => `line ${line} runs ${word}`),
  );
  return passed('no shell, network or system program is run', problems, 'none is');
}

function noAnswers(
  script: string,
  operations: readonly SetupOperation[],
  spec: TaskSpecification,
  hidden: HiddenAnswers | undefined,
): Evidence {
  const check = 'the script holds no answers';
  if (hidden === undefined) return { check, ok: true, detail: 'there are no hidden answers' };
  const paths = operations.flatMap(pathsOf);
  const names = [...spec.files.map(({ path }) => path), ...paths].flatMap((path) => [
    path,
    path.slice(path.lastIndexOf('/') + 1),
  ]);
  // Permissions such as 0644 are no statement of a number.
  const modes = operations.flatMap((one) => (one.op === 'place-file' ? [one.mode] : []));
  const steps = script.split('\n').slice(bodyStart(script)).join('\n');
  const leaks = findAnswerLeaks(steps, hidden.answers, [...new Set([...names, ...modes, ...spec.outcome.mentions])]);
  return passed(
    check,
    leaks.map(({ label }) => `the answer ${label} stands in it`),
    `${hidden.answers.length} answers looked for`,
  );
}

/** The fixed functions at the top hold waiting times and the like; operations come after the last of them. */
function bodyStart(script: string): number {
  const lines = script.split('\n');
  return lines.lastIndexOf('}') + 1;
}
