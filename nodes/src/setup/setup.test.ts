import { execFile, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmod, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { packageFileNames } from '@cua-forge/desktop/package-file-names';
import { renderSetupScript } from '@cua-forge/desktop/setup-script';
import type { Kind } from '@cua-forge/spec/kind';
import { type SetupOperation, SetupScript, TaskSpecification } from '@cua-forge/spec/task';
import { testContext } from '@cua-forge/testing/execute-context';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { exampleSpecification } from '../spec/example-specification.ts';
import { open } from './open.node.ts';
import { placeFile } from './place-file.node.ts';
import { run } from './run.node.ts';
import { script } from './script.node.ts';

const exec = promisify(execFile);
const hasShellcheck = spawnSync('shellcheck', ['--version']).status === 0;
const spec = TaskSpecification.parse(exampleSpecification);
const call = async (kind: Kind, params: object, inputs: Record<string, unknown>) =>
  kind.execute({ params: kind.params.parse(params), inputs, extra: {}, context: testContext() });
const fileValue = (name: string, text: string) => ({
  name,
  mediaType: 'text/plain',
  hash: createHash('sha256').update(text).digest('hex'),
  size: text.length,
});

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'setup '));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const nasty = `it's "a" $HOME \`x\` \\ file.txt`;
const place = (path: string, text: string, mode = '0644'): SetupOperation => ({
  op: 'place-file',
  file: fileValue('x', text),
  path,
  mode,
});

/** Lays a package out, with a stand-in for LibreOffice that leaves a lock file, and runs its setup. */
async function layOut(operations: SetupOperation[], texts: Record<string, string>, soffice?: string) {
  const { script: made } = SetupScript.parse((await call(script, {}, { operations })).script);
  for (const name of ['setup', 'files', 'bin', 'tmp']) await mkdir(join(folder, name), { recursive: true });
  await writeFile(join(folder, 'setup/setup.sh'), made, { mode: 0o755 });
  for (const [name, text] of Object.entries(texts)) await writeFile(join(folder, 'files', name), text);
  if (soffice !== undefined) {
    await writeFile(join(folder, 'bin/soffice'), soffice);
    await chmod(join(folder, 'bin/soffice'), 0o755);
  }
  const env = { ...process.env, PATH: `${join(folder, 'bin')}:${process.env.PATH ?? ''}`, TMPDIR: join(folder, 'tmp') };
  return () => exec(join(folder, 'setup/setup.sh'), { env, cwd: '/' });
}

describe('setup operations', () => {
  it('places a file where params or the specification say', async () => {
    const file = fileValue('orders.xlsx', 'x');
    expect(await call(placeFile, { path: '/tmp/a.txt', mode: '0600' }, { file })).toEqual({
      operation: { op: 'place-file', file, path: '/tmp/a.txt', mode: '0600' },
    });
    expect(await call(placeFile, { file: 'book' }, { file, spec })).toMatchObject({
      operation: { path: '/home/user/Documents/orders.xlsx' },
    });
    await expect(call(placeFile, {}, { file })).rejects.toMatchObject({ code: 'params.invalid' });
    await expect(call(placeFile, { file: 'cook' }, { file, spec })).rejects.toMatchObject({
      fix: expect.stringContaining('book'),
    });
  });

  it('opens an application of the specification', async () => {
    expect(await call(open, { file: 'book' }, { spec })).toEqual({
      operation: { op: 'open', application: 'libreoffice-calc', path: '/home/user/Documents/orders.xlsx' },
    });
    await expect(call(open, { application: 'gimp' }, { spec })).rejects.toMatchObject({ code: 'params.invalid' });
    const strange = { ...spec, applications: ['visicalc'] };
    await expect(call(open, {}, { spec: strange })).rejects.toMatchObject({
      fix: expect.stringContaining('libreoffice-calc'),
    });
  });

  it('refuses shells', () => {
    for (const command of [['sh', '-c', 'ls'], ['env', 'bash', '-c', 'ls'], ['/bin/dash'], ['a\0b']]) {
      expect(run.params.safeParse({ command, why: 'x' }).success).toBe(false);
    }
  });
});

describe('packageFileNames', () => {
  it('gives different files different names, and equal ones one', () => {
    const names = packageFileNames([
      place('/home/a/x.txt', '1'),
      place('/home/b/x.txt', '2'),
      place('/home/c/x.txt', '1'),
      place('/home/d/x', '3'),
    ]);
    expect([...names.values()]).toEqual(['x.txt', 'x-2.txt', 'x.txt', 'x']);
  });
});

describe('setup.script', () => {
  const all = (base: string): SetupOperation[] => [
    { op: 'run', command: ['mkdir', '-p', join(base, 'home', nasty)], why: 'A folder\nwith a strange name' },
    place(join(base, 'home/Documents', nasty), 'first', '0640'),
    place(join(base, 'home/orders.xlsx'), 'second'),
    { op: 'open', application: 'libreoffice-calc', path: join(base, 'home/orders.xlsx') },
  ];
  const lock =
    '#!/bin/sh\nfor last; do :; done\necho started >>"$TMPDIR/starts"\nsleep 0.2\ntouch "$(dirname "$last")/.~lock.$(basename "$last")#"\nexec sleep 20\n';

  it('parses, and shellcheck has nothing to say', async () => {
    await writeFile(
      join(folder, 'setup.sh'),
      renderSetupScript([
        ...all('/home'),
        { op: 'open', application: 'chromium' },
        { op: 'open', application: 'gimp', path: '/tmp/a.png' },
      ]),
    );
    await expect(exec('bash', ['-n', join(folder, 'setup.sh')])).resolves.toBeDefined();
    if (hasShellcheck)
      await expect(exec('shellcheck', [join(folder, 'setup.sh')])).resolves.toMatchObject({ stdout: '' });
  });

  it('does what its operations say, twice with the same result', async () => {
    const start = await layOut(all(folder), { [nasty]: 'first', 'orders.xlsx': 'second' }, lock);
    for (const round of [1, 2]) {
      await start();
      expect(await readFile(join(folder, 'home/Documents', nasty), 'utf8')).toBe('first');
      expect((await stat(join(folder, 'home/Documents', nasty))).mode & 0o777).toBe(0o640);
      expect((await stat(join(folder, 'home', nasty))).isDirectory()).toBe(true);
      expect(await readFile(join(folder, 'tmp/starts'), 'utf8'), `round ${round}`).toBe('started\n');
      await writeFile(join(folder, 'home/Documents', nasty), 'changed by hand');
    }
    const pidFiles = await exec('sh', ['-c', `cat '${folder}'/tmp/task-setup-*/*.pid`]);
    process.kill(Number(pidFiles.stdout.trim()));
  });

  it('fails with a reason when an application dies or a file is not in the package', async () => {
    const dying = await layOut(all(folder), { [nasty]: 'first', 'orders.xlsx': 'second' }, '#!/bin/sh\nexit 3\n');
    await expect(dying()).rejects.toMatchObject({ stderr: expect.stringContaining('ended before it showed its file') });
    const empty = await layOut([place('/tmp/never/there.txt', 'x')], {});
    await expect(empty()).rejects.toMatchObject({ stderr: expect.stringContaining('no file there.txt') });
  });
});
