import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { renderSetupScript } from '@cua-forge/desktop/setup-script';
import type { JsonObject } from '@cua-forge/spec/json';
import type { Kind } from '@cua-forge/spec/kind';
import { SetupOperation } from '@cua-forge/spec/task';
import { runKind } from '@cua-forge/testing/run-kind';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { desktop } from './desktop.node.ts';
import { env } from './env.node.ts';
import { waitWindow } from './wait-window.node.ts';
import { window } from './window.node.ts';

const exec = promisify(execFile);
const has = (program: string) => spawnSync('sh', ['-c', `command -v ${program}`]).status === 0;
const hasDisplay = ['Xvfb', 'openbox', 'xterm', 'wmctrl', 'xdotool', 'setxkbmap', 'xset', 'xrandr'].every(has);

const made = async (kind: Kind, params: JsonObject) =>
  SetupOperation.parse((await runKind(kind, { params, inputs: {} })).operation);

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'session '));
  await mkdir(join(folder, 'bin'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** A program that writes its arguments down, and says and answers what it is told to. */
async function standIn(name: string, text = '', status = 0): Promise<void> {
  const log = `printf '%s' '${name}' >>"$CALLS"; printf ' <%s>' "$@" >>"$CALLS"; printf '\\n' >>"$CALLS"`;
  await writeFile(join(folder, 'bin', name), `#!/bin/sh\n${log}\n${text}\nexit ${status}\n`);
  await chmod(join(folder, 'bin', name), 0o755);
}

async function setUp(operations: SetupOperation[], more: Record<string, string> = {}) {
  const script = join(folder, 'setup.sh');
  await writeFile(script, renderSetupScript(operations), { mode: 0o755 });
  const { PATH = '', TZ: _zone, LANG: _language, ...rest } = process.env;
  const environment = {
    ...rest,
    HOME: folder,
    XDG_CONFIG_HOME: '',
    CALLS: join(folder, 'calls'),
    PATH: `${join(folder, 'bin')}:${PATH}`,
    ...more,
  };
  return exec(script, { env: environment });
}
const calls = async () => (await readFile(join(folder, 'calls'), 'utf8')).trim().split('\n');

const nasty = `it's "a" $HOME \`x\` \\ $(false) %s`;

describe('the scripts', () => {
  it('parse, and shellcheck has nothing to say', async () => {
    const operations = await Promise.all([
      made(env, { name: 'GREETING', value: nasty }),
      made(waitWindow, { window: { text: nasty } }),
      ...['maximise', 'restore', 'minimise', 'focus'].map((action) =>
        made(window, { window: { by: 'class', text: 'x' }, action }),
      ),
      made(window, { window: { text: 'x' }, action: 'place', box: { x: 0, y: -5, width: 640, height: 480 } }),
      made(desktop, {
        theme: 'Adwaita-dark',
        wallpaper: '/home/user/It is.png',
        fontScale: 1.25,
        keyboardLayout: 'de',
        resolution: '1920x1080',
        timeZone: 'Europe/Berlin',
        locale: 'de_DE.UTF-8',
        screensaver: 'off',
      }),
    ]);
    for (const [index, part] of [operations, ...operations.map((one) => [one])].entries()) {
      const file = join(folder, `setup-${index}.sh`);
      await writeFile(file, renderSetupScript(part));
      await expect(exec('bash', ['-n', file])).resolves.toBeDefined();
      if (has('shellcheck'))
        await expect(exec('shellcheck', [file]), renderSetupScript(part)).resolves.toMatchObject({ stdout: '' });
    }
  });
});

describe('setup.env', () => {
  it('sets a variable for later steps and later sessions, once however often it runs', async () => {
    await standIn('show', 'printf "%s" "$GREETING" >"$HOME/seen"');
    const operations: SetupOperation[] = [
      await made(env, { name: 'GREETING', value: 'first' }),
      await made(env, { name: 'GREETING', value: nasty }),
      await made(env, { name: 'EMPTY', value: '' }),
      { op: 'run', command: ['show'], why: 'to see it' },
    ];
    for (let round = 0; round < 2; round += 1) await setUp(operations);
    expect(await readFile(join(folder, 'seen'), 'utf8')).toBe(nasty);
    for (const shell of ['bash', 'bash --posix']) {
      const later = await exec('sh', [
        '-c',
        `exec env -i HOME="$1" ${shell} -c '. "$HOME/.profile"; printf "%s|%s" "$GREETING" "\${EMPTY-unset}"'`,
        'sh',
        folder,
      ]);
      expect(later.stdout).toBe(`${nasty}|`);
    }
    const file = await readFile(join(folder, '.config/task-setup/env.sh'), 'utf8');
    expect(file.match(/GREETING/g)).toHaveLength(1);
    expect((await readFile(join(folder, '.bashrc'), 'utf8')).trim().split('\n')).toHaveLength(1);
  });

  it.each(['PATH', 'LD_PRELOAD', 'BASH_ENV', 'HOME', 'IFS', 'a-b', '1a', 'A=B', ''])('refuses the name %s', (name) => {
    expect(env.params.safeParse({ name, value: 'x' }).success).toBe(false);
  });

  it('refuses values of several lines', () => {
    expect(env.params.safeParse({ name: 'A', value: 'a\nb' }).success).toBe(false);
  });
});

describe('setup.desktop', () => {
  it('asks a desktop of GNOME’s kind, and one like Xfce', async () => {
    await standIn('gsettings', '[ "$1" != writable ] || exec true');
    await standIn('xfconf-query', 'case "$*" in *" -l"*) printf "/backdrop/screen0/last-image\\n/other\\n" ;; esac');
    await writeFile(join(folder, 'w.png'), 'x');
    await setUp([await made(desktop, { theme: 'Adwaita', fontScale: 1.25, wallpaper: join(folder, 'w.png') })]);
    const settings = (await calls()).filter((call) => call.includes('<set>') || call.includes('<-s>'));
    expect(settings).toEqual([
      'gsettings <set> <org.gnome.desktop.interface> <gtk-theme> <Adwaita>',
      'xfconf-query <-c> <xsettings> <-p> </Net/ThemeName> <-n> <-t> <string> <-s> <Adwaita>',
      'gsettings <set> <org.gnome.desktop.interface> <text-scaling-factor> <1.25>',
      'xfconf-query <-c> <xsettings> <-p> </Xft/DPI> <-n> <-t> <int> <-s> <120>',
      `gsettings <set> <org.gnome.desktop.background> <picture-uri> <file://${folder}/w.png>`,
      `xfconf-query <-c> <xfce4-desktop> <-p> </backdrop/screen0/last-image> <-s> <${folder}/w.png>`,
    ]);
  });

  it('says when the desktop has no such setting, or the image is not there', async () => {
    await standIn('gsettings', '', 1);
    await standIn('xfconf-query', '', 1);
    await expect(setUp([await made(desktop, { theme: 'Adwaita' })])).rejects.toMatchObject({
      stderr: 'setup: this desktop has no setting for gtk-theme\n',
    });
    await expect(setUp([await made(desktop, { wallpaper: '/home/none.png' })])).rejects.toMatchObject({
      stderr: 'setup: there is no image /home/none.png\n',
    });
  });

  it('sets zone and language for what starts afterwards', async () => {
    await standIn('show', 'printf "%s %s" "$TZ" "$LANG" >"$HOME/seen"');
    await setUp([
      await made(desktop, { locale: 'de_DE.UTF-8', timeZone: 'Europe/Berlin' }),
      { op: 'run', command: ['show'], why: 'x' },
    ]);
    expect(await readFile(join(folder, 'seen'), 'utf8')).toBe('Europe/Berlin de_DE.UTF-8');
  });

  it('refuses nothing, unknown zones and strange values', async () => {
    await expect(runKind(desktop, { params: { timeZone: 'Europe/Atlantis' }, inputs: {} })).rejects.toMatchObject({
      code: 'params.invalid',
    });
    for (const params of [
      {},
      { keyboardLayout: 'de; rm' },
      { locale: 'german' },
      { resolution: '10x10' },
      { theme: '$(x)' },
      { wallpaper: 'w.png' },
    ])
      expect(desktop.params.safeParse(params).success, JSON.stringify(params)).toBe(false);
  });
});

describe('windows', () => {
  it('that do not come in time, and tools that are missing, are told', async () => {
    await standIn('wmctrl');
    await expect(
      setUp([await made(waitWindow, { window: { text: 'Letter' }, timeoutSeconds: 1 })]),
    ).rejects.toMatchObject({
      stderr: 'setup: no window with the title Letter within 1 seconds\n',
    });
    expect(window.params.safeParse({ window: { text: 'x' }, action: 'place' }).success).toBe(false);
    expect(
      window.params.safeParse({ window: { text: 'x' }, action: 'focus', box: { x: 0, y: 0, width: 99, height: 99 } })
        .success,
    ).toBe(false);
  });
});

describe.skipIf(!hasDisplay)('on a real display (where Xvfb, openbox, xterm, wmctrl and xdotool are installed)', () => {
  const processes: ChildProcess[] = [];
  let display = '';
  const start = (program: string, args: string[]) => {
    const child = spawn(program, args, { stdio: 'ignore', env: { ...process.env, DISPLAY: display } });
    processes.push(child);
    return child;
  };
  const ask = async (...command: [string, ...string[]]) =>
    (await exec(command[0], command.slice(1), { env: { ...process.env, DISPLAY: display } })).stdout;

  beforeAll(async () => {
    const server = spawn('Xvfb', ['-displayfd', '3', '-screen', '0', '1280x720x24', '-nolisten', 'tcp'], {
      stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
    });
    processes.push(server);
    const numbers = server.stdio[3];
    if (numbers === null || numbers === undefined || !('setEncoding' in numbers)) throw new Error('no pipe');
    display = `:${await new Promise<string>((resolve) => numbers.once('data', (data: Buffer) => resolve(data.toString().trim())))}`;
    start('openbox', ['--sm-disable']);
    await vi.waitFor(async () => expect(await ask('wmctrl', '-m')).toContain('Openbox'), { timeout: 15_000 });
    start('xterm', ['-T', nasty]);
  });
  afterAll(() => {
    for (const child of processes.reverse()) child.kill();
  });

  const onDisplay = async (kind: Kind, params: JsonObject) => setUp([await made(kind, params)], { DISPLAY: display });
  const state = async () =>
    ask(
      'xprop',
      '-id',
      (await ask('xdotool', 'search', '--class', 'xterm')).trim().split('\n').at(-1) ?? '',
      '_NET_WM_STATE',
      'WM_STATE',
    );
  const xterm = { by: 'class', text: 'XTerm' };

  it('waits for a window by its title, and brings windows into every state, twice', async () => {
    await onDisplay(waitWindow, { window: { text: nasty } });
    for (let round = 0; round < 2; round += 1) {
      await onDisplay(window, { window: { text: nasty.slice(3, 20) }, action: 'maximise' });
      await expect.poll(state, { timeout: 5_000 }).toMatch(/MAXIMIZED_(HORZ|VERT), _NET_WM_STATE_MAXIMIZED/);
      await onDisplay(window, { window: xterm, action: 'minimise' });
      await expect.poll(state, { timeout: 5_000 }).toMatch(/Iconic|HIDDEN/);
      await onDisplay(window, { window: xterm, action: 'restore' });
      await expect.poll(state, { timeout: 5_000 }).not.toMatch(/Iconic|HIDDEN|MAXIMIZED/);
      await onDisplay(window, { window: xterm, action: 'focus' });
      await onDisplay(window, { window: xterm, action: 'place', box: { x: 100, y: 80, width: 500, height: 300 } });
      // A terminal is as wide as its columns.
      const near = async () => {
        const [, , , , width = 0, height = 0] = (await ask('wmctrl', '-lG')).split(/\s+/).map(Number);
        return Math.abs(width - 500) < 20 && Math.abs(height - 300) < 30;
      };
      await expect.poll(near, { timeout: 5_000 }).toBe(true);
    }
  }, 60_000);

  it('sets keyboard, screensaver and screen', async () => {
    await onDisplay(desktop, { keyboardLayout: 'de', screensaver: 'off' });
    expect(await ask('setxkbmap', '-query')).toMatch(/layout:\s+de/);
    expect(await ask('xset', 'q')).toMatch(/timeout:\s+0/);
    await expect(onDisplay(desktop, { resolution: '9999x9999' })).rejects.toMatchObject({
      stderr: expect.stringContaining('9999x9999'),
    });
  });
});
