import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { Looker } from '@cua-forge/checks/look';
import { prepareDesktop } from '@cua-forge/desktop/prepare-desktop';
import { sandboxState } from '@cua-forge/desktop/sandbox-state';
import type { Sandbox } from '@cua-forge/spec/sandbox-port';
import { SetupOperation } from '@cua-forge/spec/task';
import { noOffice } from '@cua-forge/testing/execute-context';
import ExcelJS from 'exceljs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Desks, prepareDesks } from './prepare.ts';

let desks: Desks;
beforeAll(async () => {
  desks = await prepareDesks();
}, 1_500_000);
afterAll(() => desks?.stop(), 120_000);

const files = new Map<string, Uint8Array>();
const fileValue = (name: string, bytes: Uint8Array) => {
  const hash = createHash('sha256').update(bytes).digest('hex');
  files.set(hash, bytes);
  return { name, mediaType: 'application/octet-stream', hash, size: bytes.byteLength };
};
const read = async ({ hash }: { hash: string }): Promise<Uint8Array> => files.get(hash) ?? new Uint8Array();
const kept: string[] = [];
const keep = async (name: string, _mediaType: string, bytes: Uint8Array) => {
  kept.push(name);
  if (process.env.FORGE_SHOW !== undefined) writeFileSync(`${process.env.FORGE_SHOW}/${kept.length}-${name}`, bytes);
  return fileValue(name, bytes);
};
const options = () => ({ signal: new AbortController().signal, keep });
const book = '/home/user/Documents/hours of March.xlsx';

async function operations(): Promise<SetupOperation[]> {
  const workbook = new ExcelJS.Workbook();
  workbook.addWorksheet('Hours').addRows([
    ['Name', 'Hours'],
    ['Ann', 7.5],
  ]);
  const bytes = new Uint8Array(await workbook.xlsx.writeBuffer());
  return [
    { op: 'env', name: 'GREETING', value: `it's $HOME` },
    { op: 'run', command: ['mkdir', '-p', '/home/user/Exports'], why: 'The folder that exports go to' },
    { op: 'place-file', file: fileValue('hours of March.xlsx', bytes), path: book, mode: '0640' },
    {
      op: 'mail',
      person: 'Ann Lee',
      address: 'ann@office.example',
      folders: [
        {
          name: 'Bills',
          messages: [
            {
              from: { name: 'Zoë Quint', address: 'zoe@supplier.example' },
              to: [{ name: 'Ann Lee', address: 'ann@office.example' }],
              subject: 'Rechnung für März',
              date: '2025-03-14T09:00:00Z',
              text: 'Good day,\nFrom now on we send bills by mail.',
              read: true,
            },
          ],
        },
      ],
    },
    {
      op: 'service',
      name: 'files',
      command: ['python3', '-m', 'http.server', '8137', '--bind', '127.0.0.1', '--directory', '/home/user/Exports'],
      ready: { port: 8137 },
      timeoutSeconds: 30,
    },
    {
      op: 'desktop',
      settings: { timeZone: 'Europe/Berlin', keyboardLayout: 'de', theme: 'Adwaita-dark', screensaver: 'off' },
    },
    { op: 'open', application: 'libreoffice-calc', path: book },
    { op: 'window', window: { by: 'title', text: 'hours of March' }, action: 'maximise', timeoutSeconds: 30 },
  ].map((one) => SetupOperation.parse(one));
}

describe.each(['docker', 'bubblewrap'] as const)('a desktop with %s', (name) => {
  let sandbox: Sandbox;
  beforeAll(async () => {
    sandbox = await desks[name].start({ width: 1280, height: 800, lease: 'setup test' });
  });
  afterAll(() => sandbox?.close());

  it('is prepared by its operations, each of which is seen to hold, also after a second run', async () => {
    const report = await prepareDesktop(sandbox, { operations: await operations(), script: null, read }, options());
    expect(report.operations.map(({ id }) => id)).toEqual([
      '1-env',
      '2-run',
      '3-place-file',
      '4-mail',
      '5-service',
      '6-desktop',
      '7-open',
      '8-window',
    ]);
    expect(report.operations.flatMap(({ conditions }) => conditions).filter(({ ok }) => !ok)).toEqual([]);
    expect(report.again).not.toBeNull();
    expect(report.screenshot?.name).toBe('prepared-desktop.png');
    expect(report.image).toMatch(/^cua-forge-desktop:minimal-/);
    // What the package holds is not left behind.
    expect((await sandbox.exec(['ls', '-A', '/tmp'])).stdout).not.toContain('.task-package');
  });

  it('shows its state to checks', async () => {
    const state = sandboxState(sandbox);
    expect((await state.readFile(book))?.slice(0, 2)).toEqual(new Uint8Array([0x50, 0x4b]));
    expect(await state.readFile('/home/user/none')).toBeNull();
    expect(Buffer.from((await state.readFile('/etc/passwd')) ?? []).toString()).not.toBe('');
    expect(await state.listFiles('/home/user/Exports')).toEqual([]);
    expect(await state.listFiles('/home/user/none')).toBeNull();
    expect(await state.windows?.()).toContainEqual(expect.stringContaining('hours of March.xlsx'));
    expect(await state.processes?.()).toContainEqual(expect.stringContaining('http.server 8137'));
    expect(await state.run?.(['sh', '-c', 'echo so; exit 3'])).toEqual({ code: 3, output: 'so\n' });
    await sandbox.exec(['ln', '-s', '/etc/passwd', '/home/user/link']);
    expect(await state.readFile('/home/user/link')).toBeNull();
  });
});

describe('a setup that does not do what it says', () => {
  let sandbox: Sandbox;
  beforeAll(async () => {
    sandbox = await desks.docker.start({ width: 1280, height: 800, lease: 'setup test' });
  });
  afterAll(() => sandbox?.close());
  const prepare = (given: object[], script: string | null = null) =>
    prepareDesktop(sandbox, { operations: given.map((one) => SetupOperation.parse(one)), script, read }, options());

  it('names the operation and keeps a screenshot', async () => {
    await expect(prepare([{ op: 'run', command: ['false'], why: 'To fail' }])).rejects.toMatchObject({
      code: 'setup.failed',
      message: expect.stringMatching(
        /^Operation 1 of 1 \(setup\.run To fail\): exit 1\. The screen then: setup-failed/,
      ),
    });
    await expect(prepare([{ op: 'open', application: 'gimp' }])).rejects.toMatchObject({
      message: expect.stringContaining('gimp is not installed'),
    });
  });

  it('is found by its conditions: a file that a later step changes, a script that leaves one out, a run that adds', async () => {
    const file = fileValue('a.txt', Buffer.from('one'));
    const placed = { op: 'place-file', file, path: '/home/user/a.txt', mode: '0644' };
    await expect(prepare([placed], '#!/usr/bin/env bash\ntrue\n')).rejects.toMatchObject({
      message: expect.stringMatching(/Operation 1 of 1 \(setup\.place-file \/home\/user\/a\.txt\): afterwards/),
    });
    await expect(
      prepare([placed, { op: 'run', command: ['cp', '/etc/passwd', '/home/user/a.txt'], why: 'To spoil it' }]),
    ).rejects.toMatchObject({ message: expect.stringContaining('after a second run, its bytes have their SHA-256') });
    await expect(
      prepare([{ op: 'run', command: ['mkdir', '/home/user/once'], why: 'Not twice' }]),
    ).rejects.toMatchObject({ message: expect.stringContaining('File exists') });
  });
});

it('opens Thunderbird on the mail that was put there (when the image full is built)', async ({ skip }) => {
  skip((await desks.docker.missing('full')) !== null, 'the image full is not built');
  const message = (day: number, subject: string) => ({
    from: { name: 'Bob', address: 'bob@office.example' },
    to: [{ name: 'Ann Lee', address: 'ann@office.example' }],
    subject,
    date: `2025-03-${day}T09:00:00Z`,
    text: 'Good day.',
    read: false,
  });
  const setup: SetupOperation[] = [
    {
      op: 'mail',
      person: 'Ann Lee',
      address: 'ann@office.example',
      folders: [
        { name: 'Bills', messages: [message(10, 'Old bill')] },
        { name: 'Inbox', messages: [message(11, 'Budget of March'), message(12, 'Lunch on Friday')] },
      ],
    },
    { op: 'open', application: 'thunderbird' },
  ];
  const sandbox = await desks.docker.start({ target: 'full', lease: 'mail test' });
  try {
    await prepareDesktop(sandbox, { operations: setup, script: null, read }, options());
    // The folder's name is in the title once its messages are listed.
    await sandbox.waitForWindow({ title: 'Inbox - Local Folders' }, { timeoutMs: 60_000 });
    // The program has taken the folder up: its index lies beside it.
    const folder = '/home/user/.thunderbird/task.default/Mail/Local Folders';
    await expect
      .poll(async () => (await sandbox.listFolder(folder)).map(({ name }) => name), { timeout: 30_000 })
      .toContain('Inbox.msf');
    const state = sandboxState(sandbox);
    const looker = new Looker({ reader: state, office: noOffice, signal: new AbortController().signal });
    const subjects = (name: string) => looker.look({ look: 'mail', path: `${folder}/${name}`, of: 'subjects' });
    expect(await subjects('Inbox')).toMatchObject({ members: ['Budget of March', 'Lunch on Friday'] });
    expect(await subjects('Bills')).toMatchObject({ members: ['Old bill'] });
  } finally {
    await sandbox.close();
  }
});
