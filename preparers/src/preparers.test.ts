import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import type { Kind } from '@cua-forge/spec/kind';
import { FileValue } from '@cua-forge/spec/value';
import { MemoryFiles, runKind } from '@cua-forge/testing/run-kind';
import ExcelJS from 'exceljs';
import Papa from 'papaparse';
import { describe, expect, it } from 'vitest';
import { csv } from './csv.preparer.ts';
import { exampleSpec } from './example-spec.ts';
import { text } from './text.preparer.ts';
import { xlsx } from './xlsx.preparer.ts';

const run = promisify(execFile);
const soffice = ['/usr/bin/soffice', '/usr/local/bin/soffice'].find((path) => existsSync(path));

async function prepare(kind: Kind) {
  const files = new MemoryFiles();
  const file = FileValue.parse((await runKind(kind, { files })).file);
  return { file, bytes: files.get(file.hash) };
}

/** Opens a file in LibreOffice with a profile of its own and returns the start of the PDF it makes. */
async function openInOffice(name: string, bytes: Uint8Array): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'forge-office-'));
  try {
    await writeFile(join(folder, name), bytes);
    const profile = `-env:UserInstallation=${pathToFileURL(join(folder, 'profile')).href}`;
    await run(soffice ?? 'soffice', [
      profile,
      '--headless',
      '--convert-to',
      'pdf',
      '--outdir',
      folder,
      join(folder, name),
    ]);
    return (await readFile(join(folder, name.replace(/\.[^.]+$/, '.pdf')))).subarray(0, 5).toString();
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

describe('preparer.xlsx', () => {
  it('writes what the specification says, readable by a library', async () => {
    const { file, bytes } = await prepare(xlsx);
    expect(file.name).toBe('orders.xlsx');
    const book = new ExcelJS.Workbook();
    await book.xlsx.load(new Uint8Array(bytes).buffer);
    const sheet = book.getWorksheet('Orders');
    expect(book.worksheets.map((each) => each.name)).toEqual(['Orders', 'Summary', 'Stock']);
    expect(book.views[0]?.activeTab).toBe(1);
    expect(sheet?.getCell('B4').value).toEqual(new Date(Date.UTC(2024, 0, 5)));
    expect(sheet?.getCell('B4').numFmt).toBe('dd/mm/yyyy');
    expect(sheet?.getCell('D4').numFmt).toBe('"$"#,##0.00');
    expect(sheet?.getCell('E4').value).toMatchObject({ formula: 'D4*1.2', result: 144.6 });
    expect(sheet?.getCell('E5').result).toBe(0);
    expect(sheet?.getCell('C6').value).toBe('=not a formula');
    expect(sheet?.getCell('D6').value).toBeNull();
    expect(sheet?.getCell('B3').font).toMatchObject({ bold: true, color: { argb: 'FFFFFFFF' } });
    expect(sheet?.getCell('B5').fill).toMatchObject({ fgColor: { argb: 'FFF2F2F2' } });
    expect(sheet?.getColumn(4).width).toBe(12.5);
    expect(sheet?.getColumn(3).width).toBeCloseTo(9, 2);
    expect(sheet?.views[0]).toMatchObject({ state: 'frozen', ySplit: 3 });
    expect(sheet?.autoFilter).toBe('B3:E6');
    expect(sheet?.getCell('G4').value).toBe('checked by hand');
  });

  it('gives equal bytes for an equal specification, whatever the time', async () => {
    const first = await prepare(xlsx);
    await new Promise((resolve) => setTimeout(resolve, 2_100));
    expect((await prepare(xlsx)).file.hash).toBe(first.file.hash);
  });

  it('refuses an unknown id and a file of another type by name', async () => {
    const inputs = { spec: exampleSpec };
    await expect(runKind(xlsx, { params: { file: 'nope' }, inputs })).rejects.toThrow(/"nope".*book, table,.* note/);
    await expect(runKind(xlsx, { params: { file: 'note' }, inputs })).rejects.toThrow(/of type text, not xlsx/);
  });

  it.skipIf(soffice === undefined)(
    'opens in LibreOffice (where it is installed)',
    async () => {
      const { file, bytes } = await prepare(xlsx);
      expect(await openInOffice(file.name, bytes)).toBe('%PDF-');
    },
    120_000,
  );
});

describe('preparer.csv', () => {
  it('writes RFC 4180 that a parser reads back', async () => {
    const { bytes } = await prepare(csv);
    const content = new TextDecoder().decode(bytes);
    expect(content).toBe('Name,Note,Amount\r\n"Ann, ""A""","two\nlines",12.5\r\nZoë,,-3\r\n');
    expect(Papa.parse(content, { skipEmptyLines: true }).data).toEqual([
      ['Name', 'Note', 'Amount'],
      ['Ann, "A"', 'two\nlines', '12.5'],
      ['Zoë', '', '-3'],
    ]);
  });

  it.skipIf(soffice === undefined)(
    'opens in LibreOffice (where it is installed)',
    async () => {
      const { file, bytes } = await prepare(csv);
      expect(await openInOffice(file.name, bytes)).toBe('%PDF-');
    },
    120_000,
  );
});

describe('preparer.text', () => {
  it('writes UTF-8 with one line end at the end', async () => {
    const { file, bytes } = await prepare(text);
    expect(file).toMatchObject({ name: 'readme.txt', mediaType: 'text/plain' });
    expect(new TextDecoder().decode(bytes)).toBe('First line\nSecond: café\n');
  });
});
