import { createHash } from 'node:crypto';
import type { HiddenAnswers, Rubric, SetupOperation, TaskManifest } from '@cua-forge/spec/task';
import ExcelJS from 'exceljs';
import type { FoundFile } from '../package-files.ts';

const xlsx = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
const sandboxPath = '/home/user/Documents/Bücher 2024.xlsx';
const columns = [
  { name: 'Month', type: 'text' as const },
  { name: 'Amount', type: 'number' as const },
];
const rows = [
  ['2024-01', 3.5],
  ['2024-02', 4],
];

async function workbook(): Promise<Uint8Array> {
  const book = new ExcelJS.Workbook();
  const sheet = book.addWorksheet('Data');
  sheet.addRow(columns.map(({ name }) => name));
  for (const row of rows) sheet.addRow(row);
  return new Uint8Array(await book.xlsx.writeBuffer());
}

/** A small whole package, as its folder holds it: the task is to write the total into D1 and E1. `more`: what its setup does besides. */
export async function samplePackage(more: readonly SetupOperation[] = []): Promise<FoundFile[]> {
  const book = await workbook();
  const hash = createHash('sha256').update(book).digest('hex');
  const file = { name: 'Bücher 2024.xlsx', mediaType: xlsx, hash, size: book.byteLength };
  const manifest: TaskManifest = {
    schema: 1,
    id: 'sample-1-abc',
    title: 'The "total" stands beside the data',
    domain: 'spreadsheets',
    skills: ['sample'],
    applications: ['libreoffice-calc'],
    seed: 1,
    workflow: { id: 'sample', version: 'v1' },
    run: 'r1',
    models: ['rehearsal'],
    files: [
      {
        path: 'files/Bücher 2024.xlsx',
        sandboxPath,
        preparer: 'preparer.xlsx',
        mediaType: xlsx,
        hash,
        size: book.byteLength,
      },
    ],
    outcome: { kind: 'a total', summary: 'The total stands beside the data.' },
    traits: { sheets: 'one sheet' },
    proofs: [
      { claim: 'The files open.', status: 'proven', by: 'gate.opens', detail: '' },
      { claim: 'The task can be solved.', status: 'not-proven', by: 'nobody', detail: '' },
    ],
    gates: [],
  };
  const rubric: Rubric = {
    criteria: [
      { id: 'total', text: 'E1 holds the total.', weight: 0.7, must: true, judge: 'model', evidence: 'the file' },
      { id: 'label', text: 'D1 says Total.', weight: 0.3, must: false, judge: 'model', evidence: 'the file' },
    ],
  };
  const operations: SetupOperation[] = [
    { op: 'run', command: ['mkdir', '-p', '/home/user/Documents'], why: 'The folder' },
    { op: 'place-file', file, path: sandboxPath, mode: '0644' },
    { op: 'open', application: 'libreoffice-calc', path: sandboxPath },
    ...more,
  ];
  const hidden: HiddenAnswers = {
    answers: [{ label: 'total', value: 7.5 }],
    expected: [
      {
        id: 'book',
        path: sandboxPath,
        type: 'xlsx',
        content: {
          sheets: [
            {
              name: 'Data',
              notes: { D1: 'Total', E1: { formula: 'SUM(B2:B3)', result: 7.5 } },
              headerRow: 1,
              firstColumn: 1,
              columns,
              rows,
              style: {},
            },
          ],
        },
      },
    ],
    derivation: 'sum',
  };
  const text = (path: string, content: string, executable = false): FoundFile => ({
    path,
    bytes: new TextEncoder().encode(content),
    executable,
  });
  return [
    text('task.json', JSON.stringify(manifest)),
    text('instruction.md', 'Please put the total of Amount into E1 of Bücher 2024.xlsx.\n'),
    text('rubric.json', JSON.stringify(rubric)),
    text('setup/setup.sh', '#!/usr/bin/env bash\ntrue\n', true),
    text('setup/setup.json', JSON.stringify({ operations })),
    text('hidden/expected.json', JSON.stringify(hidden)),
    { path: 'files/Bücher 2024.xlsx', bytes: book, executable: false },
  ];
}
