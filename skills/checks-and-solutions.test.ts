import { existsSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { BatchOffice } from '../scripts/lib/batch-office.ts';
import { taskGenerator } from '../scripts/lib/generate-task.ts';
import { ListeningOffices } from '../scripts/lib/listening-offices.ts';
import { contentProblems } from '../scripts/lib/prove-task.ts';
import { solutionProblems } from '../scripts/lib/run-solution.ts';

const soffice = ['/usr/bin/soffice', '/usr/local/bin/soffice'].find((path) => existsSync(path));
const hasPython =
  existsSync('/usr/lib/python3/dist-packages/openpyxl') && existsSync('/usr/lib/python3/dist-packages/docx');

describe.skipIf(soffice === undefined || !hasPython)(
  'checks and solutions (where LibreOffice and Debian’s Python packages are)',
  () => {
    const office = new BatchOffice(soffice ?? 'soffice');
    const listening = new ListeningOffices(soffice);
    afterAll(() => listening.stop());

    it.each([
      'calc-monthly-summary',
      'calc-conditional-formatting',
      'calc-cross-sheet-lookup',
      'calc-pdf-reconcile',
      'writer-policy-restyle',
    ])(
      '%s: each fails before, holds after, and alone tells its own fault',
      async (skill) => {
        const generate = taskGenerator(skill);
        const task = await generate(7);
        expect(await contentProblems(task, office)).toEqual([]);
        expect(await solutionProblems(task, office, listening)).toEqual([]);
        expect((task.hidden.checks ?? []).length).toBeGreaterThanOrEqual(2);
      },
      180_000,
    );
  },
);
