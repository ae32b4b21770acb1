import type { TaskDraft } from '@cua-forge/proof/testing/sample-task';
import type { Check } from '@cua-forge/spec/check';
import { changeChecks, finishedFile, formulaOf, mainInput, placeFile, replaceFile, withWorkbook } from '../plant.ts';
import { encode, type Fault, nameOf } from './fault.ts';

const first = (draft: TaskDraft): string => draft.checks[0]?.id ?? '';

export const checkFaults: readonly Fault[] = [
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
    kind: 'a check wants one function by its name',
    plant: (draft) => {
      const cell = formulaOf(draft);
      const name = /^=?([A-Z]{2,})\(/.exec(cell?.formula ?? '')?.[1];
      const [head, ...tail] = draft.checks;
      if (cell === null || name === undefined || head === undefined) return false;
      const leaf: Check = {
        see: { look: 'cell', path: cell.path, sheet: cell.sheet, cell: cell.address, of: 'formula' },
        expect: { matches: `${name}\\(`, ignoreCase: false },
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
  {
    kind: 'a check only asks whether there is something',
    plant: (draft) =>
      changeChecks(draft, (leaf) =>
        'equals' in leaf.expect && (leaf.see.look === 'cell' || leaf.see.look === 'paragraphs')
          ? { ...leaf, expect: { present: true } }
          : leaf,
      ),
  },
  {
    kind: 'a check allows a few percent',
    plant: (draft) =>
      changeChecks(draft, (leaf) =>
        'equals' in leaf.expect && typeof leaf.expect.equals === 'number' && Math.abs(leaf.expect.equals) > 1
          ? { ...leaf, expect: { ...leaf.expect, relative: 0.05 } }
          : leaf,
      ),
  },
  {
    kind: 'what has to stay is looked at in part',
    plant: (draft) => {
      let count = 0;
      return changeChecks(draft, (leaf) => {
        if (leaf.see.look !== 'range' || !('list' in leaf.expect)) return leaf;
        count += 1;
        return count % 2 === 0 ? null : leaf;
      });
    },
  },
  {
    kind: 'two criteria are the same',
    plant: (draft) => {
      const criterion = draft.rubric.criteria.find(({ must, check }) => must && check !== undefined);
      const own = draft.checks.find(({ id }) => id === criterion?.check);
      const mutant = draft.solution?.solution.mutants.find((one) => one.criterion === criterion?.id);
      if (criterion === undefined || own === undefined || mutant === undefined) return false;
      draft.rubric.criteria.push({
        ...criterion,
        id: 'as-asked',
        text: 'It is as it was asked for',
        check: 'as-asked',
      });
      draft.checks.push({ ...own, id: 'as-asked' });
      draft.solution?.solution.mutants.push({ ...mutant, criterion: 'as-asked' });
      return true;
    },
  },
  {
    kind: 'the checks of two criteria are swapped',
    plant: (draft) => {
      const [one, other] = draft.checks;
      if (one === undefined || other === undefined) return false;
      draft.checks = draft.checks.map((check) =>
        check === one ? { ...check, check: other.check } : check === other ? { ...check, check: one.check } : check,
      );
      return true;
    },
  },
  {
    kind: 'two checks have one name',
    plant: (draft) => {
      const [one] = draft.checks;
      if (one === undefined) return false;
      draft.checks.push({ ...one });
      return true;
    },
  },
  {
    kind: 'checks look in another home folder',
    plant: (draft) =>
      changeChecks(draft, (leaf) =>
        'path' in leaf.see && leaf.see.path.startsWith('/home/user/')
          ? { ...leaf, see: { ...leaf.see, path: leaf.see.path.replace('/home/user/', '/home/ubuntu/') } }
          : leaf,
      ),
  },
  {
    kind: 'a check expects a number as text',
    plant: (draft) =>
      changeChecks(draft, (leaf) =>
        'equals' in leaf.expect && typeof leaf.expect.equals === 'number'
          ? { ...leaf, expect: { equals: String(leaf.expect.equals), text: 'spaces' } }
          : leaf,
      ),
  },
  {
    kind: 'a check is satisfied when the file is gone',
    plant: (draft) => {
      const path = mainInput(draft);
      draft.checks = draft.checks.map(({ id, check }) => ({
        id,
        check: {
          any: [check, { see: { look: 'file', path, of: 'exists' }, expect: { equals: false, text: 'spaces' } }],
        },
      }));
      return true;
    },
  },
];
