import { opens } from '@cua-forge/gates/file/opens.gate';
import { mediaTypeOf } from '@cua-forge/spec/required-file';
import { MemoryFiles } from '@cua-forge/testing/run-kind';
import ExcelJS from 'exceljs';
import { basePackages } from '../bases.ts';
import { at, bad, type GateCorpus, type GateExample, good } from '../example.ts';

const type = mediaTypeOf.xlsx;

/** Bytes of a ZIP folder: a workbook that only looks like one. */
const zipHead = new Uint8Array([0x50, 0x4b, 0x03, 0x04, 0x14, 0, 0, 0, 0, 0]);

function scrambled(bytes: Uint8Array, every: number): Uint8Array {
  return bytes.map((byte, i) => (i > 40 && i % every === 0 ? byte ^ 0x5a : byte));
}

async function smallBook(i: number): Promise<Uint8Array> {
  const book = new ExcelJS.Workbook();
  const sheet = book.addWorksheet(`Sheet ${i + 1}`);
  for (let row = 0; row <= i; row += 1)
    sheet.addRow([`row ${row}`, row * 1.5, new Date(Date.UTC(2025, 0, row + 1)), { formula: `B${row + 1}*2` }]);
  return new Uint8Array(await book.xlsx.writeBuffer());
}

export const opensCorpus: GateCorpus = {
  gate: opens,
  async examples() {
    const bases = await basePackages();
    const encode = (text: string) => new TextEncoder().encode(text);
    const shown = (name: string, mediaType: string, bytes: Uint8Array) => {
      const files = new MemoryFiles();
      return { inputs: { file: files.put(name, mediaType, bytes) }, files };
    };
    const prepared = bases.flatMap((base) => base.prepared.map((file) => ({ base, file })));
    const books = prepared.filter(({ file }) => file.name.endsWith('.xlsx'));
    const bytesOf = ({ base, file }: (typeof books)[number]) => base.files.get(file.hash);
    const broken = (i: number, kind: string, change: (bytes: Uint8Array) => Uint8Array): GateExample => {
      const book = at(books, i);
      return bad(
        kind,
        `${book.file.name} opens in `,
        `${kind} ${i}`,
        shown(book.file.name, type, change(bytesOf(book))),
      );
    };
    const small: GateExample[] = [];
    for (let i = 0; i < 8; i += 1) small.push(good(`small ${i}`, shown(`small ${i}.xlsx`, type, await smallBook(i))));
    return [
      ...prepared.map(({ base, file }) => good(`${base.name}, ${file.name}`, { inputs: { file }, files: base.files })),
      ...small,
      ...['Notes\n', 'a;b;c\n1;2;3\n', 'Grüße aus Łódź\n', 'x'.repeat(5_000)].map((text, i) =>
        good(`text ${i}`, shown(`note ${i}.txt`, 'text/plain', encode(text))),
      ),
      ...['a,b\n1,2\n', '"a, b",c\n,\n', 'Datum;Betrag\n01.02.2025;3,5\n'].map((text, i) =>
        good(`CSV ${i}`, shown(`list ${i}.csv`, 'text/csv', encode(text))),
      ),
      ...[0, 1, 2, 3, 4, 5].map((i) => broken(i, 'cut to a half', (bytes) => bytes.slice(0, bytes.length >> 1))),
      ...[2, 4, 6, 8].map((i) => broken(i, 'cut to a tenth', (bytes) => bytes.slice(0, Math.ceil(bytes.length / 10)))),
      ...[1, 3, 5, 7, 9].map((i) => broken(i, 'the head alone', () => zipHead)),
      ...[0, 2, 4, 6, 8, 10].map((i) => broken(i, 'changed bytes', (bytes) => scrambled(bytes, 61))),
      ...[1, 3, 5, 7, 9].map((i) =>
        broken(i, 'directory lost', (bytes) => bytes.map((byte, at) => (at > bytes.length - 400 ? 0 : byte))),
      ),
      ...[0, 3, 6, 9].map((i) =>
        broken(i, 'beginning lost', (bytes) => bytes.map((byte, at) => (at < 300 ? 0 : byte))),
      ),
    ];
  },
};
