import { ForgeError } from '@cua-forge/spec/errors';
import { quoted, scriptHead, sessionFunctions, sessionLines } from '@cua-forge/spec/session-script';
import type { SetupOperation } from '@cua-forge/spec/task';
import { applications, type Launcher } from './applications.ts';
import { packageFileNames } from './package-file-names.ts';

const placing = `
here="$(cd -- "$(dirname -- "\${BASH_SOURCE[0]}")" && pwd -P)"
files="$here/../files"

# place NAME TARGET MODE: copies a file of the package to its path, whole or not at all.
place() {
  [ -f "$files/$1" ] || fail "the package has no file $1"
  mkdir -p -- "$(dirname -- "$2")"
  if ! cmp -s -- "$files/$1" "$2"; then
    cp -- "$files/$1" "$2.new"
    mv -f -- "$2.new" "$2"
  fi
  chmod -- "$3" "$2"
}
`;

const launching = `
export DISPLAY="\${DISPLAY:-:0}"
state="\${TMPDIR:-/tmp}/task-setup-$(id -u)"
mkdir -p -- "$state"

# shown KIND MARK: whether an application shows what it was asked to open.
shown() {
  case "$1" in
    lock-file) [ -e "$2" ] ;;
    window)
      command -v xdotool >/dev/null || return 1
      xdotool search --onlyvisible --name "$2" >/dev/null 2>&1
      ;;
    *) return 1 ;;
  esac
}

# launch NAME KIND MARK COMMAND...: starts an application detached and waits up to a minute until it shows its file.
launch() {
  local name="$1" kind="$2" mark="$3" pid ended=no tries
  shift 3
  if [ -f "$state/$name.pid" ] && kill -0 "$(cat -- "$state/$name.pid")" 2>/dev/null; then
    return 0
  fi
  command -v -- "$1" >/dev/null || fail "$1 is not installed"
  setsid nohup "$@" >"$state/$name.log" 2>&1 </dev/null &
  pid=$!
  printf '%s\\n' "$pid" >"$state/$name.pid"
  for ((tries = 0; tries < 240; tries += 1)); do
    if shown "$kind" "$mark"; then
      return 0
    fi
    # A second document is handed to an instance that runs already; the new process then ends well.
    if [ "$ended" = no ] && ! kill -0 "$pid" 2>/dev/null; then
      wait "$pid" || fail "$name ended before it showed its file; see $state/$name.log"
      ended=yes
    fi
    sleep 0.25
  done
  fail "$name did not show its file within a minute; see $state/$name.log"
}
`;

/**
 * One bash script that carries the operations out in order. It takes the files from `../files` beside its own folder.
 * @throws ForgeError `params.invalid` for an application that no launcher is known for
 */
export function renderSetupScript(operations: readonly SetupOperation[]): string {
  const names = packageFileNames(operations);
  const steps = operations.map((operation, index) => step(operation, index + 1, names));
  return `${scriptHead}${functionsOf(operations)}\n${steps.join('\n')}\n`;
}

/** A script for the operation at `index` alone, as the whole script carries it out. */
export function renderSetupStep(operations: readonly SetupOperation[], index: number): string {
  const operation = operations[index];
  if (operation === undefined) throw new RangeError(`There is no operation ${index}.`);
  return `${scriptHead}${functionsOf([operation])}${earlierEnvironment}\n${step(operation, index + 1, packageFileNames(operations))}\n`;
}

/** What earlier operations have set, which the whole script has from itself. */
const earlierEnvironment = `
if [ -r "\${XDG_CONFIG_HOME:-$HOME/.config}/task-setup/env.sh" ]; then
  . "\${XDG_CONFIG_HOME:-$HOME/.config}/task-setup/env.sh"
fi
`;

function functionsOf(operations: readonly SetupOperation[]): string {
  const has = (...ops: SetupOperation['op'][]) => operations.some(({ op }) => ops.includes(op));
  return [has('place-file') ? placing : '', has('open') ? launching : '', sessionFunctions(operations)].join('');
}

function step(operation: SetupOperation, number: number, names: ReadonlyMap<string, string>): string {
  switch (operation.op) {
    case 'place-file':
      return `place ${quoted(names.get(operation.path) ?? operation.file.name)} ${quoted(operation.path)} ${operation.mode}`;
    case 'run':
      return `# ${operation.why.replace(/\s+/g, ' ').trim()}\n${operation.command.map(quoted).join(' ')}`;
    case 'env':
    case 'window':
    case 'wait-window':
    case 'desktop':
    case 'service':
    case 'mail':
      return sessionLines(operation);
    case 'open': {
      const launcher = launcherOf(operation.application);
      const name = `${number}-${operation.application}`;
      const path = operation.path === undefined ? [] : [operation.path];
      const [kind, mark] = readiness(launcher, operation.application, operation.path);
      return `launch ${[name, kind, mark, ...launcher.command, ...path].map(quoted).join(' ')}`;
    }
  }
}

export function launcherOf(application: string) {
  const launcher = applications[application];
  if (launcher === undefined) {
    throw new ForgeError('params.invalid', `No way is known to open the application ${application}.`, {
      fix: `Use one of ${Object.keys(applications).join(', ')}.`,
    });
  }
  return launcher;
}

function readiness(
  { ready, title }: Launcher,
  application: string,
  path: string | undefined,
): [kind: string, mark: string] {
  if (path === undefined) return ['window', title ?? application.replace(/^libreoffice-.*/, 'LibreOffice')];
  const slash = path.lastIndexOf('/');
  const base = path.slice(slash + 1);
  return ready === 'lock-file' ? ['lock-file', `${path.slice(0, slash)}/.~lock.${base}#`] : ['window', base];
}
