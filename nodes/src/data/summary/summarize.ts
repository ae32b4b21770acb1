import { cellAddress, parseAddress } from '@cua-forge/spec/cell-address';
import { ForgeError } from '@cua-forge/spec/errors';
import { baseName } from '@cua-forge/spec/required-file';
import type { CheckPlace, HiddenAnswers, RequiredFile, TaskSpecification, Workbook } from '@cua-forge/spec/task';
import { comparableMeasures } from '../measures.ts';
import type { MonthStyle } from '../periods.ts';
import { type Random, randomFrom } from '../random.ts';
import { byCategory, byTime, type Grouping, grainFor, grouped } from './groups.ts';
import { outcomeBuilders } from './outcomes.ts';
import { type Placement, placeSummary } from './placement.ts';
import { type Observation, observationsOf, type Source } from './source.ts';
import { summaryChecks } from './summary-checks.ts';
import type { SummaryTable } from './summary-table.ts';

export interface SummaryTask {
  outcome: TaskSpecification['outcome'];
  file: RequiredFile;
  hidden: HiddenAnswers;
  traits: Record<string, string>;
}

const monthTexts: Record<MonthStyle, string> = {
  iso: 'Months are written as year, hyphen and two-digit month.',
  short: 'Months are written as three-letter English names',
  long: 'Months are written as full English names',
};

function groupingOf(
  observations: readonly Observation[],
  source: Source,
  outcome: string,
  random: Random,
): { grouping: Grouping; style: MonthStyle; rest: string[] } {
  const grain = grainFor(source, outcome);
  const style: MonthStyle = random.pick(['iso', 'short', 'long'] as const);
  if (grain !== null) {
    const named = observations.every((each) => !(each.period ?? '').startsWith('0000'));
    const usable = !named && style === 'iso' ? random.pick(['short', 'long'] as const) : style;
    return { grouping: byTime(observations, grain, usable), style: usable, rest: source.dimensions };
  }
  const [dimension, ...rest] = random.shuffle(source.dimensions);
  if (dimension === undefined)
    throw new ForgeError('input.invalid', 'The data has neither periods nor categories to group by.');
  return { grouping: byCategory(dimension), style, rest };
}

/** Says how labels of time are written, so that there is one right way. */
function labelText(grouping: Grouping, style: MonthStyle, labels: readonly (string | number)[]): string | undefined {
  const withYear = labels.some((label) => /\d{4}/.test(String(label)));
  if (grouping.heading === 'Month')
    return style === 'iso'
      ? monthTexts.iso
      : `${monthTexts[style]}${withYear ? ', followed by the year' : ', without the year'}.`;
  if (grouping.heading === 'Quarter')
    return withYear
      ? 'Quarters are written as the year, a space, and Q with the number.'
      : 'Quarters are written as Q with the number.';
  return undefined;
}

function requirementsOf(
  table: SummaryTable,
  placement: Placement,
  label: string | undefined,
): TaskSpecification['outcome']['requirements'] {
  const headings = table.columns.map((column) => column.heading);
  const fixed =
    table.kind === 'pivot'
      ? `The first heading is ${headings[0]}.`
      : `The headings are, in this order: ${headings.join(', ')}.`;
  return [
    { id: 'place', text: placement.text, must: true },
    { id: 'headings', text: fixed, must: true },
    { id: 'rows', text: `The summary has ${table.rowsText}.`, must: true },
    { id: 'values', text: table.valuesText, must: true },
    ...(label === undefined ? [] : [{ id: 'labels', text: label, must: true }]),
    {
      id: 'data-unchanged',
      text: 'The data that was there is unchanged, and the workbook is saved under its name.',
      must: true,
    },
    { id: 'readable', text: 'Headings stand out and numbers are formatted alike.', must: false },
  ];
}

/** Where in the solved workbook each requirement can be seen. */
function placesOf(table: SummaryTable, { sheet, cell, given }: Placement, labelled: boolean): CheckPlace[] {
  const corner = parseAddress(cell);
  const [height, width] = [table.rows.length, table.columns.length];
  if (corner === undefined || height === 0) return [];
  const { row, column } = corner;
  const range = (top: number, left: number, bottom: number, right: number) =>
    `${cellAddress(top, left)}:${cellAddress(bottom, right)}`;
  const at = { file: 'workbook', sheet };
  const body = range(row + 1, column, row + height, column + width - 1);
  const isNew = !given.sheets.some(({ name }) => name === sheet);
  return [
    ...(isNew ? [{ ...at, requirement: 'place', what: 'sheet' as const }] : []),
    { ...at, requirement: 'place', what: 'cells', range: cell },
    {
      ...at,
      requirement: 'headings',
      what: 'cells',
      range: table.kind === 'pivot' ? cell : range(row, column, row, column + width - 1),
    },
    { ...at, requirement: 'rows', what: 'rows', range: body },
    { ...at, requirement: 'values', what: 'cells', range: body },
    ...(labelled
      ? [{ ...at, requirement: 'labels', what: 'cells' as const, range: range(row + 1, column, row + height, column) }]
      : []),
    { file: 'workbook', requirement: 'data-unchanged', what: 'rest' },
  ];
}

/** The answers that a text can give away: whole numbers below 20 are left out as long as others remain. */
function tellingAnswers(answers: SummaryTable['answers'], mentions: readonly string[]): SummaryTable['answers'] {
  const open = answers.filter(({ value }) => !mentions.includes(String(value)));
  const above = (least: number) =>
    open.filter(({ value }) => typeof value === 'string' || !Number.isInteger(value) || Math.abs(value) >= least);
  const telling = [20, 0].map(above).find((kept) => kept.length > 0) ?? [];
  return telling.slice(0, 200);
}

/**
 * Works out a summary of the data and states it as a task: the outcome in words that give nothing away, the file the user
 * starts with, and the answers. Reads the workbook as a person would; knows nothing of how it was made.
 * @throws ForgeError `params.invalid` for an unknown kind of summary
 */
export function summaryTask(workbook: Workbook, source: Source, kind: string, path: string, seed: number): SummaryTask {
  const build = outcomeBuilders[kind];
  if (build === undefined) {
    throw new ForgeError('params.invalid', `There is no summary of kind “${kind}”.`, {
      fix: `Use one of: ${Object.keys(outcomeBuilders).join(', ')}.`,
    });
  }
  const random = (what: string) => randomFrom(seed, `summary/${what}`);
  const observations = observationsOf(workbook, source);
  const { grouping, style, rest } = groupingOf(observations, source, kind, random('groups'));
  const usable = kind === 'two-measures' ? comparableMeasures(source.measures) : source.measures;
  const [measure = '', other = measure] = random('measures').shuffle(usable);
  const [dimension] = random('across').shuffle(rest);
  const values = [...new Set(observations.map((each) => each.categories[dimension ?? ''] ?? ''))].sort((a, b) =>
    a < b ? -1 : 1,
  );
  const across = dimension === undefined ? undefined : { dimension, values };
  if (across === undefined && (kind === 'pivot' || kind === 'one-category')) {
    throw new ForgeError(
      'input.invalid',
      `A summary of kind “${kind}” needs a column of categories besides the groups, and the data has none.`,
    );
  }
  const groups = grouped(observations, grouping);
  const table = build({ groups, grouping, measure, other, across, random: random('details') });
  const names = [
    `${grouping.heading} summary`,
    'Summary',
    'Overview',
    `${measure} by ${grouping.word}`,
    'Report',
    'Analysis',
    'Results',
  ];
  const placement = placeSummary(workbook, table, source.sheets, names, random('placement'));
  const label = labelText(
    grouping,
    style,
    [...groups.keys()].map((key) => grouping.label(key)),
  );
  const spread = source.sheets.length > 1 ? ', taking all data sheets together' : '';
  const headings = table.columns.map((column) => column.heading);
  const labelColumn = Math.max(0, headings.indexOf(grouping.heading));
  const mentions = [
    ...new Set([
      baseName(path),
      placement.sheet,
      ...(placement.label.includes('prepared') ? [] : [placement.cell]),
      measure,
      ...(table.kind === 'pivot' ? headings.slice(0, 1) : headings),
      ...table.mentions,
    ]),
  ];
  return {
    outcome: {
      kind: `${table.kind} by ${grouping.time ? grouping.word : 'category'}`,
      summary: `${baseName(path)} has a summary that shows ${table.shows}${spread}.`,
      requirements: requirementsOf(table, placement, label),
      mentions,
    },
    file: { id: 'workbook', path, type: 'xlsx', content: placement.given },
    hidden: {
      answers: tellingAnswers(table.answers, mentions),
      expected: [{ id: 'workbook', path, type: 'xlsx', content: placement.solved }],
      places: placesOf(table, placement, label !== undefined),
      ...(table.rows.length === 0
        ? {}
        : summaryChecks(path, table, placement, label === undefined ? undefined : labelColumn)),
      derivation: `${observations.length} entries of ${source.sheets.join(', ')}. ${table.derivation} The summary starts in ${placement.sheet}!${placement.cell}.`,
    },
    traits: {
      outcome: `${table.kind} by ${grouping.time ? grouping.word : 'category'}`,
      'summary place': placement.label,
      ...(grouping.heading === 'Month' ? { 'month labels': style } : {}),
    },
  };
}
