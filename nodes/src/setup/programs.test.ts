import { execFile, spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { folderReader } from '@cua-forge/checks/file-readers';
import { readMail } from '@cua-forge/checks/reading/mail';
import { renderSetupScript, renderSetupStep } from '@cua-forge/desktop/setup-script';
import { script as scriptGate } from '@cua-forge/gates/script/script.gate';
import { Verdict } from '@cua-forge/spec/kind';
import { SetupOperation } from '@cua-forge/spec/task';
import { runKind } from '@cua-forge/testing/run-kind';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { mail } from './mail.node.ts';
import { service } from './service.node.ts';

const exec = promisify(execFile);
const hasShellcheck = spawnSync('shellcheck', ['--version']).status === 0;
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'programs '));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const person = { name: 'Ann Lee', address: 'ann@office.example' };
const text = "Good day,\nFrom now on it's $HOME\n>From the others\n";
const operation = async (kind: typeof mail, params: object) =>
  SetupOperation.parse((await runKind(kind, { params: JSON.parse(JSON.stringify(params)), inputs: {} })).operation);
const mailOperation = () =>
  operation(mail, {
    person: person.name,
    address: person.address,
    folders: [
      {
        name: 'Bills 2025',
        messages: [
          {
            from: { name: 'Zoë Quint', address: 'z@s.example' },
            to: [person],
            subject: 'Rechnung für März — 漢字 und noch viel mehr, was in kein Wort passt',
            date: '2025-03-14T09:00:00Z',
            text,
            read: true,
          },
          { from: person, to: [person], subject: 'Second', date: '2025-03-15T10:30:00+02:00', text: 'x' },
        ],
      },
      { name: 'Empty', messages: [] },
    ],
  });
const run = async (operations: SetupOperation[]) => {
  await writeFile(join(folder, 'setup.sh'), renderSetupScript(operations), { mode: 0o755 });
  return exec(join(folder, 'setup.sh'), { env: { ...process.env, HOME: folder, TMPDIR: folder } });
};

it('mail lies in folders as a mail program reads it, and a second run leaves it alone', async () => {
  await run([await mailOperation()]);
  const box = '.thunderbird/task.default/Mail/Local Folders/Bills 2025';
  const read = await readMail(folderReader(folder), `/${box}`);
  expect(read?.map(({ subject, from }) => [subject, from?.name])).toEqual([
    ['Rechnung für März — 漢字 und noch viel mehr, was in kein Wort passt', 'Zoë Quint'],
    ['Second', 'Ann Lee'],
  ]);
  expect(read?.[0]?.text?.trim()).toContain("now on it's $HOME");
  const bytes = await readFile(join(folder, box), 'utf8');
  expect(bytes.match(/^From - /gm)).toHaveLength(2);
  expect(bytes).toContain('\n>From now on');
  expect(bytes).toContain('Sat, 15 Mar 2025 08:30:00 +0000');
  await writeFile(join(folder, box), `${bytes}changed by the program`);
  await run([await mailOperation()]);
  expect(await readFile(join(folder, box), 'utf8')).toBe(`${bytes}changed by the program`);
  await expect(
    operation(mail, {
      person: 'A',
      address: person.address,
      folders: ['a', 'A'].map((name) => ({ name, messages: [] })),
    }),
  ).rejects.toMatchObject({ code: 'params.invalid' });
});

it('a service is started once and waited for, and one that ends is told', async () => {
  const file = join(folder, 'there');
  const params = { name: 'one', command: ['tail', '-f', '/dev/null'], ready: { path: folder }, timeoutSeconds: 5 };
  await run([await operation(service, params)]);
  const uid = process.getuid?.() ?? 0;
  const pid = await readFile(join(folder, `task-setup-${uid}/one.service`), 'utf8');
  await run([await operation(service, params)]);
  expect(await readFile(join(folder, `task-setup-${uid}/one.service`), 'utf8')).toBe(pid);
  process.kill(Number(pid));
  const ending = await operation(service, { ...params, name: 'two', command: ['true'], ready: { path: file } });
  await expect(run([ending])).rejects.toMatchObject({ stderr: expect.stringContaining('two ended before it served') });
  expect(service.params.safeParse({ ...params, command: ['bash', '-c', 'x'] }).success).toBe(false);
});

it('the gate and shellcheck find nothing to say, of a whole script and of one step', async () => {
  const operations = [
    await mailOperation(),
    await operation(service, { name: 'web', command: ['python3', '-m', 'http.server'], ready: { port: 8000 } }),
  ];
  const made = renderSetupScript(operations);
  const verdict = Verdict.parse(
    (
      await runKind(scriptGate, {
        params: scriptGate.example.params,
        inputs: { ...scriptGate.example.inputs, script: { script: made, operations } },
      })
    ).verdict,
  );
  // The example's specification wants a file and an application.
  expect(verdict.evidence.filter(({ ok }) => !ok).map(({ check }) => check)).toEqual([
    'every required file is placed',
    'every precondition is brought about',
  ]);
  for (const one of [made, renderSetupStep(operations, 1)]) {
    await writeFile(join(folder, 'setup.sh'), one);
    if (hasShellcheck)
      await expect(exec('shellcheck', ['-e', 'SC1090,SC1091', join(folder, 'setup.sh')])).resolves.toMatchObject({
        stdout: '',
      });
  }
});
