import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { checkedOn } from '@cua-forge/checks/testing/prove-checks';
import { rehearsalModels } from '@cua-forge/models/rehearsal';
import { Source } from '@cua-forge/nodes/data/summary/source';
import { writeXlsx } from '@cua-forge/preparers/write-xlsx';
import { findAnswerLeaks } from '@cua-forge/spec/answer-leaks';
import { CheckFile } from '@cua-forge/spec/check';
import { GraphDocument } from '@cua-forge/spec/document';
import { parseDocument } from '@cua-forge/spec/document-io';
import { kinds } from '@cua-forge/spec/kinds';
import { HiddenAnswers, TaskPackage, TaskSpecification } from '@cua-forge/spec/task';
import { validateDocument } from '@cua-forge/spec/validate-document';
import { FileValue } from '@cua-forge/spec/value';
import { noOffice } from '@cua-forge/testing/execute-context';
import { runGraph } from '@cua-forge/testing/run-graph';
import { MemoryFiles } from '@cua-forge/testing/run-kind';
import { LibreOffice } from '@cua-forge/worker/office/libre-office';
import { describe, expect, it } from 'vitest';
import { kindLoaders } from '../../apps/worker/src/kinds.generated.ts';
import { readLines, readTable, solve, timeOf } from './second-computation.ts';

const office = resolve(import.meta.dirname, '../../../shared/data/office');
const soffice = ['/usr/bin/soffice', '/usr/local/bin/soffice'].find((path) => existsSync(path));
const source = readFileSync(resolve(import.meta.dirname, 'workflow.yaml'), 'utf8');
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
      skill: 'calc-monthly-summary',
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
    hidden: HiddenAnswers.parse(values.get('checks.hidden')),
    where: Source.parse(values.get('reshape.source')),
    prepared: FileValue.parse(values.get('file-opens.file')),
    instruction: String(values.get('instruction-holds.instruction')),
    pack: TaskPackage.parse(values.get('assemble.package')),
  };
}

type Generated = Awaited<ReturnType<typeof generate>>;

/** Works the summary out again from the bytes that the user gets, and compares it with what is expected, cell by cell. */
async function checkAnswers({ files, spec, hidden, where, prepared }: Generated, label: string) {
  const expected = hidden.expected[0];
  if (expected?.type !== 'xlsx') throw new Error('no workbook is expected');
  const [, sheet = '', cell = ''] = /starts in (.+)!([A-Z]+\d+)\.$/.exec(hidden.derivation) ?? [];
  const wide = where.wide.map((each) => each.column);
  const time =
    where.period === null
      ? []
      : [where.period.column, ...(where.period.yearColumn === null ? [] : [where.period.yearColumn])];
  const headings = [...where.dimensions, ...time, ...(wide.length > 0 ? wide : where.measures)];
  const lines = await readLines(files.get(prepared.hash), where, headings);
  const rows = solve(spec.outcome, lines, where, where.measures, where.dimensions);
  const table = await readTable(await writeXlsx(expected.content), sheet, cell, rows[0]?.length ?? 0);
  expect(table.rows.length, label).toBe(rows.length);
  const unit = /by (month|quarter|year)$/.exec(spec.outcome.kind)?.[1];
  rows.forEach((row, index) => {
    row.forEach((value, column) => {
      const seen = table.rows[index]?.[column];
      const where = `${label}, row ${index + 1}, ${table.headings[column]}`;
      const isTime =
        unit !== undefined && new RegExp(`\\b${unit}$`, 'i').test(table.headings[column] ?? '') && value !== 'Total';
      if (isTime && (unit === 'month' || unit === 'quarter' || unit === 'year')) {
        // Where all is in one year, the summary leaves the year out.
        const size = { month: 12, quarter: 4, year: 10_000 }[unit];
        const hasYear = /\d{4}/.test(String(seen));
        const seenTime = timeOf(seen ?? '', undefined, unit, 'Month');
        expect(hasYear ? seenTime : seenTime % size, where).toBe(hasYear ? value : Number(value) % size);
      } else if (typeof value === 'number')
        expect(Math.abs(value - Number(seen)), `${where}: ${value} and ${seen}`).toBeLessThan(0.0051);
      else expect(seen, where).toBe(value);
    });
  });
}

/** Every must criterion has a check; all fail on the prepared workbook, and all hold on the solved one. */
async function checkChecks({ files, spec, hidden, prepared, pack }: Generated, label: string) {
  const part = pack.files.find(({ path }) => path === 'hidden/checks.json');
  if (part === undefined) throw new Error(`${label}: no checks`);
  const { checks } = CheckFile.parse(JSON.parse(new TextDecoder().decode(files.get(part.file.hash))));
  const musts = spec.outcome.requirements.filter(({ must }) => must).map(({ id }) => id);
  expect(checks.map(({ id }) => id).sort(), label).toEqual([...musts].sort());
  const [expected] = hidden.expected;
  if (expected?.type !== 'xlsx') throw new Error('no workbook is expected');
  const on = (bytes: Uint8Array) => checkedOn({ checks, path: expected.path, bytes, office: noOffice });
  for (const [id, { ok }] of Object.entries(await on(files.get(prepared.hash))))
    expect(ok, `${label}, ${id} before`).toBe(false);
  for (const [id, { ok, failed }] of Object.entries(await on(await writeXlsx(expected.content))))
    expect(ok, `${label}, ${id} after: ${failed.join('; ')}`).toBe(true);
}

const structure = [
  'basis',
  'sheets',
  'time',
  'columns kept',
  'derived column',
  'row order',
  'column order',
  'other sheet',
];
const layout = [
  'heading',
  'first column',
  'header',
  'rows',
  'frozen header',
  'filter',
  'amounts',
  'widths',
  'summary place',
  'month labels',
];
const pickTraits = (spec: TaskSpecification, names: readonly string[]) =>
  names.map((name) => `${name}=${spec.traits[name]}`.replace(/\d+/g, '#')).join(';');

async function generateMany(name: string, bytes: Uint8Array, count: number) {
  const made: Generated[] = [];
  for (let seed = 7; seed < 7 + count; seed += 1) {
    const task = await generate(name, bytes, seed);
    const label = `${name}, seed ${seed}, ${task.spec.outcome.kind}`;
    await checkAnswers(task, label);
    await checkChecks(task, label);
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

describe('twenty seeds on the sample', () => {
  it('give twenty packages with right answers that differ in outcome, structure and layout', async () => {
    const made = await generateMany('sample.xlsx', readFileSync(resolve(import.meta.dirname, 'sample.xlsx')), 20);
    expect(new Set(made.map(({ prepared }) => prepared.hash)).size).toBe(20);
    expect(new Set(made.map(({ instruction }) => instruction)).size).toBe(20);
    expect(new Set(made.map(({ spec }) => spec.outcome.kind)).size).toBeGreaterThanOrEqual(8);
    expect(new Set(made.map(({ spec }) => pickTraits(spec, structure))).size).toBeGreaterThanOrEqual(15);
    expect(new Set(made.map(({ spec }) => pickTraits(spec, layout))).size).toBeGreaterThanOrEqual(15);
    expect(new Set(made.map(({ pack }) => pack.manifest.id)).size).toBe(20);
  }, 240_000);

  it('give the same package again for the same seed', async () => {
    const bytes = readFileSync(resolve(import.meta.dirname, 'sample.xlsx'));
    const [first, second] = [await generate('sample.xlsx', bytes, 3), await generate('sample.xlsx', bytes, 3)];
    expect(second.prepared.hash).toBe(first.prepared.hash);
    expect(second.instruction).toBe(first.instruction);
    expect(second.pack).toEqual(first.pack);
  }, 60_000);
});

describe.skipIf(soffice === undefined)('the checks (where LibreOffice is)', () => {
  it('hold on the solved workbook as LibreOffice saves it, and fail on the prepared one as it saves that', async () => {
    const task = await generate('sample.xlsx', readFileSync(resolve(import.meta.dirname, 'sample.xlsx')), 8);
    const [expected] = task.hidden.expected;
    if (expected?.type !== 'xlsx') throw new Error('no workbook is expected');
    const port = new LibreOffice(soffice ?? 'soffice');
    const saved = async (bytes: Uint8Array) => {
      const again = await port.convert('book.xlsx', bytes, 'xlsx', new AbortController().signal);
      return checkedOn({ checks: task.hidden.checks ?? [], path: expected.path, bytes: again, office: port });
    };
    const [before, after] = [
      await saved(task.files.get(task.prepared.hash)),
      await saved(await writeXlsx(expected.content)),
    ];
    expect(Object.keys(after).length).toBeGreaterThanOrEqual(5);
    expect(Object.values(before).map(({ ok }) => ok)).not.toContain(true);
    // A table may begin a row lower, so that lines of the place that was not taken fail beside those that hold.
    expect(Object.values(after).flatMap(({ ok, failed }) => (ok ? [] : failed))).toEqual([]);
  }, 120_000);
});

describe.skipIf(!existsSync(office))('real workbooks (when the shared data lies beside the project)', () => {
  const named = ['SalesAnalysis_L3_01', 'QtrFullYear_L3_10', 'InvRestock_L3_08'];
  it.each(named)(
    '%s gives twenty tasks with right answers',
    async (name) => {
      const made = await generateMany(`${name}.xlsx`, readFileSync(resolve(office, `${name}.xlsx`)), 20);
      const combined = made.map(
        ({ spec }) => `${spec.outcome.kind}|${pickTraits(spec, structure)}|${pickTraits(spec, layout)}`,
      );
      expect(new Set(combined).size).toBeGreaterThanOrEqual(15);
      expect(made.every(({ spec }) => String(spec.traits.chosen).startsWith('Sheet “'))).toBe(true);
    },
    240_000,
  );

  it.each(['EmpBudget_L3_07', 'Finance_Sheet2_Sum', 'ProjStatus_L2_09', 'QtrComprehensive_L3_05'])(
    '%s gives tasks with right answers',
    async (name) => {
      const made = await generateMany(`${name}.xlsx`, readFileSync(resolve(office, `${name}.xlsx`)), 6);
      expect(new Set(made.map(({ prepared }) => prepared.hash)).size).toBe(6);
    },
    120_000,
  );
});

describe('workbooks that cannot be summarised', () => {
  const sheet = (rows: (string | number)[][]) =>
    writeXlsx({
      sheets: [
        {
          name: 'Names',
          notes: {},
          headerRow: 1,
          firstColumn: 1,
          style: {},
          columns: [
            { name: 'First', type: 'text' },
            { name: 'Last', type: 'text' },
          ],
          rows,
        },
      ],
    });

  it('fail with an error that says why', async () => {
    await expect(
      generate(
        'names.xlsx',
        await sheet([
          ['Ann', 'Lee'],
          ['Bo', 'Ray'],
          ['Cy', 'Day'],
        ]),
        1,
      ),
    ).rejects.toThrow(/no table that can be summarised .*“Names”: no column of numbers/);
    await expect(generate('none.xlsx', await sheet([]), 1)).rejects.toThrow(/fewer than two rows/);
    await expect(generate('note.txt', new TextEncoder().encode('hello'), 1)).rejects.toThrow(/note.txt is no workbook/);
  });
});
