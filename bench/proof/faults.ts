import { renderSetupScript } from '@cua-forge/desktop/setup-script';
import type { TaskDraft } from '@cua-forge/proof/testing/sample-task';
import type { Check } from '@cua-forge/spec/check';
import {
  changeChecks,
  finishedFile,
  gitObject,
  mainInput,
  placeFile,
  replaceFile,
  tellingAnswer,
  withMember,
  withWorkbook,
  zipOf,
} from './plant.ts';

/** A kind of broken package. `plant` breaks a good one in place; false when it cannot be broken so. */
export interface Fault {
  kind: string;
  plant(draft: TaskDraft): Promise<boolean> | boolean;
}

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
const folderOf = (path: string): string => path.slice(0, path.lastIndexOf('/'));
const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

const setupFaults: Fault[] = [
  {
    kind: 'the setup misses a file',
    plant: (draft) => {
      draft.operations = draft.operations.filter(({ op }) => op !== 'place-file');
      return true;
    },
  },
  {
    kind: 'the script alone misses a file',
    plant: (draft) => {
      draft.script = renderSetupScript(draft.operations.filter(({ op }) => op !== 'place-file'));
      return true;
    },
  },
  {
    kind: 'the setup places another file',
    plant: (draft) => {
      const path = mainInput(draft);
      const before = draft.files.get(path) ?? encode('');
      replaceFile(draft, path, encode('Not what it was.'));
      draft.files.set(path, before);
      return true;
    },
  },
  {
    kind: 'the setup fails when it runs again',
    plant: (draft) => {
      draft.operations.push({ op: 'run', command: ['mkdir', '/home/user/once'], why: 'A folder' });
      return true;
    },
  },
  {
    kind: 'the setup adds to a file each time',
    plant: (draft) => {
      const command = ['bash', '-c', 'echo started >> /home/user/started.log'];
      draft.operations.push({ op: 'run', command, why: 'A log' });
      return true;
    },
  },
  {
    kind: 'the file cannot be written',
    plant: (draft) => {
      draft.operations = draft.operations.map((one) => (one.op === 'place-file' ? { ...one, mode: '0444' } : one));
      return true;
    },
  },
  {
    kind: 'the folder cannot be written',
    plant: (draft) => {
      const command = ['chmod', '0555', folderOf(mainInput(draft))];
      draft.operations.push({ op: 'run', command, why: 'Rights' });
      return true;
    },
  },
  {
    kind: 'the application never shows its window',
    plant: (draft) => {
      draft.operations.push({
        op: 'wait-window',
        window: { by: 'title', text: 'A window that nobody opens' },
        timeoutSeconds: 2,
      });
      return true;
    },
  },
  {
    kind: 'the application opens what is not there',
    plant: (draft) => {
      draft.operations.push({ op: 'open', application: 'libreoffice-calc', path: '/home/user/Documents/gone.xlsx' });
      return true;
    },
  },
  {
    kind: 'the setup works this year alone',
    plant: (draft) => {
      const year = new Date().getUTCFullYear();
      draft.operations.push({ op: 'run', command: ['bash', '-c', `test "$(date +%Y)" -le ${year}`], why: 'A date' });
      return true;
    },
  },
];

const contentFaults: Fault[] = [
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

const first = (draft: TaskDraft): string => draft.checks[0]?.id ?? '';

const checkFaults: Fault[] = [
  {
    kind: 'a check looks at another sheet',
    plant: (draft) =>
      changeChecks(draft, (leaf) => ('sheet' in leaf.see ? { ...leaf, see: { ...leaf.see, sheet: 'Sheet9' } } : leaf)),
  },
  {
    kind: 'a check looks at a file that is never made',
    plant: (draft) => {
      const id = first(draft);
      return changeChecks(draft, (leaf, own) =>
        own === id && 'path' in leaf.see ? { ...leaf, see: { ...leaf.see, path: `${leaf.see.path}.bak` } } : leaf,
      );
    },
  },
  {
    kind: 'no solution can pass',
    plant: (draft) => {
      let done = false;
      return changeChecks(draft, (leaf) => {
        if (done || !('equals' in leaf.expect)) return leaf;
        done = true;
        const { equals } = leaf.expect;
        return {
          ...leaf,
          expect: { ...leaf.expect, equals: typeof equals === 'number' ? equals + 1_234.5 : `${equals} zzz` },
        };
      });
    },
  },
  {
    kind: 'a check holds before anything is done',
    plant: (draft) => {
      const check: Check = { see: { look: 'file', path: mainInput(draft), of: 'size' }, expect: { atLeast: 10 } };
      draft.checks = draft.checks.map((one, index) => (index === 0 ? { ...one, check } : one));
      return true;
    },
  },
  {
    kind: 'a check cannot fail',
    plant: (draft) => {
      const see = { look: 'file', path: mainInput(draft), of: 'exists' } as const;
      const check: Check = {
        any: [
          { see, expect: { equals: true, text: 'spaces' } },
          { see, expect: { equals: false, text: 'spaces' } },
        ],
      };
      draft.checks = draft.checks.map((one, index) => (index === 0 ? { ...one, check } : one));
      return true;
    },
  },
  {
    kind: 'a check only asks whether something has changed',
    plant: (draft) => {
      const path = mainInput(draft);
      const bytes = Buffer.from(draft.files.get(path) ?? []).toString('base64');
      const check: Check = {
        all: [
          { see: { look: 'file', path, of: 'size' }, expect: { atLeast: 1 } },
          { not: { see: { look: 'file', path, of: 'bytes' }, expect: { equals: bytes, text: 'exact' } } },
        ],
      };
      draft.checks = draft.checks.map((one) => ({ ...one, check }));
      return true;
    },
  },
  {
    kind: 'a must criterion has no check',
    plant: (draft) => {
      draft.rubric.criteria.push({
        id: 'looks-good',
        text: 'The result looks good',
        weight: 0.1,
        must: true,
        judge: 'model',
        evidence: 'the file',
      });
      return true;
    },
  },
  {
    kind: 'a check takes any number',
    plant: (draft) =>
      changeChecks(draft, (leaf) =>
        'equals' in leaf.expect && typeof leaf.expect.equals === 'number' && leaf.expect.equals !== 0
          ? { ...leaf, expect: { ...leaf.expect, tolerance: Math.abs(leaf.expect.equals) * 0.9 } }
          : leaf,
      ),
  },
  {
    kind: 'a check looks at half of the work',
    plant: (draft) => {
      let count = 0;
      return changeChecks(draft, (leaf) => {
        if (!('equals' in leaf.expect || 'day' in leaf.expect) || leaf.see.look !== 'cell') return leaf;
        count += 1;
        return count % 2 === 0 ? null : leaf;
      });
    },
  },
  {
    kind: 'a check wants one literal formula',
    plant: (draft) => {
      const cell = formulaOf(draft);
      if (cell === null) return false;
      const [head, ...tail] = draft.checks;
      if (head === undefined) return false;
      const leaf: Check = {
        see: { look: 'cell', path: cell.path, sheet: cell.sheet, cell: cell.address, of: 'formula' },
        expect: { equals: cell.formula, text: 'loose' },
      };
      draft.checks = [{ ...head, check: { all: [head.check, leaf] } }, ...tail];
      return true;
    },
  },
  {
    kind: 'typed values pass where formulas are asked for',
    plant: (draft) => {
      const asks = draft.rubric.criteria.some(({ must, text }) => must && /\bformulas?\b/i.test(text));
      const changed = changeChecks(draft, (leaf) =>
        leaf.see.look === 'cell' && leaf.see.of === 'formula' ? null : leaf,
      );
      return asks && changed;
    },
  },
  {
    kind: 'a check compares with today',
    plant: (draft) => {
      const [head, ...tail] = draft.checks;
      if (head === undefined) return false;
      const year = String(new Date().getUTCFullYear());
      const leaf: Check = {
        see: { look: 'command', command: ['bash', '-c', 'date +%Y'], of: 'output' },
        expect: { contains: year, text: 'spaces' },
      };
      draft.checks = [{ ...head, check: { all: [head.check, leaf] } }, ...tail];
      return true;
    },
  },
  {
    kind: 'a check reads a stale value',
    plant: async (draft) => {
      const path = mainInput(draft);
      let sheet = '';
      const changed = await withWorkbook(draft.files.get(path) ?? encode(''), (book) => {
        const target = book.worksheets[0];
        sheet = target?.name ?? '';
        if (target !== undefined) target.getCell('AZ99').value = { formula: '20+21', result: 57 };
      });
      const [head, ...tail] = draft.checks;
      if (changed === null || head === undefined) return false;
      replaceFile(draft, path, changed);
      const leaf: Check = {
        see: { look: 'cell', path, sheet, cell: 'AZ99', of: 'value' },
        expect: { equals: 57, text: 'spaces' },
      };
      draft.checks = [{ ...head, check: { all: [head.check, leaf] } }, ...tail];
      return true;
    },
  },
  {
    kind: 'two checks contradict each other',
    plant: (draft) => {
      const [head] = draft.checks;
      const mutant = draft.solution?.solution.mutants[0];
      if (head === undefined || mutant === undefined) return false;
      draft.checks.push({ id: 'not-so', check: { not: head.check } });
      draft.rubric.criteria.push({
        id: 'not-so',
        text: 'It is the other way round',
        weight: 0.1,
        must: true,
        judge: 'check',
        check: 'not-so',
        evidence: 'the file',
      });
      draft.solution?.solution.mutants.push({ ...mutant, criterion: 'not-so' });
      return true;
    },
  },
  {
    kind: 'the checks want the very bytes of one file',
    plant: async (draft) => {
      const finished = await finishedFile(draft);
      if (finished === null) return false;
      const check: Check = {
        see: { look: 'file', path: finished.path, of: 'bytes' },
        expect: { equals: Buffer.from(finished.bytes).toString('base64'), text: 'exact' },
      };
      draft.checks = draft.checks.map((one, index) => (index === 0 ? { ...one, check } : one));
      return true;
    },
  },
  {
    kind: 'checks look at a copy, not at the file that is asked about',
    plant: (draft) => {
      const path = mainInput(draft);
      const copy = path.replace(/(\.\w+)$/, '-old$1');
      placeFile(draft, copy, draft.files.get(path) ?? encode(''));
      const swap = (text: string) => text.replaceAll(path, copy).replaceAll(nameOf(path), nameOf(copy));
      if (draft.solution !== null)
        draft.solution.files = new Map([...draft.solution.files].map(([name, text]) => [name, swap(text)]));
      return changeChecks(draft, (leaf) =>
        'path' in leaf.see && leaf.see.path === path ? { ...leaf, see: { ...leaf.see, path: copy } } : leaf,
      );
    },
  },
];

const solutionFaults: Fault[] = [
  {
    kind: 'the solution does not run',
    plant: (draft) => {
      const entry = draft.solution?.solution.run.entry ?? '';
      draft.solution?.files.set(entry, 'import nothing_of_that_name\n');
      return draft.solution !== null;
    },
  },
  {
    kind: 'a mutant is the solution itself',
    plant: (draft) => {
      const solution = draft.solution?.solution;
      const mutant = solution?.mutants[0];
      if (solution === undefined || mutant === undefined) return false;
      mutant.run = solution.run;
      mutant.after = 'setup';
      return true;
    },
  },
  {
    kind: 'a must criterion has no mutant',
    plant: (draft) => draft.solution?.solution.mutants.pop() !== undefined,
  },
];

/** A formula of the finished workbook that is not in the prepared one. */
function formulaOf(draft: TaskDraft): { path: string; sheet: string; address: string; formula: string } | null {
  for (const { check } of draft.checks) {
    let found: { path: string; sheet: string; address: string; formula: string } | null = null;
    const visit = (one: Check): void => {
      if ('see' in one) {
        const { see } = one;
        if (see.look === 'cell' && see.of === 'formula' && typeof see.sheet === 'string')
          found ??= {
            path: see.path,
            sheet: see.sheet,
            address: see.cell,
            formula: expectedFormula(draft, see.path, see.sheet, see.cell),
          };
      } else if ('not' in one) visit(one.not);
      else for (const part of 'all' in one ? one.all : one.any) visit(part);
    };
    visit(check);
    if (found !== null) return found;
  }
  return null;
}

function expectedFormula(draft: TaskDraft, path: string, sheet: string, address: string): string {
  const file = draft.hidden.expected.find((one) => one.path === path);
  if (file?.type !== 'xlsx') return 'SUM(B2:B4)';
  const target = file.content.sheets.find(({ name }) => name === sheet);
  const cells = [
    ...Object.entries(target?.notes ?? {})
      .filter(([at]) => at === address)
      .map(([, cell]) => cell),
    ...(target?.rows.flat() ?? []),
  ];
  const formula = cells.find((cell) => typeof cell === 'object' && cell !== null);
  return typeof formula === 'object' && formula !== null ? formula.formula : '0';
}

/** Kinds of broken packages. */
export const faults: readonly Fault[] = [...setupFaults, ...contentFaults, ...checkFaults, ...solutionFaults];
