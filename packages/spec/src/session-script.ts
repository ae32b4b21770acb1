import { desktop, environment, mail, services, windows } from './session-functions.ts';
import { type SessionOperation, sessionCommands } from './setup-operations.ts';

const reserved = /^(?:if|then|elif|else|fi|for|while|until|do|done|case|esac|in|function|select|time|coproc)$/;

/** A word as the shell reads it back unchanged; plain words stay as they are. */
export const quoted = (text: string): string =>
  /^[\w@%+:,./-]+$/.test(text) && !reserved.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;

/** How every setup script begins. */
export const scriptHead = `#!/usr/bin/env bash
# Prepares the desktop for a task. Running it again leaves the same state.
# shellcheck disable=SC2016 # Words in single quotes are meant as they are.
set -euo pipefail

fail() {
  printf 'setup: %s\\n' "$1" >&2
  exit 1
}
`;

/** The shell functions that these operations call. */
export function sessionFunctions(operations: readonly { op: string }[]): string {
  const has = (...ops: SessionOperation['op'][]): boolean => operations.some(({ op }) => ops.some((one) => one === op));
  return [
    has('env', 'desktop') ? environment : '',
    has('window', 'wait-window') ? windows : '',
    has('desktop') ? desktop : '',
    has('service') ? services : '',
    has('mail') ? mail : '',
  ].join('');
}

/** The lines of a script that carry an operation out. */
export const sessionLines = (operation: SessionOperation): string =>
  sessionCommands(operation)
    .map((words) => words.map(quoted).join(' '))
    .join('\n');

/** A script that carries one operation out by itself. */
export const sessionScript = (operation: SessionOperation): string =>
  `${scriptHead}${sessionFunctions([operation])}\n${sessionLines(operation)}\n`;
