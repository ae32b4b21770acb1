import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Environment } from '../bootstrap/environment.ts';
import { silentReporter } from '../bootstrap/progress.ts';
import { loadSettings } from '../bootstrap/settings.ts';
import { doctorCommand } from './doctor-command.ts';
import { findInstaller, installPackages } from './install.ts';
import { toolParts } from './parts.ts';
import { DoctorReport } from './report.ts';

let folder: string;
let bin: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'forge-doctor-'));
  bin = join(folder, 'bin');
  await mkdir(bin);
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function command(name: string, says: string, code = 0): Promise<void> {
  await writeFile(join(bin, name), `#!/bin/sh\necho "${says}"\nexit ${code}\n`);
  await chmod(join(bin, name), 0o755);
}

async function doctor(
  env: Environment,
  use: 'start' | 'test',
): Promise<{ code: number; text: string; report: DoctorReport }> {
  let text = '';
  const out = new Writable({
    write(chunk, _encoding, done) {
      text += String(chunk);
      done();
    },
  });
  const settings = loadSettings(folder, {
    PATH: bin,
    FORGE_DATA: join(folder, 'data'),
    FORGE_CACHE: join(folder, 'cache'),
    ...env,
  });
  const code = await doctorCommand({ settings, install: false, json: true, use, out, reporter: silentReporter });
  return { code, text, report: DoctorReport.parse(JSON.parse(text)) };
}

describe('forge doctor --json', () => {
  it('reports every part in the published shape, with the one command for what is missing', async () => {
    await command('npm', '11.0.0');
    await command('git', 'git version 2.47.1');
    await command('shellcheck', 'version: 0.10.0');
    const { report, code } = await doctor({}, 'start');
    const ids = report.parts.map((part) => part.id);
    expect(ids).toEqual([
      'node',
      'npm',
      'temporal',
      ...toolParts.map((part) => part.id),
      'disk',
      'data',
      'ports',
      'models',
    ]);
    const by = Object.fromEntries(report.parts.map((part) => [part.id, part]));
    expect(by.git).toMatchObject({ ok: true, found: '2.47.1', where: join(bin, 'git'), fix: null });
    expect(by.shellcheck).toMatchObject({ ok: true, found: '0.10.0' });
    if (process.platform === 'linux') {
      expect(by.soffice).toMatchObject({ ok: false, found: null, fix: expect.stringContaining('libreoffice-calc') });
      expect(report.install).toMatch(/^sudo apt-get install -y --no-install-recommends chromium .*poppler-utils/);
    }
    expect(by.temporal).toMatchObject({ ok: true, fix: expect.stringContaining('first start') });
    expect(code).toBe(0);
  });

  it('fails when a part that tests need is missing, and only for tests', async () => {
    await command('npm', '11.0.0');
    expect((await doctor({}, 'start')).code).toBe(0);
    expect((await doctor({}, 'test')).code).toBe(1);
  });

  it('fails without npm', async () => {
    const { code, report } = await doctor({}, 'start');
    expect(code).toBe(1);
    expect(report).toMatchObject({ ok: false });
  });

  it('says whether a key is set, never the key', async () => {
    const { text, report } = await doctor(
      { FORGE_MODEL_PROVIDER: 'openai', FORGE_MODEL: 'small', FORGE_OPENAI_API_KEY: 'sk-very-hidden' },
      'start',
    );
    expect(text).not.toContain('sk-very-hidden');
    expect(report.parts.find((part) => part.id === 'models')).toMatchObject({
      ok: true,
      found: 'openai, model small, key set',
    });
  });

  it('reports the cluster of TEMPORAL_ADDRESS instead of a binary', async () => {
    const { report } = await doctor(
      { TEMPORAL_ADDRESS: 'temporal.example:7233', TEMPORAL_NAMESPACE: 'forge' },
      'start',
    );
    expect(report.parts.find((part) => part.id === 'temporal')?.found).toBe(
      'cluster at temporal.example:7233, namespace forge',
    );
  });
});

describe('findInstaller', () => {
  it('takes apt-get as root, sudo that asks nothing otherwise, and says why not', async () => {
    const env = { PATH: bin };
    expect(await findInstaller(env, 0)).toEqual({ refusal: 'there is no apt-get here' });
    await command('apt-get', 'apt 2.9');
    expect(await findInstaller(env, 0)).toEqual({ prefix: [] });
    expect(await findInstaller(env, 1000)).toEqual({ refusal: 'only root may install packages, and there is no sudo' });
    await command('sudo', 'Sudo version 1.9');
    expect(await findInstaller(env, 1000)).toEqual({ prefix: ['sudo', '-n'] });
    await command('sudo', 'a password is required', 1);
    expect(await findInstaller(env, 1000)).toEqual({ refusal: 'sudo asks for a password' });
  });
});

describe('installPackages', () => {
  const aptGet = (exit: number): Promise<void> =>
    writeFile(
      join(bin, 'apt-get'),
      `#!/bin/sh\necho "$DEBIAN_FRONTEND $*" >> ${join(folder, 'calls')}\necho "E: no such package"\nexit ${exit}\n`,
      { mode: 0o755 },
    );

  it('updates the lists and installs without asking', async () => {
    await aptGet(0);
    expect(
      await installPackages(['shellcheck', 'poppler-utils'], { PATH: `${bin}:/bin:/usr/bin` }, silentReporter, 0),
    ).toBeNull();
    expect((await readFile(join(folder, 'calls'), 'utf8')).split('\n').slice(1)).toEqual([
      expect.stringMatching(/^noninteractive .*update$/),
      expect.stringMatching(/^noninteractive .*install -y --no-install-recommends shellcheck poppler-utils$/),
      '',
    ]);
  });

  it('says what apt-get said when it fails', async () => {
    await aptGet(100);
    const why = await installPackages(['shellcheck'], { PATH: `${bin}:/bin:/usr/bin` }, silentReporter, 0);
    expect(why).toMatch(/ended with 100.*no such package/);
  });
});
