import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import ExcelJS from 'exceljs';
import { describe, expect, it, vi } from 'vitest';
import { LibreOffice } from './libre-office.ts';

const soffice = ['/usr/bin/soffice', '/usr/local/bin/soffice'].find((path) => existsSync(path));
const office = new LibreOffice(soffice ?? 'soffice');
const never = new AbortController().signal;

async function bookWithWrongCache(): Promise<Uint8Array> {
  const book = new ExcelJS.Workbook();
  const sheet = book.addWorksheet('Data');
  sheet.getCell('A1').value = 20;
  sheet.getCell('A2').value = { formula: 'A1*2.5', result: 7, date1904: false };
  sheet.getCell('A3').value = { formula: 'UPPER("naïve")', date1904: false };
  return new Uint8Array(await book.xlsx.writeBuffer());
}

describe.skipIf(soffice === undefined)('LibreOffice (where it is installed)', () => {
  it('calculates anew what a workbook has cached', async () => {
    const book = new ExcelJS.Workbook();
    const made = await office.convert('data.xlsx', await bookWithWrongCache(), 'xlsx', never);
    await book.xlsx.load(new Uint8Array(made).buffer);
    expect(book.getWorksheet('Data')?.getCell('A2')).toMatchObject({ formula: 'A1*2.5', result: 50 });
    expect(book.getWorksheet('Data')?.getCell('A3').result).toBe('NAÏVE');
  }, 120_000);

  it('makes text of workbooks and documents in UTF-8', async () => {
    const csv = await office.convert('data.xlsx', await bookWithWrongCache(), 'csv', never);
    expect(new TextDecoder().decode(csv).trim().split(/\r?\n/)).toEqual(['20', '50', 'NAÏVE']);
    const letter = new TextEncoder().encode('Rules\n\nCafé and naïve.\n');
    const docx = await office.convert('rules.txt', letter, 'docx', never);
    expect(Buffer.from(docx.subarray(0, 2)).toString()).toBe('PK');
    const text = await office.convert('rules.docx', docx, 'txt', never);
    expect(new TextDecoder().decode(text)).toContain('Café and naïve.');
  }, 120_000);

  it('says what cannot be converted, and leaves nothing behind', async () => {
    const own = mkdtempSync(join(tmpdir(), 'forge-office-test-'));
    vi.stubEnv('TMPDIR', own);
    const broken = new TextEncoder().encode('PK no archive');
    const code = 'file.unreadable';
    const message = expect.stringContaining("make pdf of 'book.xlsx'");
    await expect(office.convert('book.xlsx', broken, 'pdf', never)).rejects.toMatchObject({ code, message });
    await expect(office.convert('data.xlsx', await bookWithWrongCache(), 'docx', never)).rejects.toMatchObject({
      code,
    });
    expect(await office.open('book.xlsx', broken, never)).toMatchObject({ opened: false });
    vi.unstubAllEnvs();
    expect(readdirSync(own)).toEqual([]);
    rmSync(own, { recursive: true });
  }, 120_000);

  it('ends with its process when it is cancelled', async () => {
    const controller = new AbortController();
    const bytes = await bookWithWrongCache();
    await office.version();
    const running = office.convert('cancelled-midway.xlsx', bytes, 'pdf', controller.signal);
    setTimeout(() => controller.abort(), 300);
    await expect(running).rejects.toMatchObject({ code: 'node.cancelled' });
    const { stdout } = await promisify(execFile)('ps', ['-eo', 'args']);
    expect(stdout).not.toContain('cancelled-midway');
  }, 120_000);
});

describe('without LibreOffice', () => {
  const absent = new LibreOffice('/nowhere/soffice');

  it('opening says so, and converting fails with what to do', async () => {
    expect(await absent.open('a.txt', new Uint8Array([65]), never)).toMatchObject({ opened: null });
    await expect(absent.convert('a.txt', new Uint8Array([65]), 'pdf', never)).rejects.toMatchObject({
      code: 'tool.missing',
      fix: expect.stringContaining('FORGE_SOFFICE'),
    });
  });
});
