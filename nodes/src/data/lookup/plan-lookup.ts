import { cellAddress } from '@cua-forge/spec/cell-address';
import { ForgeError } from '@cua-forge/spec/errors';
import { baseName } from '@cua-forge/spec/required-file';
import type {
  Cell,
  Column,
  HiddenAnswers,
  RequiredFile,
  Sheet,
  TaskSpecification,
  Workbook,
} from '@cua-forge/spec/task';
import { columnsOf, largestSheet } from '../columns/column-facts.ts';
import { type Random, randomFrom } from '../random.ts';
import { keyLookups } from './key-lookups.ts';
import { lookupChecks } from './lookup-checks.ts';
import type { LookupBuilder, LookupContext, LookupDraft } from './lookup-draft.ts';
import { tableLookups } from './table-lookups.ts';

export const lookupBuilders: Record<string, LookupBuilder> = { ...keyLookups, ...tableLookups };

export interface PlannedLookup {
  outcome: TaskSpecification['outcome'];
  file: RequiredFile;
  hidden: HiddenAnswers;
  traits: Record<string, string>;
}

/** Months and quarters make odd keys: they are left out where there is another column of texts. */
function usableColumns(sheet: Sheet, periods: readonly string[]): LookupContext['columns'] {
  const columns = columnsOf(sheet);
  const texts = columns.texts.filter(({ name }) => !periods.includes(name));
  return texts.length === 0 ? columns : { ...columns, texts };
}

/** The first wanted lookup that the data supports. */
function draftLookup(context: LookupContext, kinds: readonly string[]): LookupDraft | undefined {
  for (const kind of kinds) {
    const build = lookupBuilders[kind];
    if (build === undefined)
      throw new ForgeError('params.invalid', `There is no lookup of kind “${kind}”.`, {
        fix: `Use some of: ${Object.keys(lookupBuilders).join(', ')}.`,
      });
    for (let tries = 0; tries < 4; tries += 1) {
      const draft = build(context);
      if (draft !== undefined) return draft;
    }
  }
  return undefined;
}

function withColumn(sheet: Sheet, column: Column, cells: readonly Cell[]): Sheet {
  return {
    ...sheet,
    columns: [...sheet.columns, column],
    rows: sheet.rows.map((row, index) => [...sheet.columns.map((_, at) => row[at] ?? null), cells[index] ?? null]),
  };
}

type Start = 'a new column' | 'a prepared column' | 'faulty formulas';

function startOf(draft: LookupDraft, random: Random): Start {
  if (draft.faulty !== undefined) return 'faulty formulas';
  return random.chance(0.5) ? 'a new column' : 'a prepared column';
}

/** Results that say something and that the task's texts do not name. */
function tellingAnswers(
  draft: LookupDraft,
  texts: readonly string[],
  mentions: readonly string[],
): HiddenAnswers['answers'] {
  const words = texts.join('\n').toLowerCase();
  const seen = new Set<string | number>();
  return draft.filled.cells
    .flatMap(({ result }, row) => {
      const known = draft.stated.includes(String(result)) || mentions.includes(String(result));
      const named = typeof result === 'string' && (result.length < 4 || words.includes(result.toLowerCase()));
      if (seen.has(result) || known || named) return [];
      seen.add(result);
      return [{ label: `${draft.filled.column.name} of row ${row + 1}`, value: result }];
    })
    .filter(({ value }) => typeof value === 'string' || Math.abs(value) >= 20)
    .slice(0, 100);
}

/**
 * Plans a lookup across two sheets of a workbook and states it as a task. The reference sheet is made from the data: a column
 * that another one determines moves there, or its keys get attributes that are made up.
 * `periods` are the columns that hold time.
 * @throws ForgeError `input.invalid` where the data supports none of the wanted lookups
 */
export function planLookup(
  workbook: Workbook,
  sheets: readonly string[],
  kinds: readonly string[],
  path: string,
  seed: number,
  periods: readonly string[] = [],
): PlannedLookup {
  const random = (what: string) => randomFrom(seed, `lookup/${what}`);
  const sheet = largestSheet(workbook, sheets);
  if (sheet === undefined) throw new ForgeError('input.invalid', 'The workbook has none of the named sheets.');
  const taken = new Set(workbook.sheets.map(({ name }) => name.toLowerCase()));
  const sheetNames = random('name')
    .shuffle(['Reference', 'Lists', 'Rates', 'Master Data', 'Lookup', 'Settings', 'Catalogue', 'Terms'])
    .filter((name) => !taken.has(name.toLowerCase()));
  const context: LookupContext = {
    sheet,
    columns: usableColumns(sheet, periods),
    random: random('draft'),
    firstRow: sheet.headerRow + 1,
    sheetNames,
  };
  const draft = draftLookup(context, kinds);
  if (draft === undefined)
    throw new ForgeError(
      'input.invalid',
      `None of the wanted lookups fits the sheet “${sheet.name}”: ${kinds.join(', ')}.`,
      {
        fix: 'Give a workbook with a column of texts that repeat, filled in every row, or offer more kinds of lookups.',
      },
    );
  const start = startOf(draft, random('start'));
  const { column, cells } = draft.filled;
  const at = draft.target === 'main' ? draft.main : draft.reference;
  const empty = at.rows.map(() => null);
  const before =
    start === 'a new column'
      ? at
      : withColumn(at, column, start === 'faulty formulas' ? (draft.faulty?.cells ?? empty) : empty);
  const after = withColumn(at, column, cells);
  const inFront = random('order').chance(0.3);
  const put = (target: Sheet): Workbook => {
    const main = draft.target === 'main' ? target : draft.main;
    const reference = draft.target === 'main' ? draft.reference : target;
    const others = workbook.sheets.map((each) => (each.name === sheet.name ? main : each));
    return { ...workbook, sheets: inFront ? [reference, ...others] : [...others, reference], activeSheet: at.name };
  };
  const heading = cellAddress(at.headerRow, at.firstColumn + at.columns.length);
  const byAddress = random('wording').chance(0.4);
  const place = {
    'a new column': `The results stand in a new column with the heading ${column.name}, right beside the table on the sheet ${at.name}${byAddress ? `, its heading in cell ${heading}` : ''}.`,
    'a prepared column': `The results fill the column ${column.name} on the sheet ${at.name}, which has its heading already${byAddress ? ` in cell ${heading}` : ''} and is empty below it.`,
    'faulty formulas': draft.faulty?.text ?? '',
  }[start];
  const name = baseName(path);
  const requirements: TaskSpecification['outcome']['requirements'] = [
    { id: 'values', text: draft.text, must: true },
    { id: 'place', text: place, must: true },
    {
      id: 'formulas',
      text: `Every result is a formula that looks at both sheets, so that a change on the sheet ${draft.target === 'main' ? draft.reference.name : draft.main.name} shows at once.`,
      must: true,
    },
    {
      id: 'all-rows',
      text: `Every row of the table on the sheet ${at.name} has its result, and none shows an error.`,
      must: true,
    },
    {
      id: 'data-unchanged',
      text: 'All other cells and sheets are unchanged, and the workbook is saved under its name.',
      must: true,
    },
    { id: 'format', text: 'The new values are formatted like others of their kind.', must: false },
  ];
  const mentions = [
    ...new Set([
      name,
      draft.main.name,
      draft.reference.name,
      column.name,
      ...(byAddress && start !== 'faulty formulas' ? [heading] : []),
      ...draft.mentions,
    ]),
  ];
  const summary = `In ${name}, ${draft.summary}.`;
  const texts = [summary, ...requirements.map(({ text }) => text)];
  return {
    outcome: { kind: `${draft.kind}; ${start}`, summary, requirements, mentions },
    file: { id: 'workbook', path, type: 'xlsx', content: put(before) },
    hidden: {
      answers: tellingAnswers(draft, texts, mentions),
      expected: [{ id: 'workbook', path, type: 'xlsx', content: put(after) }],
      ...lookupChecks({
        path,
        before: put(before),
        after: put(after),
        target: after,
        other: draft.target === 'main' ? draft.reference.name : draft.main.name,
        start: start === 'faulty formulas' ? (draft.faulty?.cells ?? empty) : empty,
      }),
      derivation: `${cells.length} formulas in the column ${column.name} of ${at.name}, below ${heading}; the first one is =${cells[0]?.formula}.`,
    },
    traits: {
      outcome: draft.kind,
      'start of the task': start,
      'result sheet': draft.target,
      'reference sheet': inFront ? 'in front' : 'behind',
      'place in words': byAddress ? 'by address' : 'by heading',
      ...draft.traits,
    },
  };
}
