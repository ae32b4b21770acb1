import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { compareDocx } from '@cua-forge/gates/file/compare-docx';
import { readDocx } from '@cua-forge/nodes/data/read-docx';
import { requiredFile } from '@cua-forge/spec/required-file';
import { TaskSpecification } from '@cua-forge/spec/task';
import { blockText, type TextDocument } from '@cua-forge/spec/text-document';
import { FileValue } from '@cua-forge/spec/value';
import { MemoryFiles, runKind } from '@cua-forge/testing/run-kind';
import { describe, expect, it } from 'vitest';
import { docx } from './docx.preparer.ts';
import { exampleSpec } from './example-spec.ts';
import { writeDocx } from './write-docx.ts';

const run = promisify(execFile);
const soffice = ['/usr/bin/soffice', '/usr/local/bin/soffice'].find((path) => existsSync(path));
const wanted = requiredFile(TaskSpecification.parse(exampleSpec), 'letter', 'docx').content;

async function prepare() {
  const files = new MemoryFiles();
  const file = FileValue.parse((await runKind(docx, { files })).file);
  return { file, bytes: files.get(file.hash) };
}

/** Converts a file with LibreOffice, in a profile of its own. */
async function convert(bytes: Uint8Array, name: string, target: string): Promise<Uint8Array> {
  const folder = await mkdtemp(join(tmpdir(), 'forge-office-'));
  try {
    await writeFile(join(folder, name), bytes);
    const profile = `-env:UserInstallation=${pathToFileURL(join(folder, 'profile')).href}`;
    const out = join(folder, 'out');
    await run(soffice ?? 'soffice', [
      profile,
      '--headless',
      '--convert-to',
      target,
      '--outdir',
      out,
      join(folder, name),
    ]);
    return await readFile(join(out, name.replace(/\.[^.]+$/, `.${target.replace(/:.*/, '')}`)));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const failed = (bytes: Uint8Array, document: TextDocument) =>
  compareDocx(bytes, document)
    .filter((check) => !check.ok)
    .map((check) => `${check.check}: ${check.detail}`);

describe('preparer.docx', () => {
  it('writes what the specification says, read back by another reader', async () => {
    const { file, bytes } = await prepare();
    expect(file.name).toBe('house-rules.docx');
    expect(failed(bytes, wanted)).toEqual([]);
    const { document, images } = readDocx(file.name, bytes);
    expect(images).toBe(1);
    expect(document.blocks.map(blockText)).toEqual(wanted.blocks.map(blockText));
    expect(document.footer[0]?.runs.map((each) => each.field ?? each.text)).toEqual(['Page ', 'page', ' of ', 'pages']);
    expect(document.styles['Heading 1']).toMatchObject({ color: '1F4E78', size: 17, bold: true });
  });

  it('gives equal bytes for an equal specification, whatever the time', async () => {
    const first = await prepare();
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    expect((await prepare()).file.hash).toBe(first.file.hash);
  });

  it('refuses styles that cannot be told apart', async () => {
    const alike = { ...wanted, styles: { 'Body-Text': {}, 'Body Text': {} } };
    await expect(writeDocx(alike)).rejects.toThrow(/"Body Text" cannot be the name of a style/);
  });

  it.skipIf(soffice === undefined)(
    'opens in LibreOffice, which keeps text, styles, lists, tables, pictures and page (where it is installed)',
    async () => {
      const { bytes } = await prepare();
      const text = new TextDecoder().decode(await convert(bytes, 'in.docx', 'txt:Text (encoded):UTF8'));
      for (const part of [
        'House rules',
        'Lost keys are reported',
        '1. Ask at the desk.',
        '2. Sign the list.',
        'Archive',
      ])
        expect(text).toContain(part);
      const { document, images } = readDocx('saved.docx', await convert(bytes, 'in.docx', 'docx'));
      expect(document.blocks.filter((block) => blockText(block) !== '').map(blockText)).toEqual(
        wanted.blocks.filter((block) => blockText(block) !== '').map(blockText),
      );
      const styles = (from: TextDocument) =>
        from.blocks.flatMap((block) => (block.type === 'paragraph' && block.runs.length > 0 ? [block.style] : []));
      expect(styles(document)).toEqual(styles(wanted));
      expect(images).toBe(1);
      expect(document.header.map(blockText)).toEqual(['Alder & Finch']);
      expect(document.page.left).toBeCloseTo(wanted.page.left, 0);
      const bold = document.blocks.flatMap((block) => (block.type === 'paragraph' ? block.runs : []));
      expect(bold.find((each) => each.text === 'Lost keys')).toMatchObject({ bold: true, color: 'C00000' });
    },
    180_000,
  );
});

describe('comparison of text documents', () => {
  const first = wanted.blocks[2];
  if (first?.type !== 'paragraph') throw new Error('no paragraph');
  const change = (at: number, block: TextDocument['blocks'][number]) => ({
    ...wanted,
    blocks: wanted.blocks.map((each, index) => (index === at ? block : each)),
  });
  it.each<[string, TextDocument, RegExp]>([
    [
      'a word',
      change(2, { ...first, runs: [{ text: 'Every key is signed.' }] }),
      /body: text: body 3: expected .*signed for/,
    ],
    ['a missing paragraph', { ...wanted, blocks: wanted.blocks.slice(0, -1) }, /found nothing/],
    ['a style', change(2, { ...first, style: 'Quote' }), /body: styles: body 3: expected Normal, found Quote/],
    ['a look', change(2, { ...first, runs: first.runs.map(({ bold: _, ...rest }) => rest) }), /body: looks: body 3/],
    ['alignment', change(2, { ...first, align: 'center' }), /body: layout: body 3/],
    ['a list', change(3, { ...first, runs: [{ text: 'Ask at the desk.' }] }), /body: layout: body 4/],
    ['the header', { ...wanted, header: [] }, /header: text/],
    ['the page', { ...wanted, page: { ...wanted.page, left: 90 } }, /page: left: expected 70.9 pt, found 90 pt/],
    [
      'the look of a style',
      { ...wanted, styles: { 'Heading 1': { color: 'FF0000' } } },
      /Heading 1: expected color 1F4E78/,
    ],
  ])('finds a difference in %s', async (_name, document, message) => {
    expect(failed(await writeDocx(document), wanted).join('\n')).toMatch(message);
  });

  it('says when the bytes are no text document', () => {
    expect(failed(new TextEncoder().encode('hello'), wanted)).toEqual([expect.stringMatching(/not a .docx file/)]);
  });
});
