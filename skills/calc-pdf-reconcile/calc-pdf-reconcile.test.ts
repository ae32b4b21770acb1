import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { rehearsalModels } from '@cua-forge/models/rehearsal';
import { writeXlsx } from '@cua-forge/preparers/write-xlsx';
import { findAnswerLeaks } from '@cua-forge/spec/answer-leaks';
import { GraphDocument } from '@cua-forge/spec/document';
import { parseDocument } from '@cua-forge/spec/document-io';
import { kinds } from '@cua-forge/spec/kinds';
import { HiddenAnswers, TaskPackage, TaskSpecification } from '@cua-forge/spec/task';
import { validateDocument } from '@cua-forge/spec/validate-document';
import { FileValue } from '@cua-forge/spec/value';
import { runGraph } from '@cua-forge/testing/run-graph';
import { MemoryFiles } from '@cua-forge/testing/run-kind';
import { describe, expect, it } from 'vitest';
import { kindLoaders } from '../../apps/worker/src/kinds.generated.ts';
import { contents, open, readInvoices, solve } from './second-computation.ts';

const office = resolve(import.meta.dirname, '../../../shared/data/office');
const source = readFileSync(resolve(import.meta.dirname, 'workflow.yaml'), 'utf8');
const sample = readFileSync(resolve(import.meta.dirname, 'sample.xlsx'));
const parsed = parseDocument(source, { file: 'workflow.yaml' });
const document = GraphDocument.parse(parsed.document);

async function generate(name: string, bytes: Uint8Array, seed: number) {
  const files = new MemoryFiles();
  const workbook = files.put(name, 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', bytes);
  const values = await runGraph(document, {
    seed,
    inputs: { workbook },
    kindOf: async (id, version) => {
      const load = kindLoaders[`${id}@${version}`];
      if (load === undefined) throw new Error(`no kind ${id}@${version}`);
      return load();
    },
    context: {
      skill: 'calc-pdf-reconcile',
      models: rehearsalModels(),
      files: {
        read: async (file) => files.get(file.hash),
        write: async (fileName, mediaType, content) => files.put(fileName, mediaType, content),
      },
    },
  });
  return {
    files,
    spec: TaskSpecification.parse(values.get('spec.spec')),
    hidden: HiddenAnswers.parse(values.get('spec.hidden')),
    ledger: FileValue.parse(values.get('file-opens.file')),
    pdfs: [1, 2, 3].map((at) => FileValue.parse(values.get(`file-opens-${at}.file`))),
    instruction: String(values.get('instruction-holds.instruction')),
    pack: TaskPackage.parse(values.get('assemble.package')),
  };
}

type Generated = Awaited<ReturnType<typeof generate>>;

/** Solves the task again from the bytes that the user gets, and compares the result with what is expected, cell by cell. */
async function checkAnswers({ files, spec, hidden, ledger, pdfs }: Generated, label: string) {
  const expected = hidden.expected[0];
  if (expected?.type !== 'xlsx') throw new Error('no workbook is expected');
  const book = await open(files.get(ledger.hash));
  const start = contents(book);
  solve(spec.outcome, book, await readInvoices(pdfs.map(({ hash }) => files.get(hash))));
  const right = contents(await open(await writeXlsx(expected.content)));
  expect(contents(book), label).toEqual(right);
  expect(start, label).not.toEqual(right);
}

async function generateMany(name: string, bytes: Uint8Array, count: number) {
  const made: Generated[] = [];
  for (let seed = 7; seed < 7 + count; seed += 1) {
    const task = await generate(name, bytes, seed);
    await checkAnswers(task, `${name}, seed ${seed}, ${task.spec.outcome.kind}`);
    expect(
      findAnswerLeaks(task.instruction, task.hidden.answers, task.spec.outcome.mentions),
      task.instruction,
    ).toEqual([]);
    made.push(task);
  }
  return made;
}

describe('the shipped document', () => {
  it('is valid', () => {
    expect(parsed.findings).toEqual([]);
    expect(validateDocument(document, kinds)).toEqual([]);
  });
});

describe('forty seeds on the sample', () => {
  it('give packages with right answers that differ in outcome, structure and layout', async () => {
    const made = await generateMany('sample.xlsx', sample, 40);
    expect(new Set(made.map(({ ledger }) => ledger.hash)).size).toBe(40);
    expect(new Set(made.map(({ instruction }) => instruction)).size).toBe(40);
    expect(new Set(made.map(({ pack }) => pack.manifest.id)).size).toBe(40);
    expect(new Set(made.map(({ spec }) => spec.outcome.kind)).size).toBeGreaterThanOrEqual(9);
    const traits = ['form', 'columns', 'heading', 'bundles', 'pages', 'order', 'other sheet'];
    const combined = made.map(({ spec }) => traits.map((name) => spec.traits[name]).join(';'));
    expect(new Set(combined).size).toBeGreaterThanOrEqual(36);
    // The names are those of the workbook that was given.
    expect(made.some(({ spec }) => JSON.stringify(spec.files).includes('Quillhaven Software'))).toBe(true);
  }, 300_000);

  it('give the same package again for the same seed', async () => {
    const [first, second] = [await generate('sample.xlsx', sample, 3), await generate('sample.xlsx', sample, 3)];
    expect(second.pdfs).toEqual(first.pdfs);
    expect(second.pack).toEqual(first.pack);
  }, 60_000);
});

describe.skipIf(!existsSync(office))('real workbooks (when the shared data lies beside the project)', () => {
  it.each([
    'SalesAnalysis_L3_01',
    'InvRestock_L3_08',
    'EmpBudget_L3_07',
    'Finance_Sheet2_Sum',
    'Customer_Deduplicate',
    'ProjStatus_L2_09',
  ])(
    '%s gives eight tasks with right answers',
    async (name) => {
      const made = await generateMany(`${name}.xlsx`, readFileSync(resolve(office, `${name}.xlsx`)), 8);
      expect(new Set(made.map(({ ledger }) => ledger.hash)).size).toBe(8);
    },
    240_000,
  );
});
