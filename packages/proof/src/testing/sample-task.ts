import { createHash } from 'node:crypto';
import { renderSetupScript } from '@cua-forge/desktop/setup-script';
import type { NamedCheck } from '@cua-forge/spec/check';
import type { SolutionFile } from '@cua-forge/spec/solution';
import type { HiddenAnswers, Rubric, SetupOperation, TaskManifest, TaskPackage } from '@cua-forge/spec/task';
import type { FileValue } from '@cua-forge/spec/value';
import ExcelJS from 'exceljs';

const xlsx = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
const path = '/home/user/Documents/orders.xlsx';
const amounts = [1203.5, 871.25, 4410];

/** A package in the making: what a test or a planted fault changes before it is put together. */
export interface TaskDraft {
  manifest: Omit<TaskManifest, 'files'>;
  instruction: string;
  rubric: Rubric;
  operations: SetupOperation[];
  /** The script of the setup; made of the operations where it is null. */
  script: string | null;
  checks: NamedCheck[];
  hidden: HiddenAnswers;
  solution: { solution: SolutionFile; files: Map<string, string> } | null;
  /** Files that the setup places, by their path in the sandbox. */
  files: Map<string, Uint8Array>;
  /** Further files of the package. */
  others: Map<string, Uint8Array>;
}

export interface BuiltTask {
  package: TaskPackage;
  bytes: Map<string, Uint8Array>;
  read(file: FileValue): Promise<Uint8Array>;
}

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
const json = (value: unknown): Uint8Array => encode(`${JSON.stringify(value, null, 2)}\n`);
const nameOf = (one: string): string => one.slice(one.lastIndexOf('/') + 1);

/** A file value for bytes that a draft's operations place. */
export const fileOf = (name: string, bytes: Uint8Array, mediaType = xlsx): FileValue => ({
  name,
  mediaType,
  hash: createHash('sha256').update(bytes).digest('hex'),
  size: bytes.byteLength,
});

/** Puts a draft together as `package.assemble` does, without looking whether it makes sense. */
export function buildTask(draft: TaskDraft): BuiltTask {
  const bytes = new Map<string, Uint8Array>();
  const part = (at: string, content: Uint8Array, mediaType = 'application/json', executable = false) => {
    const file = fileOf(nameOf(at), content, mediaType);
    bytes.set(file.hash, content);
    return { path: at, file, executable };
  };
  const placed = [...draft.files].map(([sandboxPath, content]) => ({
    ...part(`files/${nameOf(sandboxPath)}`, content, mediaTypeOf(sandboxPath)),
    sandboxPath,
  }));
  const manifest: TaskManifest = {
    ...draft.manifest,
    files: placed.map(({ path: at, sandboxPath, file }) => ({
      path: at,
      sandboxPath,
      preparer: 'preparer.xlsx',
      mediaType: file.mediaType,
      hash: file.hash,
      size: file.size,
    })),
  };
  const { solution } = draft;
  return {
    package: {
      manifest,
      files: [
        part('task.json', json(manifest)),
        part('instruction.md', encode(`${draft.instruction}\n`), 'text/markdown'),
        part('rubric.json', json(draft.rubric)),
        part('setup/setup.sh', encode(draft.script ?? renderSetupScript(draft.operations)), 'application/x-sh', true),
        part('setup/setup.json', json({ operations: draft.operations })),
        part('hidden/expected.json', json(draft.hidden)),
        part('hidden/checks.json', json({ schema: 1, checks: draft.checks })),
        ...(solution === null
          ? []
          : [
              part('hidden/solution/solution.json', json(solution.solution)),
              ...[...solution.files].map(([name, text]) => part(`hidden/solution/${name}`, encode(text), 'text/plain')),
            ]),
        ...placed.map(({ sandboxPath: _path, ...one }) => one),
        ...[...draft.others].map(([at, content]) => part(at, content, 'application/octet-stream')),
      ],
    },
    bytes,
    read: async (file) => {
      const found = bytes.get(file.hash);
      if (found === undefined) throw new Error(`the package has no bytes of ${file.name}`);
      return found;
    },
  };
}

const mediaTypeOf = (one: string): string => (one.endsWith('.xlsx') ? xlsx : 'application/octet-stream');

async function orders(): Promise<Uint8Array> {
  const book = new ExcelJS.Workbook();
  const sheet = book.addWorksheet('Orders');
  sheet.addRow(['Order', 'Amount']);
  for (const [index, amount] of amounts.entries()) sheet.addRow([`A-${index + 1}`, amount]);
  return new Uint8Array(await book.xlsx.writeBuffer());
}

const solve = `import sys
import openpyxl

path = "${path}"
wrong = sys.argv[1] if len(sys.argv) > 1 else ""
book = openpyxl.load_workbook(path)
sheet = book["Orders"]
sheet["D1"] = "Sum" if wrong == "label" else "Total"
sheet["E1"] = "=SUM(B2:B3)" if wrong == "total" else "=SUM(B2:B4)"
if wrong == "unchanged":
    sheet["A3"] = "A-20"
book.save(path)
`;

/** A small task whose proof takes seconds: the total of three amounts beside them, as a formula. */
export async function sampleTask({ open = false }: { open?: boolean } = {}): Promise<TaskDraft> {
  const book = await orders();
  const file = fileOf('orders.xlsx', book);
  const total = amounts.reduce((sum, one) => sum + one, 0);
  const see = (cell: string, of: 'value' | 'formula' = 'value') =>
    ({ look: 'cell', path, sheet: 'Orders', cell, of }) as const;
  const begun = { see: see('E1'), expect: { present: true } } as const;
  const run = (args: string[]) =>
    ({ how: 'script', language: 'python', entry: 'solve.py', args, timeoutSeconds: 60 }) as const;
  return {
    manifest: {
      schema: 1,
      id: 'sample-task-1-0123456789ab',
      title: 'The total stands beside the orders',
      domain: 'spreadsheets',
      skills: ['sample-task'],
      applications: ['libreoffice-calc'],
      seed: 1,
      workflow: { id: 'sample-task', version: '0'.repeat(64) },
      run: 'r1',
      models: ['rehearsal'],
      outcome: { kind: 'total', summary: 'The total stands beside the orders.' },
      traits: {},
      proofs: [],
      gates: [],
    },
    instruction: 'In orders.xlsx, put the word Total into D1 and the total of all amounts, as a formula, into E1.',
    rubric: {
      criteria: [
        {
          id: 'label',
          text: 'D1 reads Total',
          weight: 0.2,
          must: true,
          judge: 'check',
          check: 'label',
          evidence: 'orders.xlsx',
        },
        {
          id: 'total',
          text: 'E1 holds a formula that gives the total',
          weight: 0.6,
          must: true,
          judge: 'check',
          check: 'total',
          evidence: 'orders.xlsx',
        },
        {
          id: 'unchanged',
          text: 'The orders are as they were',
          weight: 0.2,
          must: true,
          judge: 'check',
          check: 'unchanged',
          evidence: 'orders.xlsx',
        },
      ],
    },
    operations: [
      { op: 'run', command: ['mkdir', '-p', '/home/user/Documents'], why: 'The folder that the workbook lies in' },
      { op: 'place-file', file, path, mode: '0644' },
      ...(open ? [{ op: 'open', application: 'libreoffice-calc', path } as const] : []),
    ],
    script: null,
    checks: [
      { id: 'label', check: { see: see('D1'), expect: { equals: 'Total', text: 'spaces' } } },
      {
        id: 'total',
        check: {
          all: [
            { see: see('E1'), expect: { equals: total, text: 'spaces', tolerance: 0.005 } },
            { see: see('E1', 'formula'), expect: { present: true } },
          ],
        },
      },
      {
        id: 'unchanged',
        check: {
          all: [
            begun,
            {
              see: { look: 'range', path, sheet: 'Orders', range: 'A1:A4', of: 'value' },
              expect: { list: ['Order', 'A-1', 'A-2', 'A-3'], ordered: true, text: 'spaces' },
            },
            {
              see: { look: 'range', path, sheet: 'Orders', range: 'B1:B4', of: 'value' },
              expect: { list: ['Amount', ...amounts], ordered: true, text: 'spaces', relative: 1e-9 },
            },
          ],
        },
      },
    ],
    hidden: {
      answers: [{ label: 'total', value: total }],
      expected: [
        {
          id: 'orders',
          path,
          type: 'xlsx',
          content: {
            sheets: [
              {
                name: 'Orders',
                notes: { D1: 'Total', E1: { formula: 'SUM(B2:B4)', result: total } },
                headerRow: 1,
                firstColumn: 1,
                columns: [
                  { name: 'Order', type: 'text' },
                  { name: 'Amount', type: 'number' },
                ],
                rows: amounts.map((amount, index) => [`A-${index + 1}`, amount]),
                style: {},
              },
            ],
          },
        },
      ],
      derivation: 'The sum of the amounts.',
    },
    solution: {
      solution: {
        schema: 1,
        through: 'openpyxl',
        run: run([]),
        mutants: [
          { criterion: 'label', doc: 'D1 says another word', after: 'setup', run: run(['label']) },
          { criterion: 'total', doc: 'one row is left out', after: 'setup', run: run(['total']) },
          { criterion: 'unchanged', doc: 'an order has another number', after: 'setup', run: run(['unchanged']) },
        ],
      },
      files: new Map([['solve.py', solve]]),
    },
    files: new Map([[path, book]]),
    others: new Map(),
  };
}
