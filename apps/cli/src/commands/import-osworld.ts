import { type ImportReport, reportOsworld, type TaskReport } from '@cua-forge/checks/osworld/import-report';
import { readOsworldSource } from '@cua-forge/checks/osworld/read-source';
import { exitCodes } from './exit-code.ts';
import { type Output, printResult, tableText } from './output.ts';

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

export interface OsworldOptions {
  report: boolean;
  run: boolean;
  ids?: string;
  solutions?: string;
  provider: string;
}

/** Reports what of OSWorld tasks can be said here. Exit code 1 when something is no task. */
export async function importOsworld(
  output: Output,
  source: string,
  { report }: Pick<OsworldOptions, 'report'>,
): Promise<number> {
  const made = reportOsworld(await readOsworldSource(source));
  printResult(output, report ? made : { unreadable: made.unreadable, totals: made.totals }, () =>
    reportText(made, report),
  );
  return made.unreadable.length === 0 ? exitCodes.done : exitCodes.failed;
}
