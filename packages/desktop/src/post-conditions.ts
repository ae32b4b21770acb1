import type { SandboxWindow } from '@cua-forge/spec/sandbox-messages';
import type { Sandbox } from '@cua-forge/spec/sandbox-port';
import type { DesktopSettings, WindowMatch } from '@cua-forge/spec/setup-operations';
import type { PostCondition } from '@cua-forge/spec/setup-report';
import type { SetupOperation } from '@cua-forge/spec/task';
import { launcherOf } from './setup-script.ts';

/** Frames and title bars may take so many pixels. */
const frame = 60;

export interface ConditionContext {
  sandbox: Sandbox;
  signal: AbortSignal;
  /** Milliseconds to wait for windows and still pixels. */
  waitMs: number;
}

const condition = (what: string, expected: string, seen: string): PostCondition => ({
  what,
  expected,
  seen,
  ok: expected === seen,
});
const short = (text: string): string => (text.length > 300 ? `${text.slice(0, 300)}…` : text);

async function output({ sandbox, signal }: ConditionContext, command: readonly string[]): Promise<string> {
  const { exitCode, stdout, stderr } = await sandbox.exec(command, { timeoutMs: 20_000, signal });
  return exitCode === 0 ? stdout.trim() : `exit ${exitCode}: ${short(stderr.trim())}`;
}

/** A variable as later sessions of the user see it. */
const variable = (context: ConditionContext, name: string): Promise<string> =>
  output(context, ['bash', '-lc', `printf '%s' "\${${name}-unset}"`]);

async function fileConditions(
  context: ConditionContext,
  { path, file, mode }: Extract<SetupOperation, { op: 'place-file' }>,
): Promise<PostCondition[]> {
  const facts = await output(context, ['stat', '-c', '%F|%a|%U', '--', path]);
  const [kind = facts, rights = '', owner = ''] = facts.split('|');
  const user = await output(context, ['id', '-un']);
  const sum = await output(context, ['sha256sum', '--', path]);
  return [
    condition(
      `${path} is a file`,
      'regular file',
      kind === 'regular empty file' && file.size === 0 ? 'regular file' : kind,
    ),
    condition('its bytes have their SHA-256', file.hash, sum.replace(/^\\/, '').slice(0, 64)),
    condition('its rights', mode.replace(/^0/, ''), rights),
    condition('its owner', user, owner),
  ];
}

const describe = (windows: readonly SandboxWindow[]): string =>
  windows.length === 0 ? 'no window' : short(windows.map(({ title, class: name }) => `${title} (${name})`).join(', '));

async function openConditions(
  context: ConditionContext,
  { application, path }: Extract<SetupOperation, { op: 'open' }>,
): Promise<PostCondition[]> {
  const { sandbox, signal, waitMs } = context;
  const { window, command, process } = launcherOf(application);
  const title = path?.slice(path.lastIndexOf('/') + 1);
  const wanted = title === undefined ? { class: window } : { title };
  const expected = title === undefined ? `a window of ${application}` : `a window with ${title} in its title`;
  const found = await sandbox
    .waitForWindow(wanted, { timeoutMs: waitMs, signal })
    .then(() => true)
    .catch((thrown: unknown) => {
      signal.throwIfAborted();
      return timedOut(thrown) ? false : Promise.reject(thrown);
    });
  const windows = await sandbox.windows();
  const still = await stillCondition(context);
  const program = process ?? command[0] ?? application;
  const processes = await output(context, ['ps', '-eo', 'args=']);
  return [
    condition(`${application} shows it`, expected, found ? expected : describe(windows)),
    condition(
      `${program} runs`,
      'yes',
      processes.split('\n').some((line) => (line.split(' ')[0] ?? '').includes(program)) ? 'yes' : 'no such process',
    ),
    still,
  ];
}

const timedOut = (thrown: unknown): boolean =>
  thrown instanceof Error && 'code' in thrown && thrown.code === 'sandbox.timeout';

async function stillCondition({ sandbox, signal, waitMs }: ConditionContext): Promise<PostCondition> {
  const what = 'the screen is still';
  try {
    // A caret may blink.
    await sandbox.waitForStill({ quietMs: 400, tolerance: 600, timeoutMs: waitMs, signal });
    return condition(what, 'yes', 'yes');
  } catch (thrown) {
    signal.throwIfAborted();
    if (timedOut(thrown)) return condition(what, 'yes', `not within ${Math.round(waitMs / 1000)} s`);
    throw thrown;
  }
}

const fits = ({ by, text }: WindowMatch) => {
  const wanted = text.toLowerCase();
  return (window: SandboxWindow): boolean =>
    by === 'title' ? window.title.includes(text) : window.class.toLowerCase().includes(wanted);
};

async function windowConditions(
  context: ConditionContext,
  operation: Extract<SetupOperation, { op: 'window' | 'wait-window' }>,
): Promise<PostCondition[]> {
  const { sandbox } = context;
  const { by, text } = operation.window;
  const expected = `a window with ${text} in its ${by}`;
  const windows = await sandbox.windows();
  const found = windows.find(fits(operation.window));
  const there = condition('the window is there', expected, found === undefined ? describe(windows) : expected);
  if (operation.op === 'wait-window' || found === undefined) return [there];
  // Window managers answer in their own time.
  await stillCondition(context);
  const now = (await sandbox.windows()).find(({ id }) => id === found.id) ?? found;
  const states = await output(context, ['xprop', '-id', String(now.id), '_NET_WM_STATE']);
  const maximised = states.includes('MAXIMIZED_VERT') && states.includes('MAXIMIZED_HORZ');
  const is = (what: string, ok: boolean, otherwise: string) =>
    condition(`the window is ${what}`, 'yes', ok ? 'yes' : otherwise);
  switch (operation.action) {
    case 'maximise':
      return [there, is('maximised', maximised, 'no')];
    case 'restore':
      return [there, is('shown and not maximised', !maximised && !now.minimized, short(states))];
    case 'minimise':
      return [there, is('minimised', now.minimized, 'no')];
    case 'focus':
      return [there, is('the active one', now.active, 'another is')];
    case 'place': {
      const { box } = operation;
      if (box === undefined) return [there];
      const near = (one: number, other: number) => Math.abs(one - other) <= frame;
      const ok = near(now.x, box.x) && near(now.y, box.y) && near(now.width, box.width) && near(now.height, box.height);
      return [
        there,
        is(
          `at ${box.x},${box.y} with ${box.width} x ${box.height}`,
          ok,
          `at ${now.x},${now.y} with ${now.width} x ${now.height}`,
        ),
      ];
    }
  }
}

async function desktopConditions(context: ConditionContext, settings: DesktopSettings): Promise<PostCondition[]> {
  const found: PostCondition[] = [];
  const xsettings = async (): Promise<string> => output(context, ['dump_xsettings']);
  if (settings.timeZone !== undefined)
    found.push(condition('time zone of later sessions', settings.timeZone, await variable(context, 'TZ')));
  if (settings.locale !== undefined)
    found.push(condition('language of later sessions', settings.locale, await variable(context, 'LANG')));
  if (settings.resolution !== undefined) {
    const [, width, height] = /current (\d+) x (\d+)/.exec(await output(context, ['xrandr', '--query'])) ?? [];
    found.push(condition('size of the screen', settings.resolution, `${width}x${height}`));
  }
  if (settings.keyboardLayout !== undefined) {
    const layout = /^layout:\s*(\S+)/m.exec(await output(context, ['setxkbmap', '-query']))?.[1];
    found.push(condition('keyboard layout', settings.keyboardLayout, layout ?? 'none'));
  }
  if (settings.theme !== undefined) {
    const theme = /^Net\/ThemeName "(.*)"$/m.exec(await xsettings())?.[1];
    found.push(condition('theme', settings.theme, theme ?? 'none'));
  }
  if (settings.fontScale !== undefined) {
    const scale = /^Xft\/DPI (\d+)$/m.exec(await xsettings())?.[1];
    const wanted = Math.round(96 * settings.fontScale);
    found.push(condition('dots per inch of texts', String(wanted), String(Number(scale) / 1024)));
  }
  if (settings.wallpaper !== undefined) {
    const pixmap = await output(context, ['xprop', '-root', '_XROOTPMAP_ID']);
    found.push(condition('an image lies behind the windows', 'yes', /# 0x[1-9a-f]/.test(pixmap) ? 'yes' : 'no'));
  }
  if (settings.screensaver !== undefined) {
    const timeout = /timeout:\s*(\d+)/.exec(await output(context, ['xset', 'q']))?.[1];
    found.push(condition('seconds until the screen saver', '0', timeout ?? 'unknown'));
  }
  return found;
}

async function serviceConditions(
  context: ConditionContext,
  { name, ready }: Extract<SetupOperation, { op: 'service' }>,
): Promise<PostCondition[]> {
  const [what, probe] =
    'port' in ready
      ? [`port ${ready.port} takes connections`, `exec 3<>/dev/tcp/127.0.0.1/${ready.port}`]
      : [`${ready.path} is there`, `[ -e '${ready.path.replaceAll("'", `'\\''`)}' ]`];
  const { exitCode } = await context.sandbox.exec(['bash', '-c', probe], { timeoutMs: 5_000, signal: context.signal });
  const alive = await output(context, [
    'bash',
    '-c',
    `kill -0 "$(cat "\${TMPDIR:-/tmp}/task-setup-$(id -u)/${name}.service")" && echo yes`,
  ]);
  return [condition(`the service ${name} runs`, 'yes', alive), condition(what, 'yes', exitCode === 0 ? 'yes' : 'no')];
}

async function mailConditions(
  context: ConditionContext,
  { person, address, folders }: Extract<SetupOperation, { op: 'mail' }>,
): Promise<PostCondition[]> {
  const profile = `${context.sandbox.home}/.thunderbird/task.default`;
  const prefs = await output(context, ['cat', `${profile}/prefs.js`]);
  const pref = (key: string) => new RegExp(`"mail\\.identity\\.id1\\.${key}", "(.*)"\\);`).exec(prefs)?.[1] ?? 'none';
  const found = [
    condition('name of the mail identity', person, pref('fullName')),
    condition('address of the mail identity', address, pref('useremail')),
  ];
  for (const { name, messages } of folders) {
    const { stdout } = await context.sandbox.exec(['grep', '-c', '^From - ', `${profile}/Mail/Local Folders/${name}`], {
      timeoutMs: 10_000,
      signal: context.signal,
    });
    found.push(condition(`messages in ${name}`, String(messages.length), stdout.trim()));
  }
  return found;
}

/** What has to hold after an operation, looked at in the sandbox. */
export async function postConditions(context: ConditionContext, operation: SetupOperation): Promise<PostCondition[]> {
  switch (operation.op) {
    case 'place-file':
      return fileConditions(context, operation);
    case 'open':
      return openConditions(context, operation);
    case 'run':
      // What a command is for only its author knows; that it succeeded was seen when it ran.
      return [condition('the command succeeded', 'exit 0', 'exit 0')];
    case 'env':
      return [
        condition(`${operation.name} in later sessions`, operation.value, await variable(context, operation.name)),
      ];
    case 'window':
    case 'wait-window':
      return windowConditions(context, operation);
    case 'desktop':
      return desktopConditions(context, operation.settings);
    case 'service':
      return serviceConditions(context, operation);
    case 'mail':
      return mailConditions(context, operation);
  }
}
