import { execFile, spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { keyringSecrets } from './keyring-secrets.ts';

const has = (program: string): boolean => spawnSync('sh', ['-c', `command -v ${program}`]).status === 0;
const keyringHere = process.platform === 'linux' && has('gnome-keyring-daemon') && has('dbus-run-session');

const script = `
import { keyringSecrets } from '${import.meta.dirname}/keyring-secrets.ts';
const ring = keyringSecrets();
const said = [await ring.find('A'), await ring.names()];
await ring.set('A', 'in the ring');
said.push(await ring.find('A'), await ring.names(), await ring.remove('A'), await ring.remove('A'), await ring.names());
console.log(JSON.stringify(said));
`;

it.runIf(keyringHere)('keeps secrets in the keyring of a desktop session', async () => {
  const home = await mkdtemp(join(tmpdir(), 'forge-keyring-'));
  try {
    const session = `printf password | gnome-keyring-daemon --unlock --components=secrets >/dev/null 2>&1; exec "$0" --import tsx --input-type=module -e "$1"`;
    const { stdout } = await promisify(execFile)(
      'dbus-run-session',
      ['--', 'sh', '-c', session, process.execPath, script],
      {
        env: { ...process.env, HOME: home, XDG_DATA_HOME: join(home, 'data'), XDG_RUNTIME_DIR: home },
        timeout: 25_000,
      },
    );
    expect(JSON.parse(stdout)).toEqual([null, [], 'in the ring', ['A'], true, false, []]);
  } finally {
    await rm(home, { recursive: true, force: true });
  }
});

it('says why where there is no keyring', async () => {
  const before = process.env.DBUS_SESSION_BUS_ADDRESS;
  process.env.DBUS_SESSION_BUS_ADDRESS = 'unix:path=/nonexistent/bus';
  try {
    if (process.platform !== 'linux') return expect(keyringSecrets().description).toContain('keyring');
    await expect(keyringSecrets().find('A')).rejects.toMatchObject({
      code: 'input.invalid',
      message: expect.stringMatching(/keyring of the operating system does not work here: .{5,}/),
      fix: expect.stringContaining('file'),
    });
  } finally {
    if (before === undefined) delete process.env.DBUS_SESSION_BUS_ADDRESS;
    else process.env.DBUS_SESSION_BUS_ADDRESS = before;
  }
});
