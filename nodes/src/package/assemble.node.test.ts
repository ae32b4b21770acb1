import { rehearsalModels } from '@cua-forge/models/rehearsal';
import type { Verdict } from '@cua-forge/spec/kind';
import { HiddenAnswers, Rubric, SetupScript, TaskPackage, TaskSpecification } from '@cua-forge/spec/task';
import { FileValue } from '@cua-forge/spec/value';
import { testContext } from '@cua-forge/testing/execute-context';
import { describe, expect, it } from 'vitest';
import { assemble } from './assemble.node.ts';

const { inputs: example } = assemble.example;
const inputs = {
  spec: TaskSpecification.parse(example.spec),
  instruction: String(example.instruction),
  rubric: Rubric.parse(example.rubric),
  script: SetupScript.parse(example.script),
  files: [FileValue.parse(Array.isArray(example.files) ? example.files[0] : null)],
  hidden: HiddenAnswers.parse(example.hidden),
  verdicts: [] as Verdict[],
};
const verdict = (gate: string, check: string, detail = 'seen', verdictWord: Verdict['verdict'] = 'pass'): Verdict => ({
  gate,
  verdict: verdictWord,
  evidence: [{ check, ok: verdictWord === 'pass', detail }],
});
const context = testContext({ models: rehearsalModels(), runSeed: 7, runId: 'run-1' });
const run = async (change: Partial<typeof inputs> = {}, where = context) =>
  TaskPackage.parse(
    (await assemble.execute({ params: {}, inputs: { ...inputs, ...change }, extra: {}, context: where })).package,
  );
const textOf = async (made: TaskPackage, path: string) => {
  const part = made.files.find((one) => one.path === path);
  return part === undefined ? null : new TextDecoder().decode(await context.files.read(part.file));
};

describe('package.assemble', () => {
  it('lays out the folder', async () => {
    const made = await run();
    expect(made.files.map(({ path, executable }) => [path, executable])).toEqual([
      ['task.json', false],
      ['instruction.md', false],
      ['rubric.json', false],
      ['setup/setup.sh', true],
      ['setup/setup.json', false],
      ['hidden/expected.json', false],
      ['files/orders.xlsx', false],
    ]);
    expect(await textOf(made, 'instruction.md')).toBe(`${inputs.instruction}\n`);
    expect(JSON.parse((await textOf(made, 'task.json')) ?? '')).toEqual(made.manifest);
    expect(made.manifest).toMatchObject({
      seed: 7,
      run: 'run-1',
      models: ['rehearsal'],
      skills: ['calc-monthly-summary'],
    });
    expect(made.manifest.files).toEqual([
      expect.objectContaining({
        path: 'files/orders.xlsx',
        sandboxPath: '/home/user/Documents/orders.xlsx',
        preparer: 'preparer.xlsx',
      }),
    ]);
  });

  it('keeps the answers in hidden/ alone', async () => {
    const made = await run();
    for (const { path } of made.files.filter((part) => !part.path.startsWith('files/'))) {
      expect((await textOf(made, path))?.includes('1234.5'), path).toBe(path === 'hidden/expected.json');
    }
    const { hidden: _hidden, ...rest } = inputs;
    const without = await assemble.execute({ params: {}, inputs: rest, extra: {}, context });
    expect(JSON.stringify(without)).not.toContain('expected.json');
  });

  it('lays the reference solution into hidden/solution, and refuses one that is not whole', async () => {
    const how = {
      how: 'script' as const,
      language: 'python' as const,
      entry: 'solve.py',
      args: [],
      timeoutSeconds: 60,
    };
    const solution = { schema: 1 as const, through: 'openpyxl', run: how, mutants: [] };
    const hidden = { ...inputs.hidden, solution: { solution, files: [{ path: 'solve.py', text: 'pass\n' }] } };
    const made = await run({ hidden });
    expect(JSON.parse((await textOf(made, 'hidden/solution/solution.json')) ?? '')).toEqual(solution);
    expect(await textOf(made, 'hidden/solution/solve.py')).toBe('pass\n');
    expect(await textOf(made, 'hidden/expected.json')).not.toContain('openpyxl');
    const other = { ...hidden.solution, files: [{ path: 'else.py', text: '' }] };
    await expect(run({ hidden: { ...hidden, solution: other } })).rejects.toMatchObject({
      message: expect.stringContaining('solve.py'),
    });
  });

  it('has an id that repeats for the same content and differs for another', async () => {
    const { id } = (await run()).manifest;
    expect(id).toMatch(/^calc-monthly-summary-7-[0-9a-f]{12}$/);
    expect((await run({}, testContext({ models: rehearsalModels(), runSeed: 7, runId: 'run-2' }))).manifest.id).toBe(
      id,
    );
    expect((await run({ instruction: 'Other words for the same thing.' })).manifest.id).not.toBe(id);
  });

  it('says honestly what was proven and what was not', async () => {
    const { manifest } = await run({
      verdicts: [
        verdict('gate.matches-spec', 'cells'),
        verdict('gate.opens', 'orders.xlsx opens in LibreOffice', 'not opened: LibreOffice is not installed here'),
        verdict('gate.package', 'the rubric covers every must requirement'),
      ],
    });
    const status = Object.fromEntries(manifest.proofs.map(({ claim, status }) => [claim, status]));
    expect(status).toMatchObject({
      'Every prepared file holds what the specification says.': 'proven',
      'Every prepared file opens in its application.': 'not-proven',
      'The rubric covers every must requirement.': 'proven',
      'The instruction gives no hidden answer away.': 'not-proven',
      'The setup runs in a clean sandbox.': 'not-proven',
      'The must criteria pass after a reference solution.': 'not-proven',
    });
    expect(manifest.gates.map(({ gate }) => gate)).toEqual(['gate.matches-spec', 'gate.opens', 'gate.package']);
  });

  it('refuses what a gate did not pass, and parts that do not belong together', async () => {
    await expect(run({ verdicts: [verdict('gate.opens', 'opens', 'broken', 'reject')] })).rejects.toMatchObject({
      code: 'gate.rejected',
    });
    await expect(run({ script: { script: 'true', operations: [] } })).rejects.toMatchObject({
      message: expect.stringContaining('does not place'),
    });
    await expect(run({ files: [] })).rejects.toMatchObject({ message: expect.stringContaining('did not come in') });
    const [operation] = inputs.script.operations;
    const stray = operation?.op === 'place-file' ? [operation, { ...operation, path: '/home/user/else.xlsx' }] : [];
    await expect(run({ script: { script: 'true', operations: stray } })).rejects.toMatchObject({
      message: expect.stringContaining('else.xlsx'),
    });
  });
});
