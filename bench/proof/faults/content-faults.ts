import {
  finishedFile,
  gitObject,
  mainInput,
  placeFile,
  replaceFile,
  tellingAnswer,
  withMember,
  withWorkbook,
  zipOf,
} from '../plant.ts';
import { encode, type Fault, nameOf } from './fault.ts';

export const contentFaults: readonly Fault[] = [
  {
    kind: 'the work is done already',
    plant: async (draft) => {
      const finished = await finishedFile(draft);
      if (finished === null || !draft.files.has(finished.path)) return false;
      replaceFile(draft, finished.path, finished.bytes);
      return true;
    },
  },
  {
    kind: 'the instruction tells an answer',
    plant: (draft) => {
      const answer = tellingAnswer(draft);
      draft.instruction += ` By the way, it should come to ${answer}.`;
      return answer !== null;
    },
  },
  {
    kind: 'the instruction names a file that is not there',
    plant: (draft) => {
      draft.instruction += ' Take the prices from price-list-2019.xlsx.';
      return true;
    },
  },
  {
    kind: 'the solution lies in the sandbox',
    plant: (draft) => {
      const entry = draft.solution?.solution.run.entry ?? '';
      placeFile(draft, '/home/user/.local/share/notes/work.txt', encode(draft.solution?.files.get(entry) ?? ''));
      return draft.solution !== null;
    },
  },
  {
    kind: 'the finished file lies in the sandbox',
    plant: async (draft) => {
      const finished = await finishedFile(draft);
      if (finished === null) return false;
      placeFile(draft, `/home/user/Downloads/backup-of-${nameOf(finished.path)}`, finished.bytes);
      return true;
    },
  },
  {
    kind: 'the finished file lies in an archive',
    plant: async (draft) => {
      const finished = await finishedFile(draft);
      if (finished === null) return false;
      placeFile(draft, '/home/user/Downloads/archive.zip', zipOf(nameOf(finished.path), finished.bytes));
      return true;
    },
  },
  {
    kind: 'the finished file is in a git history',
    plant: async (draft) => {
      const finished = await finishedFile(draft);
      if (finished === null) return false;
      const object = gitObject(finished.bytes);
      placeFile(draft, `/home/user/Documents/${object.path}`, object.bytes);
      return true;
    },
  },
  {
    kind: 'answers lie in a note',
    plant: (draft) => {
      const answer = tellingAnswer(draft);
      placeFile(draft, '/home/user/Desktop/todo.txt', encode(`call back\n${answer}\n`));
      return answer !== null;
    },
  },
  {
    kind: 'an answer is in the properties of a file',
    plant: (draft) => {
      const path = mainInput(draft);
      const answer = tellingAnswer(draft);
      const changed = withMember(draft.files.get(path) ?? encode(''), 'docProps/core.xml', (text) =>
        text.replace('</cp:coreProperties>', `<cp:keywords>${answer}</cp:keywords></cp:coreProperties>`),
      );
      if (changed === null || answer === null) return false;
      replaceFile(draft, path, changed);
      return true;
    },
  },
  {
    kind: 'an answer is on a hidden sheet',
    plant: async (draft) => {
      const path = mainInput(draft);
      const answer = tellingAnswer(draft);
      const changed = await withWorkbook(draft.files.get(path) ?? encode(''), (book) => {
        const value = Number(answer);
        book.addWorksheet('tmp', { state: 'veryHidden' }).getCell('C3').value = Number.isNaN(value) ? answer : value;
      });
      if (changed === null || answer === null) return false;
      replaceFile(draft, path, changed);
      return true;
    },
  },
  {
    kind: 'an answer is in a comment',
    plant: async (draft) => {
      const path = mainInput(draft);
      const answer = tellingAnswer(draft);
      const changed = await withWorkbook(draft.files.get(path) ?? encode(''), (book) => {
        const [sheet] = book.worksheets;
        if (sheet !== undefined) sheet.getCell('A1').note = `last time: ${answer}`;
      });
      if (changed === null || answer === null) return false;
      replaceFile(draft, path, changed);
      return true;
    },
  },
];
