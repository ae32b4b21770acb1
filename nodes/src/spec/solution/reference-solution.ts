import { ForgeError } from '@cua-forge/spec/errors';
import type { ReferenceSolution, SolutionRun } from '@cua-forge/spec/solution';
import type { HiddenAnswers, RequiredFile, TaskSpecification } from '@cua-forge/spec/task';
import { documentProgram } from './document-program.ts';
import { documentSteps } from './document-steps.ts';
import { officeProgram, openpyxlProgram } from './workbook-program.ts';
import { workbookSteps } from './workbook-steps.ts';

export type Through = 'library' | 'application';

interface FileSteps {
  path: string;
  steps: readonly unknown[];
}

function stepsTo(spec: TaskSpecification, expected: readonly RequiredFile[]): FileSteps[] {
  return expected.flatMap((file): FileSteps[] => {
    const given = spec.files.find(({ id }) => id === file.id);
    if (given?.type === 'xlsx' && file.type === 'xlsx')
      return [{ path: file.path, steps: workbookSteps(given.content, file.content) }];
    if (given?.type === 'docx' && file.type === 'docx')
      return [{ path: file.path, steps: documentSteps(given.content, file.content) }];
    throw new ForgeError(
      'input.invalid',
      `No solution can be made for ${file.path}: it is no workbook and no text document.`,
      {
        fix: 'Leave this node out, and give the package a solution of its own.',
      },
    );
  });
}

/**
 * The program that does the work of a task, and a mutant of it for each variant of the answers. Steps are worked out from the data that the files
 * are made from; in the sandbox they are carried out on the prepared files.
 * @throws ForgeError `input.invalid` for files that are neither workbooks nor text documents, and for conditional formats through the application
 */
export function referenceSolution(spec: TaskSpecification, hidden: HiddenAnswers, through: Through): ReferenceSolution {
  const isDocument = hidden.expected.some(({ type }) => type === 'docx');
  if (through === 'application' && isDocument)
    throw new ForgeError('params.invalid', 'Text documents are worked on by a library alone.', {
      fix: 'Set the param through to library.',
    });
  const entry = 'solve.py';
  const run = (plan: string): SolutionRun => ({
    how: 'script',
    language: through === 'application' ? 'uno' : 'python',
    entry,
    args: [plan],
    timeoutSeconds: 120,
  });
  const plan = (path: string, expected: readonly RequiredFile[]) => {
    const files = stepsTo(spec, expected);
    if (through === 'application') refuseUnknown(files);
    return { path, text: `${JSON.stringify(files, null, 1)}\n` };
  };
  const variants = hidden.variants ?? [];
  return {
    solution: {
      schema: 1,
      through: isDocument ? 'python-docx' : through === 'application' ? 'LibreOffice' : 'openpyxl',
      run: run('steps.json'),
      mutants: variants.map(({ requirement, doc }) => ({
        criterion: requirement,
        doc,
        after: 'setup',
        run: run(`mutants/${requirement}.json`),
      })),
    },
    files: [
      { path: entry, text: isDocument ? documentProgram : through === 'application' ? officeProgram : openpyxlProgram },
      plan('steps.json', hidden.expected),
      ...variants.map(({ requirement, expected }) =>
        plan(
          `mutants/${requirement}.json`,
          hidden.expected.map((file) => expected.find(({ id }) => id === file.id) ?? file),
        ),
      ),
    ],
  };
}

/** What the program that works through the application cannot do. */
function refuseUnknown(files: readonly FileSteps[]): void {
  const text = JSON.stringify(files);
  if (/"do":"set-rules"/.test(text))
    throw new ForgeError(
      'params.invalid',
      'Through the application, values, formulas and colours are put in: this task wants conditional formats.',
      {
        fix: 'Set the param through to library.',
      },
    );
}
