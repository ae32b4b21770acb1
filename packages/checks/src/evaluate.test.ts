import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeDocx } from '@cua-forge/preparers/write-docx';
import { writePdf } from '@cua-forge/preparers/write-pdf';
import { Check } from '@cua-forge/spec/check';
import { PageDocument } from '@cua-forge/spec/page-document';
import type { StateReader } from '@cua-forge/spec/state-reader';
import { TextDocument } from '@cua-forge/spec/text-document';
import { noOffice } from '@cua-forge/testing/execute-context';
import { LibreOffice } from '@cua-forge/worker/office/libre-office';
import Database from 'better-sqlite3';
import ExcelJS from 'exceljs';
import { strToU8, zipSync } from 'fflate';
import { PNG } from 'pngjs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { evaluateCheck } from './evaluate.ts';
import { folderReader, memoryReader } from './file-readers.ts';
import { Looker } from './look.ts';

const soffice = ['/usr/bin/soffice', '/usr/local/bin/soffice'].find((path) => existsSync(path));
const utf8 = (text: string) => new TextEncoder().encode(text);
const files = new Map<string, Uint8Array>();
const home = (name: string) => `/home/user/${name}`;

async function workbook(): Promise<Uint8Array> {
  const book = new ExcelJS.Workbook();
  const sheet = book.addWorksheet('Data', { views: [{ state: 'frozen', ySplit: 1 }] });
  sheet.addRows([
    ['Item', 'Amount', 'Day'],
    ['Tea', 2.5, new Date(Date.UTC(2024, 0, 31))],
    ['Milk', 1.25, null],
  ]);
  sheet.getCell('B4').value = { formula: 'SUM(B2:B3)', date1904: false };
  sheet.getCell('A1').font = { bold: true, size: 12, color: { argb: 'FF1F4E78' } };
  sheet.getCell('A1').fill = { type: 'pattern', pattern: 'solid', fgColor: { argb: 'FFFFEE00' } };
  sheet.getCell('B2').numFmt = '0.00';
  sheet.getCell('E2').value = Number.NaN;
  sheet.getCell('A2').dataValidation = { type: 'list', formulae: ['"Tea,Milk"'], allowBlank: true };
  sheet.mergeCells('G1:H1');
  sheet.addConditionalFormatting({
    ref: 'B2:B3',
    rules: [
      {
        type: 'cellIs',
        operator: 'greaterThan',
        priority: 1,
        formulae: ['2'],
        style: { fill: { type: 'pattern', pattern: 'solid', bgColor: { argb: 'FFFF0000' } } },
      },
    ],
  });
  book
    .addWorksheet('Notes')
    .addTable({ name: 'Names', ref: 'A1', headerRow: true, columns: [{ name: 'Name' }], rows: [['Ann']] });
  return new Uint8Array(await book.xlsx.writeBuffer());
}

function presentation(): Uint8Array {
  const relation = (id: string, type: string, target: string) =>
    `<Relationship Id="${id}" Type="http://x/${type}" Target="${target}"/>`;
  const shape = (name: string, x: number, text: string, title = false) =>
    `<p:sp><p:nvSpPr><p:cNvPr id="1" name="${name}"/><p:nvPr>${title ? '<p:ph type="title"/>' : ''}</p:nvPr></p:nvSpPr><p:spPr><a:xfrm><a:off x="${x}" y="12700"/><a:ext cx="127000" cy="25400"/></a:xfrm></p:spPr><p:txBody><a:p><a:pPr algn="ctr"/><a:r><a:rPr b="1" sz="2400"><a:solidFill><a:srgbClr val="FF0000"/></a:solidFill></a:rPr><a:t>${text}</a:t></a:r></a:p></p:txBody></p:sp>`;
  const slide = (inner: string) =>
    `<p:sld xmlns:p="p" xmlns:a="a"><p:cSld><p:spTree>${inner}</p:spTree></p:cSld><p:transition><p:dissolve/></p:transition></p:sld>`;
  return zipSync({
    'ppt/presentation.xml': strToU8(
      '<p:presentation xmlns:p="p" xmlns:r="r"><p:sldIdLst><p:sldId id="256" r:id="r2"/><p:sldId id="257" r:id="r1"/></p:sldIdLst><p:sldSz cx="9144000" cy="6858000"/></p:presentation>',
    ),
    'ppt/_rels/presentation.xml.rels': strToU8(
      `<Relationships>${relation('r1', 'slide', 'slides/slide1.xml')}${relation('r2', 'slide', 'slides/slide2.xml')}</Relationships>`,
    ),
    'ppt/slides/slide1.xml': strToU8(slide(shape('Body', 12_700, 'Last'))),
    'ppt/slides/slide2.xml': strToU8(slide(shape('Title 1', 25_400, 'First', true))),
  });
}

function picture(red: number): Uint8Array {
  const png = new PNG({ width: 10, height: 10 });
  png.data.fill(255);
  for (let pixel = 0; pixel < 50; pixel += 1) png.data[pixel * 4] = red;
  return new Uint8Array(PNG.sync.write(png));
}

beforeAll(async () => {
  files.set(home('a.xlsx'), await workbook());
  const document = TextDocument.parse({
    page: { width: 612, height: 792, top: 72, right: 72, bottom: 72, left: 54 },
    styles: {},
    header: [{ type: 'paragraph', style: 'Normal', runs: [{ text: 'Alder & Finch' }] }],
    footer: [{ type: 'paragraph', style: 'Normal', runs: [{ text: 'Page ' }, { text: '', field: 'page' }] }],
    blocks: [
      { type: 'paragraph', style: 'Heading 1', runs: [{ text: 'Keys' }] },
      {
        type: 'paragraph',
        style: 'Normal',
        align: 'justify',
        after: 6,
        runs: [{ text: 'Lost keys are ' }, { text: 'reported', bold: true, color: 'C00000' }],
      },
      { type: 'paragraph', style: 'Normal', list: { kind: 'bullet', id: 'a', level: 0 }, runs: [{ text: 'At once' }] },
      {
        type: 'table',
        headerRow: true,
        borders: true,
        rows: [
          [{ runs: [{ text: 'Door' }] }, { runs: [{ text: 'Key' }] }],
          [{ runs: [{ text: 'Front' }] }, { runs: [{ text: '7' }] }],
        ],
      },
    ],
  });
  files.set(home('a.docx'), await writeDocx(document));
  files.set(home('a.pptx'), presentation());
  const pages = PageDocument.parse({
    title: 'Bill',
    paper: 'A4',
    margin: 50,
    font: 'sans',
    accent: '000000',
    blocks: [{ type: 'text', text: 'Invoice 7' }, { type: 'page-break' }, { type: 'text', text: 'Total 12.50' }],
  });
  files.set(home('a.pdf'), await writePdf(pages));
  files.set(home('a.txt'), utf8('one\n  Two   words\nthree\n'));
  files.set(home('a.json'), utf8('{ // set by hand\n "a": [{"b": 7, "n": null},], "url": "http://x" }'));
  files.set(home('a.yml'), utf8('name: Test\nauthor: {email: a@b.example}\n'));
  files.set(home('a.csv'), utf8('Name,Hours\nAnn,7.5\nBo,\n'));
  files.set(home('a.ini'), utf8('[core]\nvolume=200\n#quiet=1\nname = "x y"\n'));
  files.set(home('prefs.js'), utf8('user_pref("mail.check", true);\nuser_pref("mail.name", "A");\n'));
  files.set(home('gimprc'), utf8('# c\n(theme "Light")\n(undo-levels 100)\n'));
  files.set(
    home('Inbox'),
    utf8(
      'From - Mon\nX-Mozilla-Status: 0001\nFrom: A <a@x.example>\nTo: b@x.example\nSubject: =?utf-8?q?F=C3=BCr_dich?=\n\nHello\n>From here\n\nFrom - Tue\nX-Mozilla-Status: 0009\nSubject: gone\n\nBye\n',
    ),
  );
  files.set(home('Mail/cur/1'), utf8('From: c@x.example\nSubject: Bill\n\nPay\n'));
  files.set(
    home('p/Bookmarks'),
    utf8(
      JSON.stringify({
        roots: {
          bookmark_bar: {
            type: 'folder',
            name: 'Bookmarks bar',
            children: [
              { type: 'folder', name: 'Work', children: [{ type: 'url', name: 'X', url: 'https://x.example/' }] },
            ],
          },
        },
      }),
    ),
  );
  files.set(home('p.png'), picture(255));
  files.set(home('q.png'), picture(0));
  const database = new Database(':memory:');
  database.exec(
    "create table urls (url text, last_visit_time int); insert into urls values ('https://y.example/', 2), ('https://z.example/', 1);",
  );
  const bytes = new Uint8Array(database.serialize());
  database.close();
  files.set(home('a.db'), bytes);
  files.set(home('p/History'), bytes);
});

const context = (reader: StateReader = memoryReader(files)) => ({
  reader,
  office: soffice === undefined ? noOffice : new LibreOffice(soffice),
  references: new Map([['gold.xlsx', files.get(home('a.xlsx')) ?? new Uint8Array()]]),
  signal: new AbortController().signal,
});
const judge = async (check: unknown, reader?: StateReader) =>
  evaluateCheck(Check.parse(check), new Looker(context(reader)));
const see = (look: string, name: string, rest: object) => ({ look, path: home(name), ...rest });
const cell = (at: string, of = 'value') => see('cell', 'a.xlsx', { sheet: 'Data', cell: at, of });
const paragraph = (at: number | string, of: string) => see('paragraph', 'a.docx', { at, of });
const shape = (of: string) => see('shape', 'a.pptx', { slide: 1, shape: 'Title 1', of });

/** A look, what it holds, and what it does not. */
const cases: [object, object, object][] = [
  [cell('A2'), { equals: 'Tea' }, { equals: 'tea' }],
  [cell('A2'), { equals: ' TEA ', text: 'loose' }, { equals: 'Milk', text: 'loose' }],
  [cell('B2'), { equals: 2.49, tolerance: 0.02 }, { equals: 2.4, tolerance: 0.02 }],
  [cell('B2'), { equals: 2.49, relative: 0.01 }, { equals: '2.5' }],
  [cell('C2'), { day: '2024-01-30', days: 1 }, { day: '2024-01-30' }],
  [cell('C3'), { absent: true }, { present: true }],
  [cell('B4', 'formula'), { matches: '^SUM\\(' }, { matches: '^AVERAGE' }],
  [cell('A1', 'bold'), { equals: true }, { equals: false }],
  [cell('A1', 'color'), { equals: '1F4E78' }, { equals: '000000' }],
  [cell('A1', 'fill'), { equals: 'FFEE00' }, { absent: true }],
  [cell('B2', 'format'), { equals: '0.00' }, { equals: 'General' }],
  [cell('A2', 'validation'), { contains: 'Tea,Milk' }, { contains: 'Coffee' }],
  [
    see('range', 'a.xlsx', { sheet: 1, range: 'A2:B3', of: 'value' }),
    { list: ['Tea', 2.5, 'Milk', 1.25] },
    { list: ['Milk', 1.25, 'Tea', 2.5] },
  ],
  [
    see('range', 'a.xlsx', { sheet: 1, range: 'A2:A3', of: 'value' }),
    { list: ['Milk', 'Tea'], ordered: false },
    { list: ['Milk', 'Milk'], ordered: false },
  ],
  [see('workbook', 'a.xlsx', { of: 'sheets' }), { list: ['Data', 'Notes'] }, { list: ['Notes', 'Data'] }],
  [
    see('workbook', 'a.xlsx', { of: 'tables' }),
    { includes: ['Notes!Names=A1:A2'] },
    { excludes: ['Notes!Names=A1:A2'] },
  ],
  [
    see('sheet', 'a.xlsx', { sheet: 'Data', of: 'conditional-formats' }),
    { list: ['B2:B3 | cellIs | greaterThan | 2 | fill FF0000'] },
    { count: { atLeast: 2 } },
  ],
  [see('sheet', 'a.xlsx', { sheet: 'Data', of: 'merges' }), { list: ['G1:H1'] }, { list: [] }],
  [see('sheet', 'a.xlsx', { sheet: 'Data', of: 'frozen' }), { equals: '1 rows, 0 columns' }, { absent: true }],
  [
    see('sheet', 'a.xlsx', { sheet: 'Notes', of: 'values' }),
    { same: { look: 'sheet', path: 'reference:gold.xlsx', sheet: 'Notes', of: 'values' } },
    { same: { look: 'range', path: 'reference:gold.xlsx', sheet: 'Data', range: 'A1:A2', of: 'value' } },
  ],
  [
    see('document', 'a.docx', { of: 'paragraphs' }),
    { list: ['Keys', 'Lost keys are reported', 'At once'] },
    { list: ['Keys'] },
  ],
  [see('document', 'a.docx', { of: 'header' }), { equals: 'Alder & Finch' }, { absent: true }],
  [see('document', 'a.docx', { of: 'footer' }), { equals: 'Page {page}' }, { equals: 'Page 1' }],
  [see('document', 'a.docx', { of: 'left' }), { equals: 54, tolerance: 0.1 }, { equals: 72 }],
  [paragraph(1, 'style'), { equals: 'Heading 1' }, { equals: 'Normal' }],
  [paragraph(2, 'align'), { equals: 'justify' }, { equals: 'left' }],
  [paragraph(2, 'bold'), { equals: 'mixed' }, { equals: true }],
  [see('paragraph', 'a.docx', { at: 2, run: 2, of: 'bold' }), { equals: true }, { equals: false }],
  [see('paragraph', 'a.docx', { at: 2, run: 2, of: 'color' }), { equals: 'C00000' }, { equals: '000000' }],
  [paragraph('At once', 'list'), { equals: 'bullet' }, { equals: 'number' }],
  [see('table-cell', 'a.docx', { table: 1, row: 2, column: 1, of: 'text' }), { equals: 'Front' }, { equals: 'Door' }],
  [see('presentation', 'a.pptx', { of: 'slides' }), { equals: 2 }, { equals: 1 }],
  [see('slide', 'a.pptx', { slide: 1, of: 'title' }), { equals: 'First' }, { equals: 'Last' }],
  [see('slide', 'a.pptx', { slide: 1, of: 'transition' }), { equals: 'dissolve' }, { absent: true }],
  [shape('x'), { equals: 2 }, { equals: 1 }],
  [shape('size'), { equals: 24 }, { equals: 12 }],
  [shape('align'), { equals: 'center' }, { equals: 'left' }],
  [shape('color'), { equals: 'FF0000' }, { equals: '00FF00' }],
  [see('pdf', 'a.pdf', { page: 2, of: 'text' }), { contains: 'Total 12.50' }, { contains: 'Invoice 7' }],
  [see('pdf', 'a.pdf', { of: 'pages' }), { equals: 2 }, { equals: 1 }],
  [see('file', 'a.txt', { of: 'text' }), { contains: 'Two words' }, { contains: 'Two words', text: 'exact' }],
  [see('file', 'a.txt', { of: 'lines' }), { count: { atLeast: 3, atMost: 3 } }, { count: { atMost: 2 } }],
  [see('file', 'b.txt', { of: 'exists' }), { equals: false }, { equals: true }],
  [see('folder', 'Mail', { of: 'names' }), { list: ['cur'] }, { list: [] }],
  [see('json', 'a.json', { at: ['a', 0, 'b'] }), { equals: 7 }, { equals: '7' }],
  [see('json', 'a.json', { at: ['url'] }), { equals: 'http://x' }, { absent: true }],
  [see('json', 'a.yml', { format: 'yaml', at: ['author', 'email'] }), { equals: 'a@b.example' }, { equals: 'b' }],
  [see('csv', 'a.csv', { of: 'header' }), { list: ['Name', 'Hours'] }, { list: ['Hours', 'Name'] }],
  [see('csv-cell', 'a.csv', { row: 1, column: 'Hours' }), { atLeast: 7, atMost: 8 }, { atLeast: 8 }],
  [see('sqlite', 'a.db', { query: 'select count(*) from urls' }), { equals: 2 }, { equals: 3 }],
  [see('mail', 'Inbox', { of: 'subjects' }), { list: ['Für dich'] }, { includes: ['gone'] }],
  [see('mail', 'Inbox', { of: 'texts' }), { list: ['Hello From here'] }, { list: ['Bye'] }],
  [see('mail', 'Mail', { of: 'senders', subject: 'bill' }), { list: ['c@x.example'] }, { list: [] }],
  [see('browser', 'p', { of: 'bookmark-urls', folder: 'Work' }), { list: ['https://x.example/'] }, { list: [] }],
  [see('browser', 'p', { of: 'history' }), { includes: ['https://y.example/'] }, { excludes: ['https://y.example/'] }],
  [see('setting', 'a.ini', { format: 'ini', key: 'core.volume' }), { equals: 200 }, { equals: 100 }],
  [see('setting', 'a.ini', { format: 'ini', key: 'quiet' }), { absent: true }, { present: true }],
  [see('setting', 'prefs.js', { format: 'prefs', key: 'mail.check' }), { equals: true }, { equals: false }],
  [see('setting', 'gimprc', { format: 'lisp', key: 'theme' }), { equals: 'Light' }, { equals: 'Dark' }],
  [see('picture', 'p.png', { of: 'width' }), { equals: 10 }, { equals: 11 }],
  [
    see('picture', 'p.png', { of: 'pixels' }),
    { looksLike: see('picture', 'q.png', { of: 'pixels' }), share: 0.6 },
    { looksLike: see('picture', 'q.png', { of: 'pixels' }), share: 0.4 },
  ],
  [
    see('picture', 'p.png', { of: 'pixels', region: { x: 0, y: 5, width: 10, height: 5 } }),
    { looksLike: see('picture', 'q.png', { of: 'pixels', region: { x: 0, y: 5, width: 10, height: 5 } }), share: 0 },
    { looksLike: see('picture', 'q.png', { of: 'pixels' }) },
  ],
];

describe('what is looked at', () => {
  it.each(cases)('%j is seen as it is', async (look, right, wrong) => {
    const held = await judge({ see: look, expect: right });
    expect(held.ok, JSON.stringify(held.evidence)).toBe(true);
    const failed = await judge({ see: look, expect: wrong });
    expect(failed.ok, JSON.stringify(failed.evidence)).toBe(false);
    expect(failed.evidence[0]?.where).not.toBe('');
  });

  it('calculates formulas that have no result', async () => {
    const sum = judge({ see: cell('B4'), expect: { equals: 3.75 } });
    if (soffice === undefined) await expect(sum).rejects.toMatchObject({ code: 'tool.missing' });
    else expect((await sum).ok).toBe(true);
  }, 60_000);

  it('reads processes, windows, the screen and commands where the place has them', async () => {
    const reader: StateReader = {
      ...memoryReader(files),
      processes: async () => ['/usr/lib/libreoffice/program/soffice.bin --calc'],
      windows: async () => ['a.xlsx — LibreOffice Calc'],
      screenshot: async () => files.get(home('p.png')) ?? new Uint8Array(),
      run: async (command) => ({ code: 0, output: command.join(' ') }),
    };
    const all = {
      all: [
        { see: { look: 'processes' }, expect: { count: { atLeast: 1 } } },
        { see: { look: 'windows' }, expect: { matches: 'Calc$' } },
        {
          see: { look: 'screenshot', of: 'pixels' },
          expect: { looksLike: see('picture', 'p.png', { of: 'pixels' }), share: 0 },
        },
        { see: { look: 'command', command: ['uname', '-s'], of: 'output' }, expect: { equals: 'uname -s' } },
      ],
    };
    expect((await judge(all, reader)).evidence.map(({ held }) => held)).toEqual(['yes', 'yes', 'yes', 'yes']);
    await expect(judge(all)).rejects.toMatchObject({ code: 'tool.missing' });
  });
});

describe('what is not there', () => {
  const gone = { see: { ...cell('A1'), sheet: 'None' }, expect: { equals: 'x' } };
  it.each([
    ['a sheet', gone],
    ['not of it', { not: gone }],
    ['not of a missing file', { not: { see: see('file', 'none.txt', { of: 'text' }), expect: { contains: 'x' } } }],
    ['the absence of a cell on it', { see: gone.see, expect: { absent: true } }],
    ['a damaged file', { see: { ...cell('A1'), path: home('a.txt') }, expect: { present: true } }],
    ['null', { see: see('json', 'a.json', { at: ['a', 0, 'n'] }), expect: { equals: 'null' } }],
    ['NaN', { see: cell('E2'), expect: { equals: 0 } }],
    [
      'null and the same null',
      { see: see('json', 'a.json', { at: ['a', 0, 'n'] }), expect: { same: see('json', 'a.json', { at: ['none'] }) } },
    ],
    [
      'a list of nothing and another',
      { see: { ...cell('X1'), look: 'range', range: 'X1:X2', cell: undefined }, expect: { equals: 'x' } },
    ],
    ['all of it', { all: [{ see: cell('A2'), expect: { equals: 'Tea' } }, gone] }],
  ])('%s passes nothing', async (_name, check) => {
    expect((await judge(JSON.parse(JSON.stringify(check)))).ok).toBe(false);
  });

  it('does not keep the other part of an any from holding', async () => {
    const { ok, evidence } = await judge({ any: [gone, { see: cell('A2'), expect: { equals: 'Tea' } }] });
    expect(ok).toBe(true);
    expect(evidence.map(({ held }) => held)).toEqual(['missing', 'yes']);
    expect(evidence[0]?.seen).toContain('Data, Notes');
  });
});

describe('a folder of files', () => {
  let root: string;
  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'forge-reader-'));
    await mkdir(join(root, 'home/user'), { recursive: true });
    await writeFile(join(root, 'home/user/a.txt'), 'inside');
    await symlink('/etc/hostname', join(root, 'home/user/out.txt'));
  });
  afterAll(() => rm(root, { recursive: true, force: true }));

  it('is read under the paths of the sandbox, and links out of it are not there', async () => {
    const reader = folderReader(root);
    expect((await judge({ see: see('file', 'a.txt', { of: 'text' }), expect: { equals: 'inside' } }, reader)).ok).toBe(
      true,
    );
    expect(await reader.readFile(home('out.txt'))).toBeNull();
    expect(await reader.readFile('/home/user/../../../../etc/hostname')).toBeNull();
    expect(await reader.listFiles('/home/user')).toEqual(['a.txt', 'out.txt']);
    expect(await reader.listFiles('/nowhere')).toBeNull();
  });
});
