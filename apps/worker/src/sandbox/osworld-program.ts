import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { reportOsworld } from '@cua-forge/checks/osworld/import-report';
import { readOsworldSource } from '@cua-forge/checks/osworld/read-source';
import {
  type OsworldRun,
  type OsworldSolution,
  OsworldSolutions,
  runOsworldTask,
} from '@cua-forge/desktop/osworld-run';
import { ForgeError, toForgeError } from '@cua-forge/spec/errors';
import { type Sandbox, type SandboxProvider, SandboxTarget } from '@cua-forge/spec/sandbox-port';
import { parse } from 'yaml';
import { z } from 'zod';
import { LibreOffice } from '../office/libre-office.ts';
import { createProvider } from './create-providers.ts';
import type { SandboxProgram } from './sandbox-program.ts';

export interface OsworldRequest {
  source: string;
  /** Only these tasks; all that need nothing from elsewhere without. */
  ids: readonly string[];
  /** A YAML or JSON file with solutions by id. */
  solutions: string | undefined;
  provider: 'docker' | 'bubblewrap';
  soffice: string;
  signal: AbortSignal;
}

async function solutionsOf(file: string | undefined): Promise<Record<string, OsworldSolution>> {
  if (file === undefined) return {};
  const parsed = OsworldSolutions.safeParse(parse(await readFile(file, 'utf8')));
  if (parsed.success) return parsed.data;
  throw new ForgeError('input.invalid', `${file} has no solutions: ${z.prettifyError(parsed.error)}`);
}

/** Runs OSWorld tasks in sandboxes and says how they scored. Answers with the exit code: 1 when an untouched task scores or a solution does not. */
export async function osworldCommand(program: SandboxProgram, request: OsworldRequest): Promise<number> {
  const { tasks, unreadable } = reportOsworld(await readOsworldSource(request.source));
  const solutions = await solutionsOf(request.solutions);
  const unknown = request.ids.filter((id) => !tasks.some((task) => task.id === id));
  if (unknown.length > 0)
    throw new ForgeError('input.invalid', `There is no task ${unknown.join(', ')} in ${request.source}.`);
  const wanted = request.ids.length === 0 ? tasks : tasks.filter(({ id }) => request.ids.includes(id));
  const provider = createProvider(request.provider, program.settings);
  const lacking = new Map<SandboxTarget, string | null>();
  for (const target of SandboxTarget.options) {
    const problem = await provider.missing(target);
    lacking.set(target, problem === null ? null : `${problem.message} ${problem.fix ?? ''}`.trim());
  }
  const office = new LibreOffice(request.soffice);
  const start = Date.now();
  const runs: OsworldRun[] = [];
  for (const task of wanted) {
    const seconds = (Date.now() - start) / 1000;
    const rate = runs.length / Math.max(1, seconds);
    program.report.update(
      `${runs.length} of ${wanted.length} tasks, ${(rate * 60).toFixed(1)} a minute${rate > 0 ? `, about ${Math.ceil((wanted.length - runs.length) / rate)} s left` : ''}: ${task.domain} ${task.id}`,
    );
    const run = await runOsworldTask(task, solutions[task.id], {
      async use(target, work) {
        const sandbox = await startWhenThereIsRoom(provider, target, `OSWorld ${task.id}`, request.signal);
        try {
          return await work(sandbox);
        } finally {
          await sandbox.close();
        }
      },
      missing: async (target) => lacking.get(target) ?? null,
      office,
      signal: request.signal,
    });
    runs.push(run);
    // What is known already is not lost when somebody stops it.
    if (!program.json) program.write(`${line(run)}\n`);
  }
  const ran = runs.filter(({ why }) => why === null);
  const wrong = ran.filter(({ untouched, solved }) => untouched === 1 || solved === 0);
  const totals = {
    tasks: runs.length,
    ran: ran.length,
    untouchedZero: ran.filter(({ untouched }) => untouched === 0).length,
    withSolution: ran.filter(({ solved }) => solved !== null).length,
    solvedOne: ran.filter(({ solved }) => solved === 1).length,
  };
  program.write(program.json ? `${JSON.stringify({ runs, totals, unreadable })}\n` : `\n${totalsText(totals)}\n`);
  return wrong.length === 0 && unreadable.length === 0 ? 0 : 1;
}

async function startWhenThereIsRoom(
  provider: SandboxProvider,
  target: SandboxTarget,
  lease: string,
  signal: AbortSignal,
): Promise<Sandbox> {
  for (;;) {
    try {
      return await provider.start({ target, lease }, signal);
    } catch (thrown) {
      const { code, retryAfterMs } = toForgeError(thrown);
      if (code !== 'sandbox.unavailable' || retryAfterMs === undefined) throw thrown;
      await sleep(retryAfterMs, undefined, { signal });
    }
  }
}

function line({ id, domain, why, untouched, solved, seconds, evaluators, evidence }: OsworldRun): string {
  if (why !== null) return `${domain}  ${id}  not run: ${why}`;
  const scores = `untouched ${untouched}${solved === null ? '' : `, solved ${solved}`}`;
  const odd = untouched === 1 || solved === 0 ? evidence.map((one) => `\n    ${one}`).join('') : '';
  return `${domain}  ${id}  ${scores}  ${evaluators.join(', ')}  ${seconds} s${odd}`;
}

const totalsText = (totals: {
  tasks: number;
  ran: number;
  untouchedZero: number;
  withSolution: number;
  solvedOne: number;
}): string =>
  `${totals.ran} of ${totals.tasks} tasks ran: ${totals.untouchedZero} score 0 untouched; ${totals.solvedOne} of ${totals.withSolution} with a solution score 1.`;
