import { CheckFile } from '@cua-forge/spec/check';
import { compileChecks } from '@cua-forge/spec/check-compile';
import { ForgeError } from '@cua-forge/spec/errors';
import {
  defineKind,
  type ExecuteContext,
  input,
  manyInput,
  optionalInput,
  output,
  policies,
  Verdict,
} from '@cua-forge/spec/kind';
import { HiddenAnswers, Rubric, SetupScript, TaskPackage, TaskSpecification } from '@cua-forge/spec/task';
import { FileValue } from '@cua-forge/spec/value';
import { z } from 'zod';
import { exampleAnswers, exampleSpecification } from '../spec/example-specification.ts';
import { exampleFile, exampleScript } from './example-parts.ts';
import { manifestOf, placedFiles } from './manifest.ts';

type Part = TaskPackage['files'][number];

export const assemble = defineKind({
  id: 'package.assemble',
  version: 2,
  title: 'Assemble the task package',
  doc: 'Puts instruction, setup, files, rubric and hidden answers together as a task package with its proofs.',
  params: z.strictObject({}),
  inputs: {
    spec: input('spec', TaskSpecification, 'The shared specification.'),
    instruction: input('text', z.string().min(1), 'The message of the user.'),
    rubric: input('rubric', Rubric, 'The criteria.'),
    script: input('script', SetupScript, 'The setup.'),
    files: manyInput('file', FileValue, 'The prepared files, as their gates let them through.', true),
    hidden: optionalInput('hidden', HiddenAnswers, 'The answers; they go to hidden/ and nowhere else.'),
    verdicts: manyInput('json', Verdict, 'Verdicts of the gates: the evidence of the package.'),
  },
  outputs: { package: output('package', TaskPackage, 'The manifest and every file of the folder.') },
  // It names its run and its models, which are no part of a memo key.
  policy: { ...policies.pure, cacheable: false },
  example: {
    params: {},
    inputs: {
      spec: exampleSpecification,
      instruction: 'Please give orders.xlsx a sheet Overview with the sum of Amount for each month.',
      rubric: {
        criteria: [
          {
            id: 'totals',
            text: 'The totals are there',
            weight: 1,
            must: true,
            judge: 'model',
            evidence: 'orders.xlsx',
          },
        ],
      },
      script: exampleScript,
      files: [exampleFile],
      hidden: exampleAnswers,
      verdicts: [
        {
          verdict: 'pass',
          gate: 'gate.script',
          evidence: [{ check: 'the script parses', ok: true, detail: 'it does' }],
        },
      ],
    },
  },
  migrations: { 1: (params) => params },
  async execute({ inputs, context }) {
    const { spec, instruction, rubric, script, files, hidden, verdicts } = inputs;
    const refused = verdicts.find(({ verdict }) => verdict !== 'pass');
    if (refused !== undefined) {
      throw new ForgeError('gate.rejected', `${refused.gate ?? 'A gate'} did not pass this package.`, {
        fix: 'Assemble only what all gates let through.',
      });
    }
    const unknown = rubric.criteria.find(
      ({ check }) => check !== undefined && !hidden?.checks?.some(({ id }) => id === check),
    );
    if (unknown !== undefined)
      throw new ForgeError(
        'input.invalid',
        `The criterion ${unknown.id} names the check ${unknown.check}, which is not among the hidden checks.`,
        {
          fix: 'Connect the rubric and the hidden answers of the same spec.checks node.',
        },
      );
    if (hidden?.checks !== undefined) compileChecks(CheckFile.parse({ schema: 1, checks: hidden.checks }));
    const placed = placedFiles(spec, script);
    const unchecked = placed.find(({ hash }) => !files.some((file) => file.hash === hash));
    if (unchecked !== undefined) {
      throw new ForgeError(
        'input.invalid',
        `The setup places ${unchecked.sandboxPath}, but that file did not come in through files.`,
        {
          fix: 'Connect the file that the gates let through, to the setup and to this node.',
        },
      );
    }
    const parts: Part[] = [
      await written(context, 'instruction.md', 'text/markdown', `${instruction.trim()}\n`),
      await written(context, 'rubric.json', 'application/json', pretty(rubric)),
      await written(context, 'setup/setup.sh', 'application/x-sh', script.script, true),
      await written(context, 'setup/setup.json', 'application/json', pretty({ operations: script.operations })),
      ...(hidden === undefined
        ? []
        : [await written(context, 'hidden/expected.json', 'application/json', pretty(answersOf(hidden)))]),
      ...(hidden?.checks === undefined
        ? []
        : [
            await written(
              context,
              'hidden/checks.json',
              'application/json',
              pretty({ schema: 1, checks: hidden.checks }),
            ),
          ]),
      ...(await solutionParts(context, hidden)),
      ...uniqueFiles(placed),
    ];
    const manifest = manifestOf(spec, context, parts, placed, verdicts);
    const task = await written(context, 'task.json', 'application/json', pretty(manifest));
    return { package: { manifest, files: [task, ...parts] } };
  },
});

/** Checks and solution lie in files of their own; variants are in the mutants of the solution. */
const answersOf = ({
  checks: _checks,
  solution: _solution,
  variants: _variants,
  ...answers
}: HiddenAnswers): HiddenAnswers => answers;

/** `hidden/solution`. @throws ForgeError `input.invalid` when the solution names a file that is not among its own */
async function solutionParts(context: ExecuteContext, hidden: HiddenAnswers | undefined): Promise<Part[]> {
  if (hidden?.solution === undefined) return [];
  const { solution, files } = hidden.solution;
  const entries = [solution.run, ...solution.mutants.map(({ run }) => run)].map(({ entry }) => entry);
  const missing = entries.find((entry) => !files.some(({ path }) => path === entry));
  if (missing !== undefined)
    throw new ForgeError('input.invalid', `The solution runs ${missing}, which is not among its files.`, {
      fix: 'Give every file that solution and mutants run.',
    });
  const all = [{ path: 'solution.json', text: pretty(solution) }, ...files];
  return Promise.all(
    all.map(({ path, text }) =>
      written(context, `hidden/solution/${path}`, path.endsWith('.json') ? 'application/json' : 'text/plain', text),
    ),
  );
}

const pretty = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;

async function written(
  context: ExecuteContext,
  path: string,
  mediaType: string,
  text: string,
  executable = false,
): Promise<Part> {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return { path, file: await context.files.write(name, mediaType, new TextEncoder().encode(text)), executable };
}

/** A file that is placed twice lies in the package once. */
function uniqueFiles(placed: TaskPackage['manifest']['files']): Part[] {
  const byPath = new Map(
    placed.map(({ path, mediaType, hash, size }) => [
      path,
      { name: path.slice('files/'.length), mediaType, hash, size },
    ]),
  );
  return [...byPath].map(([path, file]) => ({ path, file, executable: false }));
}
