import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type ImportReport, reportOsworld, type TaskReport } from '@cua-forge/checks/osworld/import-report';
import { ForgeError } from '@cua-forge/spec/errors';
import { exitCodes } from './exit-code.ts';
import { type Output, printResult, tableText } from './output.ts';

async function filesOf(source: string): Promise<{ name: string; text: string }[]> {
  const facts = await stat(source).catch((cause: unknown) => {
    throw new ForgeError('input.invalid', `There is no ${source}.`, { cause });
  });
  const names = facts.isDirectory()
    ? (await readdir(source, { recursive: true })).filter((name) => /\.jsonl?$/.test(name)).sort()
    : [source];
  if (names.length === 0)
    throw new ForgeError('input.invalid', `${source} has no .json or .jsonl file.`, {
      fix: 'Name a file of tasks, or the folder that they lie in.',
    });
  return Promise.all(
    names.map(async (name) => ({
      name,
      text: await readFile(facts.isDirectory() ? join(source, name) : name, 'utf8'),
    })),
  );
}

function taskLines({ id, domain, setup, evaluators, before, whole }: TaskReport): string[] {
  const lacking = [...setup, ...evaluators].filter(({ status }) => status !== 'maps');
  return [
    `${domain}  ${id}  ${whole ? 'maps wholly' : `${evaluators.map(({ name, status }) => `${name} ${status}`).join(', ')}`}`,
    ...lacking.map(({ name, status, why }) => `    ${name}${status === 'partly' ? ', but not' : ''}: ${why}`),
    ...(before.length === 0 ? [] : [`    before the check: ${before.join(', ')}`]),
  ];
}

function reportText({ tasks, unreadable, totals }: ImportReport, perTask: boolean): string {
  const rows = (counts: ImportReport['totals']['steps']) =>
    Object.entries(counts)
      .sort(([, a], [, b]) => b.all - a.all)
      .map(([name, { all, map, partly }]) => [name, String(all), String(map), String(partly)]);
  return [
    ...(perTask ? tasks.flatMap(taskLines) : []),
    tableText(['setup step', 'all', 'map', 'partly'], rows(totals.steps)),
    '',
    tableText(['evaluator', 'all', 'map', 'partly'], rows(totals.evaluators)),
    '',
    `${totals.tasks} tasks: the setup of ${totals.setupMaps} maps, the check of ${totals.checkMaps} maps and of ${totals.checkPartly} more partly, ${totals.whole} map wholly.`,
    ...unreadable.map(({ place, why }) => `${place}: ${why}`),
  ].join('\n');
}

/** Reports what of OSWorld tasks can be said here. Exit code 1 when something is no task. */
export async function importOsworld(output: Output, source: string, { report }: { report: boolean }): Promise<number> {
  const made = reportOsworld(await filesOf(source));
  printResult(output, report ? made : { unreadable: made.unreadable, totals: made.totals }, () =>
    reportText(made, report),
  );
  return made.unreadable.length === 0 ? exitCodes.done : exitCodes.failed;
}
