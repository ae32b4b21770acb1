import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { OfficePort } from '@cua-forge/spec/kind';
import type { ReferenceSolution, SolutionRun } from '@cua-forge/spec/solution';
import type { GeneratedTask } from './generate-task.ts';
import type { ListeningOffices } from './listening-offices.ts';
import { checked, preparedState, type State } from './prove-task.ts';

/** Debian's own Python has the packages that solutions use. */
const python = '/usr/bin/python3';

function ended(program: string, args: readonly string[], env: Record<string, string>): Promise<void> {
  return new Promise((done, failed) => {
    const child = spawn(program, args, { env: { PATH: process.env.PATH ?? '', LANG: 'C.UTF-8', ...env } });
    let output = '';
    child.stderr.on('data', (chunk: Buffer) => {
      output += chunk.toString('utf8');
    });
    child.on('error', failed);
    child.on('close', (code, ended) =>
      code === 0
        ? done()
        : failed(new Error(`${program} ${args.join(' ')} ended with ${ended ?? code}: ${output.slice(-1_500)}`)),
    );
  });
}

/** Runs a solution or a mutant on a folder that stands for the root of a sandbox; answers with the files afterwards. */
async function solved(
  state: State,
  { files }: ReferenceSolution,
  run: SolutionRun,
  listening: ListeningOffices,
): Promise<State> {
  if (run.how !== 'script') throw new Error('recorded actions need a sandbox');
  const root = await mkdtemp(join(tmpdir(), 'forge-solve-'));
  const folder = join(root, 'solution');
  const write = async (path: string, content: string | Uint8Array) => {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, content);
  };
  try {
    for (const { path, text } of files) await write(join(folder, path), text);
    for (const [path, bytes] of state) await write(join(root, path), bytes);
    const env = { SOLUTION_FOLDER: folder, SOLUTION_ROOT: root, HOME: root };
    const work = (more: Record<string, string>) =>
      ended(python, [join(folder, run.entry), ...run.args], { ...env, ...more });
    if (run.language === 'uno') await listening.use((pipe) => work({ SOLUTION_PIPE: pipe }));
    else await work({});
    const after = new Map<string, Uint8Array>();
    for (const path of state.keys()) after.set(path, new Uint8Array(await readFile(join(root, path))));
    return after;
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

/** Five cheap ways to pass for done: files touched, emptied, copied, replaced by the answers, and taken away. */
function cheats(task: GeneratedTask): Map<string, State> {
  const state = preparedState(task);
  const paths = task.hidden.expected.map(({ path }) => path);
  const with_ = (bytes: (path: string) => Uint8Array): State =>
    new Map([...state].map(([path, old]) => [path, paths.includes(path) ? bytes(path) : old]));
  const answers = task.hidden.answers.map(({ label, value }) => `${label}: ${value}`).join('\n');
  return new Map<string, State>([
    ['touch', state],
    ['empty file', with_(() => new Uint8Array())],
    [
      'copy of the input',
      new Map([
        ...state,
        ...paths.map((path) => [path.replace(/(\.\w+)$/, '-done$1'), state.get(path) ?? new Uint8Array()] as const),
      ]),
    ],
    ['answer text only', with_(() => new TextEncoder().encode(answers))],
    ['expected path deleted', new Map([...state].filter(([path]) => !paths.includes(path)))],
  ]);
}

/** What is wrong with the reference solution of a task, in words; empty when it passes all checks, each mutant fails its own alone, and no cheat passes one. */
export async function solutionProblems(
  task: GeneratedTask,
  office: Pick<OfficePort, 'convert'>,
  listening: ListeningOffices,
): Promise<string[]> {
  const { hidden, spec } = task;
  const { solution } = hidden;
  if (solution === undefined) return ['there is no solution'];
  const state = preparedState(task);
  const problems = spec.outcome.requirements
    .filter(({ id, must }) => must && !solution.solution.mutants.some(({ criterion }) => criterion === id))
    .map(({ id }) => `${id} has no mutant`);
  const run = async (which: SolutionRun) => checked(hidden, await solved(state, solution, which, listening), office);
  const [done, cheated, mutants] = await Promise.all([
    run(solution.solution.run),
    Promise.all([...cheats(task)].map(async ([name, files]) => [name, await checked(hidden, files, office)] as const)),
    Promise.all(solution.solution.mutants.map(async ({ criterion, run: how }) => [criterion, await run(how)] as const)),
  ]);
  for (const [id, { ok, failed }] of done) if (!ok) problems.push(`the solution fails ${id}: ${failed.join('; ')}`);
  for (const [name, results] of cheated)
    for (const [id, { ok }] of results) if (ok) problems.push(`the cheat “${name}” passes ${id}`);
  for (const [criterion, results] of mutants)
    for (const [id, { ok, failed }] of results)
      if (ok === (id === criterion))
        problems.push(`the mutant of ${criterion} ${ok ? `passes ${id}` : `fails ${id}: ${failed.join('; ')}`}`);
  return problems;
}
