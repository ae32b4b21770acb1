import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { comparePdf } from '@cua-forge/gates/file/compare-pdf';
import { opens } from '@cua-forge/gates/file/opens.gate';
import { readPdf } from '@cua-forge/nodes/data/read-pdf';
import { Verdict } from '@cua-forge/spec/kind';
import { PageDocument } from '@cua-forge/spec/page-document';
import { requiredFile } from '@cua-forge/spec/required-file';
import { TaskSpecification } from '@cua-forge/spec/task';
import { FileValue } from '@cua-forge/spec/value';
import { MemoryFiles, runKind } from '@cua-forge/testing/run-kind';
import { describe, expect, it } from 'vitest';
import { exampleSpec } from './example-spec.ts';
import { pdf } from './pdf.preparer.ts';
import { writePdf } from './write-pdf.ts';

const run = promisify(execFile);
const poppler = existsSync('/usr/bin/pdftotext');
const wanted = requiredFile(TaskSpecification.parse(exampleSpec), 'invoice', 'pdf').content;
const signal = new AbortController().signal;

async function prepare() {
  const files = new MemoryFiles();
  const file = FileValue.parse((await runKind(pdf, { files })).file);
  return { file, bytes: files.get(file.hash) };
}

const failed = async (bytes: Uint8Array, document: PageDocument) =>
  (await comparePdf(bytes, document, signal))
    .filter((check) => !check.ok)
    .map((check) => `${check.check}: ${check.detail}`);

const long = PageDocument.parse({
  title: 'Ledger',
  paper: 'Letter',
  margin: 50,
  font: 'serif',
  accent: '333333',
  blocks: [
    {
      type: 'table',
      look: 'grid',
      columns: [
        { name: 'Line', share: 1 },
        { name: 'Text', share: 3 },
        { name: 'Amount', share: 1, align: 'right' },
      ],
      rows: Array.from({ length: 120 }, (_, index) => [`${index + 1}`, `Delivery to shop ${index + 1}`, `${index}.50`]),
    },
    { type: 'page-break' },
    ...Array.from({ length: 5 }, () => ({ type: 'text', text: 'word '.repeat(390).trim() })),
  ],
  footer: 'Ledger, page {page} of {pages}',
});

describe('preparer.pdf', () => {
  it('writes every text, read back by another library', async () => {
    const { file, bytes } = await prepare();
    expect(file).toMatchObject({ name: 'invoice-0042.pdf', mediaType: 'application/pdf' });
    expect(await failed(bytes, wanted)).toEqual([]);
    const [page, ...others] = await readPdf(file.name, bytes, signal);
    expect(others).toEqual([]);
    expect(page?.text.split('\n')).toEqual([
      'Alder & Finch\tInvoice 0042',
      '12 Mill Lane\t2024-02-11',
      'Harrowgate',
      'Invoice',
      'Item\tAmount',
      'Repair of two doors\t€1,204.50',
      'Keys\t€36.00',
      'Payable within 14 days. Thank you, Zoë!',
      'Page 1 of 1',
    ]);
  });

  it('gives equal bytes for an equal specification', async () => {
    expect((await prepare()).file.hash).toBe((await prepare()).file.hash);
    expect(await writePdf(long)).toEqual(await writePdf(long));
  });

  it('breaks pages, repeats the headings of tables and numbers the pages', async () => {
    const bytes = await writePdf(long);
    expect(await failed(bytes, long)).toEqual([]);
    const pages = await readPdf('ledger.pdf', bytes, signal);
    expect(pages.length).toBeGreaterThanOrEqual(5);
    pages.forEach((page, index) => {
      expect(page.text).toContain(`Ledger, page ${index + 1} of ${pages.length}`);
    });
    expect(pages[1]?.text.startsWith('Line\tText\tAmount\n')).toBe(true);
  });

  it('embeds a font for letters that the standard ones lack', async () => {
    const polish = {
      ...wanted,
      blocks: [{ type: 'heading' as const, text: 'Łódź, ₹ 500, Αθήνα', size: 16, align: 'left' as const }],
    };
    const bytes = await writePdf(polish);
    expect(new TextDecoder('latin1').decode(bytes)).toContain('DejaVuSans-Bold');
    expect((await readPdf('a.pdf', bytes, signal))[0]?.text).toContain('Łódź, ₹ 500, Αθήνα');
    expect(await failed(bytes, polish)).toEqual([]);
    expect(await writePdf(polish)).toEqual(bytes);
  });

  it.skipIf(!poppler)(
    'is read and drawn by poppler (where it is installed)',
    async () => {
      const folder = await mkdtemp(join(tmpdir(), 'forge-pdf-'));
      try {
        const { bytes } = await prepare();
        await writeFile(join(folder, 'in.pdf'), bytes);
        const { stdout } = await run('pdftotext', ['-layout', join(folder, 'in.pdf'), '-']);
        expect(stdout).toMatch(/Repair of two doors +€1,204\.50/);
        await run('pdftoppm', ['-r', '40', join(folder, 'in.pdf'), join(folder, 'page')]);
        const drawn = await readFile(join(folder, 'page-1.ppm'));
        // Not a blank page: the accent colour is there.
        expect(drawn.includes(Buffer.from([0x1f, 0x4e, 0x78]))).toBe(true);
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    },
    60_000,
  );
});

describe('gate.opens on PDFs', () => {
  const judge = async (bytes: Uint8Array) => {
    const files = new MemoryFiles();
    const outputs = await runKind(opens, { files, inputs: { file: files.put('in.pdf', 'application/pdf', bytes) } });
    return { verdict: Verdict.parse(outputs.verdict), passedOn: outputs.file !== undefined };
  };

  it('passes one that loads and rejects a damaged one', async () => {
    const good = await judge((await prepare()).bytes);
    expect(good).toMatchObject({ passedOn: true, verdict: { verdict: 'pass' } });
    expect(good.verdict.evidence).toEqual([
      { check: 'in.pdf opens in PDF.js', ok: true, detail: 'Loaded with 1 page.' },
    ]);
    const bad = await judge(new TextEncoder().encode('%PDF-1.7 and nothing more'));
    expect(bad).toMatchObject({ passedOn: false, verdict: { verdict: 'reject' } });
    expect(bad.verdict.evidence[0]?.detail).toMatch(/it is damaged/);
  });
});

describe('comparison of PDFs', () => {
  it.each<[string, Partial<PageDocument>, RegExp]>([
    ['a changed amount', { blocks: wanted.blocks.slice(0, -1) }, /every text: not found: "Payable/],
    [
      'a further text',
      { blocks: [...wanted.blocks, { type: 'text', text: 'Extra', bold: false, size: 10, align: 'left' }] },
      /no other text/,
    ],
    ['another paper', { paper: 'Letter' }, /page 1 is 612/],
  ])('finds %s', async (_name, change, message) => {
    expect((await failed(await writePdf({ ...wanted, ...change }), wanted)).join('\n')).toMatch(message);
  });

  it('says when the bytes are no PDF, or damaged', async () => {
    expect(await failed(new TextEncoder().encode('hello'), wanted)).toEqual([expect.stringMatching(/not a PDF/)]);
    const broken = new TextEncoder().encode('%PDF-1.7\nnothing more');
    expect(await failed(broken, wanted)).toEqual([expect.stringMatching(/damaged/)]);
  });
});
