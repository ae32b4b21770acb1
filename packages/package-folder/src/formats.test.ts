import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SetupOperation } from '@cua-forge/spec/task';
import { parquetReadObjects } from 'hyparquet';
import { afterAll, expect, it } from 'vitest';
import { z } from 'zod';
import { harborOfPackage, packageOfHarbor } from './harbor.ts';
import { osworldOfPackage } from './osworld.ts';
import { packageOfFiles } from './package-files.ts';
import { indexRowOf, jsonLinesOf, parquetOf } from './package-index.ts';
import { filesOfFolder } from './read-folder.ts';
import { samplePackage } from './testing/sample-package.ts';
import { writeFolder } from './write-files.ts';

const folder = mkdtempSync(join(tmpdir(), 'formats-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const sample = packageOfFiles(await samplePackage());

it('goes to a Harbor folder and back without a difference', async () => {
  const written = await writeFolder(join(folder, 'harbor'), harborOfPackage(sample));
  const files = await filesOfFolder(written);
  expect(files.map(({ path }) => path)).toEqual(
    [
      'environment/Dockerfile',
      'environment/files/Bücher 2024.xlsx',
      'environment/setup/setup.json',
      'environment/setup/setup.sh',
      'instruction.md',
      'task.toml',
      'tests/package/hidden/expected.json',
      'tests/package/task.json',
      'tests/rubric.json',
      'tests/test.sh',
    ].sort(),
  );
  // Nothing of the answers may get into the agent's container.
  expect(
    files.filter(({ path }) => path.startsWith('environment/') && /hidden|expected|task\.json/.test(path)),
  ).toEqual([]);
  const back = packageOfHarbor(files);
  const sorted = (loaded: typeof sample) => ({
    manifest: loaded.package.manifest,
    files: [...loaded.package.files].sort((a, b) => (a.path < b.path ? -1 : 1)),
  });
  expect(sorted(back)).toEqual(sorted(sample));
});

it('writes a task.toml that a TOML reader understands', () => {
  const file = join(folder, 'task.toml');
  writeFileSync(file, harborOfPackage(sample).find(({ path }) => path === 'task.toml')?.bytes ?? '');
  const read = execFileSync('python3', [
    '-c',
    'import json,sys\ntry:\n import tomllib as t\nexcept ImportError:\n import pip._vendor.tomli as t\nprint(json.dumps(t.load(open(sys.argv[1],"rb"))))',
    file,
  ]);
  expect(JSON.parse(read.toString())).toMatchObject({
    version: '1.0',
    metadata: {
      name: 'sample-1-abc',
      description: 'The "total" stands beside the data',
      tags: ['sample', 'libreoffice-calc'],
    },
    environment: { allow_internet: false },
  });
});

it('becomes an OSWorld task that checks what a solution changes, and nothing else', async () => {
  const { task, unmapped } = await osworldOfPackage(sample, 'https://files.example/sample');
  expect(unmapped).toEqual([]);
  expect(task).toMatchObject({
    snapshot: 'libreoffice_calc',
    related_apps: ['libreoffice_calc'],
    instruction: 'Please put the total of Amount into E1 of Bücher 2024.xlsx.',
    config: [
      { type: 'execute', parameters: { command: ['mkdir', '-p', '/home/user/Documents'] } },
      {
        type: 'download',
        parameters: {
          files: [
            {
              url: 'https://files.example/sample/files/B%C3%BCcher%202024.xlsx',
              path: '/home/user/Documents/Bücher 2024.xlsx',
            },
          ],
        },
      },
      { type: 'open', parameters: { path: '/home/user/Documents/Bücher 2024.xlsx' } },
    ],
    evaluator: {
      func: 'compare_table',
      result: { type: 'vm_file', path: '/home/user/Documents/Bücher 2024.xlsx' },
      options: {
        rules: [
          {
            type: 'check_cell',
            sheet_idx: 'RNData',
            coordinate: 'D1',
            props: { value: { method: 'eq', ref: 'Total' } },
          },
          {
            type: 'check_cell',
            sheet_idx: 'RNData',
            coordinate: 'E1',
            props: { value: { method: 'approx:0.01', ref: 7.5 } },
          },
        ],
      },
    },
  });
  expect(task.id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
});

const session: SetupOperation[] = [
  { op: 'env', name: 'TEAM', value: 'blue' },
  { op: 'service', name: 'notes', command: ['sleep', '30'], ready: { path: '/tmp' }, timeoutSeconds: 5 },
  {
    op: 'mail',
    person: 'Ada King',
    address: 'ada@example.org',
    folders: [
      {
        name: 'Inbox',
        messages: [
          {
            from: { name: 'Bob', address: 'bob@example.org' },
            to: [{ name: 'Ada King', address: 'ada@example.org' }],
            subject: "It's $HOME",
            date: '2025-03-14T09:00:00Z',
            text: 'From here on.\n',
            read: false,
          },
        ],
      },
    ],
  },
];

it('keeps services and mail in a Harbor folder and back', async () => {
  const whole = packageOfFiles(await samplePackage(session));
  const written = await writeFolder(join(folder, 'session'), harborOfPackage(whole));
  const back = packageOfHarbor(await filesOfFolder(written));
  const setup = back.package.files.find(({ path }) => path === 'setup/setup.json');
  const { operations } = JSON.parse(Buffer.from(back.bytes.get(setup?.file.hash ?? '') ?? []).toString('utf8'));
  expect(operations.slice(-session.length)).toEqual(session);
});

it('gives OSWorld services, mail and settings as commands that make them', async () => {
  const { task, unmapped } = await osworldOfPackage(packageOfFiles(await samplePackage(session)), 'https://x.example');
  expect(unmapped).toEqual([]);
  const home = join(folder, 'home');
  mkdirSync(home);
  const commands = task.config.slice(-session.length).map(({ type, parameters }) => {
    expect(type).toBe('execute');
    return z.array(z.string()).parse(parameters.command);
  });
  for (const [program = '', ...args] of commands)
    execFileSync(program, args, { env: { PATH: process.env.PATH, HOME: home, TMPDIR: home } });
  process.kill(Number(readFileSync(join(home, `task-setup-${process.getuid?.()}`, 'notes.service'), 'utf8')));
  expect(readFileSync(join(home, '.thunderbird/task.default/Mail/Local Folders/Inbox'), 'utf8')).toContain(
    "Subject: It's $HOME",
  );
  expect(readFileSync(join(home, '.bashrc'), 'utf8')).toContain('env.sh');
});

it('says what OSWorld cannot hold', async () => {
  const unsolved = packageOfFiles((await samplePackage()).filter(({ path }) => path !== 'hidden/expected.json'));
  const { task, unmapped } = await osworldOfPackage(unsolved, 'https://files.example');
  expect(task.evaluator).toBeNull();
  expect(unmapped).toEqual([expect.stringContaining('evaluator')]);
});

it('indexes packages as JSON lines and as Parquet alike', async () => {
  const row = indexRowOf(sample);
  expect(row).toMatchObject({
    id: 'sample-1-abc',
    criteria: 2,
    must: 1,
    proven: 1,
    unproven: 1,
    files: ['/home/user/Documents/Bücher 2024.xlsx'],
    instruction: 'Please put the total of Amount into E1 of Bücher 2024.xlsx.',
  });
  const rows = [row, { ...row, id: 'sample-2-def', seed: -2 }];
  expect(
    jsonLinesOf(rows)
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line)),
  ).toEqual(rows);
  const bytes = parquetOf(rows);
  const read = await parquetReadObjects({ file: bytes.slice().buffer });
  expect(read.map((one) => ({ ...one, seed: Number(one.seed) }))).toMatchObject([
    { id: 'sample-1-abc', seed: 1, skills: ['sample'], must: 1n, traits: { sheets: 'one sheet' } },
    { id: 'sample-2-def', seed: -2 },
  ]);
});
