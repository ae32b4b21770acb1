import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { noOffice } from '@cua-forge/testing/execute-context';
import ExcelJS from 'exceljs';
import { describe, expect, it } from 'vitest';
import { gitBlobs } from './files/git-objects.ts';
import { hiddenTexts } from './files/hidden-texts.ts';
import { protectionsOf, sheetNames } from './files/office-names.ts';
import { otherLines } from './files/text-variants.ts';
import { cellsOf, fixedValues, otherFormulas, otherValue } from './files/workbook-variants.ts';
import { prove } from './prove.ts';
import { readSubject, subjectHash } from './subject.ts';
import { buildTask, sampleTask, type TaskDraft } from './testing/sample-task.ts';

const context = { office: noOffice, signal: new AbortController().signal, progress: () => {} };
const missing = { missing: 'There is no sandbox here.' };

async function proofOf(change: (draft: TaskDraft) => void = () => {}) {
  const draft = await sampleTask();
  change(draft);
  const built = buildTask(draft);
  return (await prove(await readSubject(built.package, built.read), missing, context)).record;
}

describe('prove, without a sandbox', () => {
  it('leaves a sound package unproven and says why', async () => {
    const record = await proofOf();
    expect(record).toMatchObject({ verdict: 'unproven', reason: missing.missing, provider: null, screenshot: null });
    expect(record.steps.map(({ result }) => result)).toEqual(['held', ...Array<string>(10).fill('skipped')]);
  });

  it('leaves a package unproven that has no checks or no solution', async () => {
    const without = (draft: TaskDraft) => {
      draft.solution = null;
    };
    expect(await proofOf(without)).toMatchObject({
      verdict: 'unproven',
      reason: 'The package has no reference solution.',
    });
  });

  const saying = (text: string) => (draft: TaskDraft) => {
    draft.instruction += text;
  };
  const faults: [string, (draft: TaskDraft) => void, RegExp][] = [
    ['an answer in the instruction', saying(' It is 6484.75.'), /gives no answer away/],
    ['a file that is not there', saying(' Compare with prices.xlsx.'), /are there.*prices/],
    [
      'a must criterion without a check',
      (draft) =>
        draft.rubric.criteria.push({
          id: 'bold',
          text: 'D1 is bold',
          weight: 1,
          must: true,
          judge: 'model',
          evidence: 'x',
        }),
      /bold has none/,
    ],
    ['a mutant that is missing', (draft) => draft.solution?.solution.mutants.pop(), /unchanged has no mutant/],
    ['a check that cannot fail', (draft) => draft.checks.splice(0, 1, { id: 'label', check: { all: [] } }), /can fail/],
  ];
  it.each(faults)('finds %s', async (_name, change, reason) => {
    const record = await proofOf(change);
    expect(record.verdict).toBe('failed');
    expect(record.reason).toMatch(reason);
  });
});

describe('a package that is proven', () => {
  it('has a hash that the proof itself does not change, and everything else does', async () => {
    const { package: made } = buildTask(await sampleTask());
    const hash = subjectHash(made.files);
    const [first] = made.files;
    if (first === undefined) throw new Error('no files');
    expect(subjectHash([...made.files, { ...first, path: 'proof/proof.json' }])).toBe(hash);
    expect(subjectHash([...made.files, { ...first, path: 'hidden/other.json' }])).not.toBe(hash);
  });
});

describe('what files hide', () => {
  it('reads every version that git keeps, loose and packed', () => {
    const folder = mkdtempSync(join(tmpdir(), 'git-'));
    try {
      const git = (...args: string[]) =>
        execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.org', ...args], { cwd: folder });
      git('init', '-q');
      const base = Array.from({ length: 200 }, (_, line) => `line ${line}`).join('\n');
      for (const end of ['first', 'second']) {
        writeFileSync(join(folder, 'notes.txt'), `${base}\n${end}`);
        git('add', '.');
        git('commit', '-qm', end);
      }
      git('gc', '-q', '--aggressive', '--prune=now');
      const packs = join(folder, '.git/objects/pack');
      const pack = readdirSync(packs).find((name) => name.endsWith('.pack')) ?? '';
      const texts = gitBlobs(`/home/user/.git/objects/pack/${pack}`, readFileSync(join(packs, pack))).map(String);
      expect(texts.map((text) => text.split('\n').at(-1)).sort()).toEqual(['first', 'second']);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
    const loose = deflateSync(Buffer.from('blob 5\0hello'));
    expect(gitBlobs(`/x/.git/objects/ab/${'c'.repeat(38)}`, loose).map(String)).toEqual(['hello']);
    expect(gitBlobs('/x/notes.txt', loose)).toEqual([]);
  });

  it('reads hidden sheets, comments and properties of workbooks', async () => {
    const book = new ExcelJS.Workbook();
    book.creator = 'A. Person';
    book.addWorksheet('Data').getCell('A1').note = 'the total is 6484.75';
    const hidden = book.addWorksheet('Secret', { state: 'veryHidden' });
    hidden.getCell('B2').value = 6484.75;
    hidden.getCell('B3').value = 'a word';
    const found = hiddenTexts(new Uint8Array(await book.xlsx.writeBuffer()));
    const at = (where: string) =>
      found
        .filter((one) => one.where === where)
        .map(({ text }) => text)
        .join('\n');
    expect(at('a comment')).toContain('6484.75');
    expect(at('a hidden sheet')).toMatch(/6484\.75[\s\S]*a word/);
    expect(at('its properties')).toContain('A. Person');
    expect(at('a hidden sheet')).not.toContain('the total');
  });
});

describe('what keeps people from editing', () => {
  it('is told of a workbook whose sheet is protected, and of no other', async () => {
    const book = new ExcelJS.Workbook();
    const sheet = book.addWorksheet('Data & more');
    sheet.getCell('A1').value = 1;
    const open = new Uint8Array(await book.xlsx.writeBuffer());
    expect(sheetNames(open)).toEqual(['Data & more']);
    expect(protectionsOf(open)).toEqual([]);
    await sheet.protect('', {});
    expect(protectionsOf(new Uint8Array(await book.xlsx.writeBuffer()))).toEqual(['a sheet is protected']);
    expect(protectionsOf(new Uint8Array([1, 2, 3]))).toEqual([]);
  });
});

it('lines of a text that were not there are changed one by one', () => {
  const bytes = (text: string) => new TextEncoder().encode(text);
  const made = otherLines(bytes('name,total\n'), bytes('name,total\nA,19\nnone\n'));
  expect(made.map((one) => [one.about, new TextDecoder().decode(one.bytes)])).toEqual([
    ['line 2', 'name,total\nA,10\nnone\n'],
    ['line 3', 'name,total\nA,19\nnone (other)\n'],
  ]);
});

describe('variants of a workbook', () => {
  it('say the same in another way, the same without formulas, and another value', async () => {
    const book = new ExcelJS.Workbook();
    const sheet = book.addWorksheet('A & B');
    sheet.getCell('A1').value = 'Name';
    sheet.getCell('B1').value = { formula: 'SUM(B2:B3)', result: 7 };
    const bytes = new Uint8Array(await book.xlsx.writeBuffer());
    const places = [{ sheet: 'A & B', address: 'B1' }];
    const at = async (changed: Uint8Array | null, address: string) =>
      (await cellsOf(changed ?? new Uint8Array()))?.get(`A & B!${address}`);
    expect(await at(otherFormulas(bytes, places), 'B1')).toMatchObject({ formula: 'IF(TRUE,SUM(B2:B3),0)', value: 7 });
    expect(await at(fixedValues(bytes, places), 'B1')).toMatchObject({ formula: null, value: 7 });
    expect(await at(otherValue(bytes, { sheet: 'A & B', address: 'A1' }, 'Name'), 'A1')).toMatchObject({
      value: 'Name (other)',
    });
    expect(await at(otherValue(bytes, { sheet: 'A & B', address: 'B1' }, 7), 'B1')).toMatchObject({ value: 8 });
    expect(otherValue(bytes, { sheet: 'A & B', address: 'C9' }, 1)).toBeNull();
  });
});
