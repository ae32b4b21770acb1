import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { writeDocx } from '@cua-forge/preparers/write-docx';
import { writePdf } from '@cua-forge/preparers/write-pdf';
import { blockText, TextDocument } from '@cua-forge/spec/text-document';
import { MemoryFiles, runKind } from '@cua-forge/testing/run-kind';
import { strToU8, zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { file } from './file.node.ts';

const office = resolve(import.meta.dirname, '../../../../shared/data/office');

async function read(name: string, bytes: Uint8Array, params = {}) {
  const files = new MemoryFiles();
  return runKind(file, { files, params, inputs: { file: files.put(name, 'application/octet-stream', bytes) } });
}

const word = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
const packed = (body: string, others: Record<string, string> = {}) =>
  zipSync({
    'word/document.xml': strToU8(`<?xml version="1.0"?><w:document ${word}><w:body>${body}</w:body></w:document>`),
    ...Object.fromEntries(Object.entries(others).map(([name, text]) => [name, strToU8(text)])),
  });

describe('data.file on text documents', () => {
  it('puts split runs together, follows inherited styles, fields, lists and tables', async () => {
    const bytes = packed(
      `<w:p><w:pPr><w:pStyle w:val="H"/></w:pPr><w:r><w:t>Re</w:t></w:r><w:r><w:t>port</w:t></w:r></w:p>
       <w:p><w:pPr><w:numPr><w:ilvl w:val="1"/><w:numId w:val="7"/></w:numPr></w:pPr>
         <w:r><w:rPr><w:b/><w:sz w:val="23"/></w:rPr><w:t xml:space="preserve">one </w:t><w:tab/><w:t>two</w:t></w:r>
         <w:del><w:r><w:delText>gone</w:delText></w:r></w:del>
         <w:ins><w:r><w:rPr><w:b w:val="0"/></w:rPr><w:t>new</w:t></w:r></w:ins></w:p>
       <w:p><w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText> PAGE </w:instrText></w:r>
         <w:r><w:fldChar w:fldCharType="separate"/></w:r><w:r><w:t>12</w:t></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r></w:p>
       <w:tbl><w:tblPr><w:tblBorders><w:top w:val="single"/></w:tblBorders></w:tblPr>
         <w:tr><w:trPr><w:tblHeader/></w:trPr><w:tc><w:tcPr><w:shd w:fill="d9e2f3"/></w:tcPr><w:p><w:r><w:t>A</w:t></w:r></w:p></w:tc></w:tr>
         <w:tr><w:tc><w:p><w:r><w:t>1</w:t></w:r></w:p><w:p><w:r><w:t>2</w:t></w:r></w:p></w:tc></w:tr></w:tbl>
       <w:sectPr><w:pgSz w:w="11906" w:h="16838"/><w:pgMar w:top="1440" w:left="1000" w:right="1000" w:bottom="720"/></w:sectPr>`,
      {
        'word/styles.xml': `<w:styles ${word}><w:style w:type="paragraph" w:default="1" w:styleId="N"><w:name w:val="Normal"/>
          <w:rPr><w:sz w:val="22"/><w:rFonts w:ascii="Cambria"/></w:rPr></w:style>
          <w:style w:type="paragraph" w:styleId="H"><w:name w:val="heading 2"/><w:basedOn w:val="N"/><w:rPr><w:b/></w:rPr></w:style></w:styles>`,
        'word/numbering.xml': `<w:numbering ${word}><w:abstractNum w:abstractNumId="3"><w:lvl w:ilvl="1"><w:numFmt w:val="bullet"/></w:lvl></w:abstractNum>
          <w:num w:numId="7"><w:abstractNumId w:val="3"/></w:num></w:numbering>`,
      },
    );
    const outputs = await read('report.docx', bytes);
    const document = TextDocument.parse(outputs.document);
    expect(document.blocks).toEqual([
      { type: 'paragraph', style: 'Heading 2', runs: [{ text: 'Report' }] },
      {
        type: 'paragraph',
        style: 'Normal',
        list: { kind: 'bullet', id: '7', level: 1 },
        runs: [
          { text: 'one \ttwo', bold: true, size: 11.5 },
          { text: 'new', bold: false },
        ],
      },
      { type: 'paragraph', style: 'Normal', runs: [{ text: '', field: 'page' }] },
      {
        type: 'table',
        headerRow: true,
        borders: true,
        rows: [[{ runs: [{ text: 'A' }], fill: 'D9E2F3' }], [{ runs: [{ text: '1\n2' }] }]],
      },
    ]);
    expect(document.styles['Heading 2']).toEqual({ bold: true, size: 11, font: 'Cambria' });
    expect(document.page).toMatchObject({ width: 595.3, height: 841.9, left: 50, bottom: 36 });
    expect(outputs.text).toBe('Report\none \ttwonew\n{page}\nA\n1\n2');
    expect(outputs.summary).toMatchObject({
      type: 'document',
      paragraphs: 3,
      headings: ['Report'],
      tables: 1,
      images: 0,
    });
  });

  it('keeps what the preparer writes', async () => {
    const page = { width: 612, height: 792, top: 72, right: 72, bottom: 72, left: 72 };
    const written = TextDocument.parse({
      page,
      styles: {},
      header: [{ type: 'paragraph', style: 'Normal', runs: [{ text: 'Draft' }] }],
      footer: [],
      blocks: [
        { type: 'paragraph', style: 'Clause', runs: [{ text: 'a < b & "c"' }] },
        { type: 'paragraph', style: 'Normal', runs: [] },
      ],
    });
    const { document } = await read('a.docx', await writeDocx(written));
    const found = TextDocument.parse(document);
    expect({ ...found, styles: {} }).toEqual(written);
  });

  it('refuses what is no text document, names the file and says what to do', async () => {
    const bad: [string, Uint8Array, RegExp][] = [
      ['plain.docx', strToU8('hello'), /plain.docx cannot be read: it is not a .docx file/],
      ['sheet.docx', zipSync({ 'xl/workbook.xml': strToU8('<a/>') }), /holds no text document/],
      ['torn.docx', packed('<w:p>'), /content is damaged/],
      ['cut.docx', packed('<w:p/>').subarray(0, 120), /cut off/],
    ];
    for (const [name, bytes, message] of bad) {
      await expect(read(name, bytes)).rejects.toThrow(message);
      await expect(read(name, bytes)).rejects.toMatchObject({ code: 'file.unreadable', place: { file: name } });
    }
    await expect(read('a.docx', packed('<w:p/>'), { expect: 'pdf' })).rejects.toThrow(/a.docx is no PDF/);
  });

  it('refuses an archive that unpacks to very much, without unpacking it', async () => {
    const bomb = packed('<w:p/>');
    const view = new DataView(bomb.buffer, bomb.byteOffset, bomb.byteLength);
    const entry = bomb.findIndex((_, at) => at + 4 <= bomb.length && view.getUint32(at, true) === 0x02014b50);
    view.setUint32(entry + 24, 210 * 1024 * 1024, true);
    await expect(read('bomb.docx', bomb)).rejects.toThrow(/unpacks to 210 MB/);
  });

  it('does not expand entities', async () => {
    const bytes = zipSync({
      'word/document.xml': strToU8(
        `<!DOCTYPE d [<!ENTITY a "boom"><!ENTITY b "&a;&a;&a;">]><w:document ${word}><w:body><w:p><w:r><w:t>&b;</w:t></w:r></w:p></w:body></w:document>`,
      ),
    });
    await expect(read('entities.docx', bytes)).rejects.toMatchObject({ code: 'file.unreadable' });
  });

  it.skipIf(!existsSync(office))('reads every real one (when the shared data lies beside the project)', async () => {
    const names = readdirSync(office).filter((name) => name.endsWith('.docx'));
    expect(names.length).toBeGreaterThanOrEqual(7);
    for (const name of names) {
      const { document, text } = await read(name, readFileSync(resolve(office, name)));
      expect(TextDocument.parse(document).blocks.length, name).toBeGreaterThan(1);
      expect(String(text).length, name).toBeGreaterThan(40);
    }
    const policy = TextDocument.parse(
      (await read('p.docx', readFileSync(resolve(office, 'Policy_L2_04.docx')))).document,
    );
    expect(
      policy.blocks.slice(0, 3).map((block) => [block.type === 'paragraph' && block.style, blockText(block)]),
    ).toEqual([
      ['Normal', 'Company Remote Work Policy'],
      ['Normal', 'Effective Date: January 1, 2025 | Version 3.0'],
      ['Heading 1', '1. Purpose'],
    ]);
    expect(policy.page).toMatchObject({ width: 612, left: 90 });
  });
});

describe('data.file on PDFs', () => {
  it('reads pages with their lines', async () => {
    const bytes = await writePdf({
      title: 'Two pages',
      paper: 'Letter',
      margin: 60,
      font: 'mono',
      accent: '000000',
      blocks: [
        {
          type: 'columns',
          columns: [
            { lines: ['Left'], align: 'left' },
            { lines: ['Right'], align: 'right' },
          ],
        },
        { type: 'page-break' },
        { type: 'text', text: 'Second page', bold: false, size: 10, align: 'left' },
      ],
    });
    const outputs = await read('two.pdf', bytes, { expect: 'pdf' });
    expect(outputs.pages).toEqual([
      { width: 612, height: 792, text: 'Left\tRight' },
      { width: 612, height: 792, text: 'Second page' },
    ]);
    expect(outputs).toMatchObject({ text: 'Left\tRight\n\nSecond page', summary: { type: 'pdf', pages: 2, words: 4 } });
  });

  it('refuses what is no PDF, or damaged', async () => {
    await expect(read('a.pdf', strToU8('hello'))).rejects.toThrow(/a.pdf cannot be read: it is not a PDF/);
    await expect(read('b.pdf', strToU8('%PDF-1.4 hello'))).rejects.toThrow(/b.pdf cannot be read: it is damaged/);
  });
});
