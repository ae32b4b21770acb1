import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writePdf } from '@cua-forge/preparers/write-pdf';
import { PageDocument } from '@cua-forge/spec/page-document';
import ExcelJS from 'exceljs';
import { finishedFile, mainInput, placeFile, replaceFile, tellingAnswer, withMember, withWorkbook } from '../plant.ts';
import { encode, type Fault, nameOf } from './fault.ts';

/** A file, with a telling answer in it, at a place where nobody works. */
const aside = (kind: string, path: string, text: (answer: string) => string): Fault => ({
  kind,
  plant: (draft) => {
    const answer = tellingAnswer(draft);
    if (answer === null) return false;
    placeFile(draft, path, encode(text(answer)));
    return true;
  },
});

/** Faults in what people read: the texts of the task, and the files that they find beside it. */
export const readingFaults: readonly Fault[] = [
  {
    kind: 'the instruction names a sheet that is not there',
    plant: (draft) => {
      draft.instruction += ' The rates are on the sheet “Rates 2019”.';
      return mainInput(draft).endsWith('.xlsx');
    },
  },
  {
    kind: 'the instruction names the file with another ending',
    plant: (draft) => {
      const name = nameOf(mainInput(draft));
      const [before, other] = [draft.instruction, name.replace(/\.\w+$/, '.ods')];
      draft.instruction = before.replaceAll(name, other);
      return draft.instruction !== before;
    },
  },
  {
    kind: 'the instruction has a place that was not filled',
    plant: (draft) => {
      draft.instruction = draft.instruction.replace(nameOf(mainInput(draft)), '{{ file.name }}');
      return draft.instruction.includes('{{');
    },
  },
  {
    kind: 'the instruction does not name the sheet that is to be made',
    plant: (draft) => {
      const given = draft.hidden.expected.flatMap((file) => (file.type === 'xlsx' ? file.content.sheets : []));
      const added = given.map(({ name }) => name).filter((name) => draft.instruction.includes(`named ${name}`));
      const [name] = added;
      if (name === undefined) return false;
      draft.instruction = draft.instruction.replaceAll(name, 'a fitting name');
      return true;
    },
  },
  {
    kind: 'the instruction breaks off',
    plant: (draft) => {
      const at = draft.instruction.lastIndexOf(' the ');
      draft.instruction = draft.instruction.slice(0, at + 4);
      return at > 0;
    },
  },
  {
    kind: 'the instruction names another cell than the checks',
    plant: (draft) => {
      const before = draft.instruction;
      draft.instruction = before.replace(/\b(cell|into) [A-Z]{1,2}[1-9]\d*\b/, '$1 AK77');
      return draft.instruction !== before;
    },
  },
  {
    kind: 'the title tells an answer',
    plant: (draft) => {
      const answer = tellingAnswer(draft);
      draft.manifest.title += ` (${answer})`;
      return answer !== null;
    },
  },
  {
    kind: 'the answer stands in the instruction, rounded',
    plant: (draft) => {
      const answer = Number(tellingAnswer(draft) ?? Number.NaN);
      draft.instruction += ` It must be roughly ${Math.round(answer).toLocaleString('en-US')}.`;
      return Number.isFinite(answer);
    },
  },
  {
    kind: 'two files have the name',
    plant: (draft) => {
      const path = mainInput(draft);
      placeFile(draft, `/home/user/Desktop/${nameOf(path)}`, draft.files.get(path) ?? encode(''));
      draft.instruction = draft.instruction.replaceAll('Documents', 'folder');
      return true;
    },
  },
  {
    kind: 'two files are equal and neither is named',
    plant: (draft) => {
      const path = mainInput(draft);
      placeFile(draft, path.replace(/(\.\w+)$/, ' (2)$1'), draft.files.get(path) ?? encode(''));
      draft.instruction = draft.instruction.replaceAll(nameOf(path), 'the file');
      return true;
    },
  },
  {
    kind: 'the finished file lies in the trash',
    plant: async (draft) => {
      const finished = await finishedFile(draft);
      if (finished === null) return false;
      placeFile(draft, `/home/user/.local/share/Trash/files/old-${nameOf(finished.path)}`, finished.bytes);
      return true;
    },
  },
  {
    kind: 'the finished file lies in a folder of programs',
    plant: async (draft) => {
      const finished = await finishedFile(draft);
      if (finished === null) return false;
      placeFile(draft, `/home/user/.cache/thumbnails/0a1b-${nameOf(finished.path)}`, finished.bytes);
      return true;
    },
  },
  {
    kind: 'the finished file lies below /tmp',
    plant: async (draft) => {
      const finished = await finishedFile(draft);
      if (finished === null) return false;
      placeFile(draft, `/tmp/work/${nameOf(finished.path)}`, finished.bytes);
      return true;
    },
  },
  {
    kind: 'the finished file lies in a packed archive',
    plant: async (draft) => {
      const finished = await finishedFile(draft);
      if (finished === null) return false;
      const folder = mkdtempSync(join(tmpdir(), 'forge-fault-'));
      try {
        writeFileSync(join(folder, nameOf(finished.path)), finished.bytes);
        execFileSync('tar', ['-cJf', 'old.tar.xz', nameOf(finished.path)], { cwd: folder });
        placeFile(draft, '/home/user/Downloads/old.tar.xz', new Uint8Array(readFileSync(join(folder, 'old.tar.xz'))));
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
      return true;
    },
  },
  aside(
    'an answer is in the list of recent files',
    '/home/user/.local/share/recently-used.xbel',
    (answer) =>
      `<?xml version="1.0"?>\n<xbel><bookmark href="file:///home/user/x"><title>${answer}</title></bookmark></xbel>\n`,
  ),
  aside(
    'an answer is in the settings of an application',
    '/home/user/.config/gtk-3.0/bookmarks',
    (answer) => `file:///home/user/Documents result ${answer}\n`,
  ),
  aside('an answer is in the history of the shell', '/home/user/.bash_history', (answer) => `ls\necho ${answer}\n`),
  {
    kind: 'answers lie in a PDF',
    plant: async (draft) => {
      const answer = tellingAnswer(draft);
      if (answer === null) return false;
      const content = PageDocument.parse({
        title: 'Report',
        paper: 'A4',
        margin: 60,
        font: 'sans',
        accent: '204060',
        blocks: [{ type: 'text', text: `The figure of last time was ${answer}.` }],
      });
      placeFile(draft, '/home/user/Downloads/report.pdf', await writePdf(content));
      return true;
    },
  },
  {
    kind: 'answers lie in another workbook',
    plant: async (draft) => {
      const answer = tellingAnswer(draft);
      if (answer === null) return false;
      const book = new ExcelJS.Workbook();
      const value = Number(answer);
      book.addWorksheet('Sheet1').addRow(['Result', Number.isNaN(value) ? answer : value]);
      placeFile(draft, '/home/user/Downloads/check.xlsx', new Uint8Array(await book.xlsx.writeBuffer()));
      return true;
    },
  },
  {
    kind: 'an answer is in a hidden column',
    plant: async (draft) => {
      const path = mainInput(draft);
      const answer = tellingAnswer(draft);
      const changed = await withWorkbook(draft.files.get(path) ?? encode(''), (book) => {
        const [sheet] = book.worksheets;
        if (sheet === undefined) return;
        const value = Number(answer);
        sheet.getCell('AF5').value = Number.isNaN(value) ? answer : value;
        sheet.getColumn('AF').hidden = true;
      });
      if (changed === null || answer === null) return false;
      replaceFile(draft, path, changed);
      return true;
    },
  },
  {
    kind: 'the file is protected',
    plant: (draft) => {
      const path = mainInput(draft);
      const bytes = draft.files.get(path);
      if (bytes === undefined) return false;
      const changed = path.endsWith('.docx')
        ? withMember(bytes, 'word/settings.xml', (text) =>
            text.replace(/(<w:settings\b[^>]*>)/, '$1<w:documentProtection w:edit="readOnly" w:enforcement="1"/>'),
          )
        : withMember(bytes, 'xl/worksheets/sheet1.xml', (text) =>
            text.replace('</sheetData>', '</sheetData><sheetProtection sheet="1" objects="1" scenarios="1"/>'),
          );
      if (changed === null) return false;
      replaceFile(draft, path, changed);
      return true;
    },
  },
  {
    kind: 'a hidden file is among those that people get',
    plant: (draft) => {
      const entry = draft.solution?.solution.run.entry ?? '';
      const text = draft.solution?.files.get(entry);
      if (text === undefined) return false;
      draft.others.set('notes/how-to.txt', encode(text));
      return true;
    },
  },
];
