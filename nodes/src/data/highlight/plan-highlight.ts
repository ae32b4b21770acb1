import { cellAddress, columnLetters } from '@cua-forge/spec/cell-address';
import { ForgeError } from '@cua-forge/spec/errors';
import { baseName } from '@cua-forge/spec/required-file';
import type { HiddenAnswers, RequiredFile, Sheet, TaskSpecification, Workbook } from '@cua-forge/spec/task';
import type { ConditionalFormat, ConditionalRule } from '@cua-forge/spec/workbook-features';
import { columnsOf, largestSheet } from '../columns/column-facts.ts';
import { type Random, randomFrom } from '../random.ts';
import { type NamedFormat, namedFormats } from './formats.ts';
import { highlightChecks } from './highlight-checks.ts';
import { numberRules } from './number-rules.ts';
import { otherRules } from './other-rules.ts';
import type { BareRule, DraftContext, RuleBuilder, RuleDraft } from './rule-draft.ts';
import { textRules } from './text-rules.ts';

export const ruleBuilders: Record<string, RuleBuilder> = { ...numberRules, ...textRules, ...otherRules };

export interface PlannedTask {
  outcome: TaskSpecification['outcome'];
  file: RequiredFile;
  hidden: HiddenAnswers;
  traits: Record<string, string>;
}

interface DressedRule extends RuleDraft {
  named: NamedFormat | null;
  range: string;
}

/** How the task starts: without rules, with one to be replaced or kept, or with the right rules on too few rows. */
const starts = [
  'without rules',
  'without rules',
  'a rule to replace',
  'a rule to keep',
  'rules that stop short',
] as const;
type Start = (typeof starts)[number];

function rangeOf(sheet: Sheet, covers: RuleDraft['covers'], rows = sheet.rows.length): string {
  const first = sheet.headerRow + 1;
  const from = cellAddress(first, sheet.firstColumn + covers.from);
  return `${from}:${cellAddress(first + rows - 1, sheet.firstColumn + covers.to)}`;
}

function withFormat(rule: BareRule, named: NamedFormat | null): ConditionalRule {
  if (rule.type === 'data-bar' || rule.type === 'color-scale' || rule.type === 'icons') return rule;
  return { ...rule, format: (named ?? namedFormats[0]).format };
}

const formatOf = (rule: DressedRule, range = rule.range): ConditionalFormat => ({
  range,
  rules: [withFormat(rule.rule, rule.named)],
});

const placedRule = (rule: DressedRule) => ({ format: formatOf(rule), covers: rule.covers, rows: rule.rows });

/** Draws up to `wanted` rules of different kinds; only one of them may read its limit from a cell. */
function draftRules(context: DraftContext, kinds: readonly string[], wanted: number): RuleDraft[] {
  const drafts: RuleDraft[] = [];
  for (const kind of kinds) {
    if (drafts.length >= wanted) break;
    const build = ruleBuilders[kind];
    if (build === undefined)
      throw new ForgeError('params.invalid', `There is no rule of kind “${kind}”.`, {
        fix: `Use some of: ${Object.keys(ruleBuilders).join(', ')}.`,
      });
    // What a builder draws may not tell rows apart where another draw does.
    for (let tries = 0; tries < 6; tries += 1) {
      const draft = build(context);
      if (draft === undefined) continue;
      if (draft.limit !== undefined && drafts.some(({ limit }) => limit !== undefined)) continue;
      if (draft.rows === null && drafts.some(({ covers }) => covers.from === draft.covers.from)) continue;
      drafts.push(draft);
      break;
    }
  }
  return drafts;
}

const ordinals = ['first', 'second', 'third'];

function ruleText(rule: DressedRule, sheet: Sheet, explicit: boolean): string {
  const place = explicit ? ` (${rule.range})` : '';
  const whole = `the whole row of the table${explicit ? ` (in ${rule.range})` : ''}`;
  if (rule.named === null)
    return `On the sheet ${sheet.name}${explicit ? `, in ${rule.range}` : ''}, ${rule.condition}.`;
  const [column] = sheet.columns.slice(rule.covers.from).map(({ name }) => name);
  const what = rule.scope === 'rows' ? whole : `the cell in the column ${column}${place}`;
  return `On the sheet ${sheet.name}, ${what} has ${rule.named.words} wherever ${rule.condition}.`;
}

/** Rows of the sheet that a rule highlights, as a person would list them. */
const listRows = (rows: readonly boolean[], firstRow: number): string =>
  `rows ${rows.flatMap((row, index) => (row ? [firstRow + index] : [])).join(', ')}`;

/** Places a limit beside the table and returns the sheet with it. */
function withLimit(sheet: Sheet, limit: RuleDraft['limit'], column: number, row: number): Sheet {
  if (limit === undefined) return sheet;
  return {
    ...sheet,
    notes: { ...sheet.notes, [cellAddress(row, column)]: limit.label, [cellAddress(row, column + 1)]: limit.value },
  };
}

function oldRule(context: DraftContext, rules: readonly DressedRule[], random: Random): DressedRule | undefined {
  const taken = new Set(rules.map(({ kind }) => kind));
  const used = new Set(rules.map(({ named }) => named?.words));
  const free = namedFormats.filter(({ words, group }) => group === 'fill' && !used.has(words));
  for (const kind of random.shuffle(['threshold', 'equals', 'average', 'extreme'])) {
    const draft = ruleBuilders[kind]?.({ ...context, random });
    const [named] = random.shuffle(free);
    if (draft === undefined || draft.limit !== undefined || taken.has(draft.kind) || named === undefined) continue;
    return { ...draft, named, range: rangeOf(context.sheet, draft.covers) };
  }
  return undefined;
}

const startTexts: Record<Start, (old: DressedRule | undefined, rows: number) => string | undefined> = {
  'without rules': () => undefined,
  'a rule to replace': (old) =>
    `The conditional format that is there now (${old?.named?.words}) is out of date and gone in the end.`,
  'a rule to keep': (old) =>
    `The conditional format that is there now (${old?.named?.words}) still works as before and comes after the new ones in priority.`,
  'rules that stop short': () =>
    'The conditional formats that are there now stop before the last row of data; in the end each of them covers all rows, and no rule is there twice.',
};

/**
 * Plans conditional formats for the data of a workbook and states them as a task: rules in words, the workbook the user
 * starts with, and the workbook with the formats in place.
 * @throws ForgeError `input.invalid` where the data supports none of the wanted rules
 */
export function planHighlight(
  workbook: Workbook,
  sheets: readonly string[],
  kinds: readonly string[],
  path: string,
  seed: number,
): PlannedTask {
  const random = (what: string) => randomFrom(seed, `highlight/${what}`);
  const original = largestSheet(workbook, sheets);
  if (original === undefined) throw new ForgeError('input.invalid', 'The workbook has none of the named sheets.');
  const limitRow = original.headerRow;
  const limitColumn = original.firstColumn + original.columns.length + 1;
  const context: DraftContext = {
    sheet: original,
    columns: columnsOf(original),
    random: random('rules'),
    firstRow: original.headerRow + 1,
    limitCell: `$${columnLetters(limitColumn + 1)}$${limitRow}`,
  };
  const wanted = random('count').pick([1, 1, 2, 2, 3]);
  const drafts = draftRules(context, kinds, wanted);
  if (drafts.length === 0)
    throw new ForgeError(
      'input.invalid',
      `None of the wanted rules fits the sheet “${original.name}”: ${kinds.join(', ')}.`,
      {
        fix: 'Offer more kinds of rules, or give a workbook with columns of numbers, texts or dates that are filled in every row.',
      },
    );
  const formats = random('formats').shuffle(namedFormats);
  const rules = drafts.map((draft, index): DressedRule => {
    const named = draft.rows === null ? null : (formats[index] ?? namedFormats[0]);
    return { ...draft, named, range: rangeOf(original, draft.covers) };
  });
  const limit = rules.find((rule) => rule.limit !== undefined)?.limit;
  const sheet = withLimit(original, limit, limitColumn, limitRow);
  let start: Start = random('start').pick(starts);
  const old = start.startsWith('a rule') ? oldRule(context, rules, random('old rule')) : undefined;
  if (start.startsWith('a rule') && old === undefined) start = 'without rules';
  if (start === 'rules that stop short' && original.rows.length < 6) start = 'without rules';
  const short = Math.max(2, Math.floor(original.rows.length * (0.4 + 0.4 * random('short').fraction())));
  const given: ConditionalFormat[] =
    start === 'rules that stop short'
      ? rules.map((rule) => formatOf(rule, rangeOf(original, rule.covers, short)))
      : old === undefined
        ? []
        : [formatOf(old)];
  const solved = [
    ...rules.map((rule) => formatOf(rule)),
    ...(start === 'a rule to keep' && old !== undefined ? [formatOf(old)] : []),
  ];
  const put = (formats: ConditionalFormat[]): Workbook => ({
    ...workbook,
    sheets: workbook.sheets.map((each) =>
      each.name === sheet.name ? { ...sheet, ...(formats.length === 0 ? {} : { conditionalFormats: formats }) } : each,
    ),
  });
  const explicit = random('wording').chance(0.4);
  const overlap =
    rules.length > 1 && rules.some((rule, index) => rules.slice(index + 1).some((other) => overlaps(rule, other)));
  const startText = startTexts[start](old, short);
  const name = baseName(path);
  const outcome: TaskSpecification['outcome'] = {
    kind: [...rules.map((rule) => `${rule.kind}${rule.scope === 'rows' ? ' (rows)' : ''}`).sort(), start].join('; '),
    summary: `${name} shows at a glance what matters on its sheet ${sheet.name}: ${rules.length === 1 ? 'a conditional format marks it' : `${['', 'one', 'two', 'three'][rules.length]} conditional formats mark it`}.`,
    requirements: [
      ...rules.map((rule, index) => ({ id: `rule-${index + 1}`, text: ruleText(rule, sheet, explicit), must: true })),
      { id: 'all-rows', text: 'Each rule covers all rows of data, and neither headings nor empty rows.', must: true },
      {
        id: 'by-rule',
        text: 'The colours come from conditional formats, not from fixed formatting, so that they follow the values.',
        must: true,
      },
      ...(overlap
        ? [
            {
              id: 'priority',
              text: `Where several of the rules hold, the ${ordinals[0]} one named wins over the ${rules.length > 2 ? 'others' : ordinals[1]}.`,
              must: true,
            },
          ]
        : []),
      ...(startText === undefined ? [] : [{ id: 'rules-before', text: startText, must: true }]),
      {
        id: 'data-unchanged',
        text: 'Values, formulas and sheets are unchanged, and the workbook is saved under its name.',
        must: true,
      },
    ],
    mentions: [
      ...new Set([name, sheet.name, ...rules.flatMap((rule) => [...rule.mentions, ...(explicit ? [rule.range] : [])])]),
    ],
  };
  const first = context.firstRow;
  return {
    outcome,
    file: { id: 'workbook', path, type: 'xlsx', content: put(given) },
    hidden: {
      answers: rules.flatMap((rule, index) =>
        rule.rows === null ? [] : [{ label: `highlighted by rule ${index + 1}`, value: listRows(rule.rows, first) }],
      ),
      expected: [{ id: 'workbook', path, type: 'xlsx', content: put(solved) }],
      ...highlightChecks({
        path,
        before: put(given),
        after: put(solved),
        sheet,
        rules: rules.map(placedRule),
        old: old === undefined ? undefined : { rule: placedRule(old), kept: start === 'a rule to keep' },
        short: start === 'rules that stop short' ? short : undefined,
        requirements: outcome.requirements.map(({ id }) => id),
      }),
      derivation: rules
        .map((rule, index) => {
          const where = `Rule ${index + 1} covers ${sheet.name}!${rule.range}`;
          return rule.rows === null ? `${where}.` : `${where} and highlights ${listRows(rule.rows, first)}.`;
        })
        .join(' '),
    },
    traits: {
      outcome: outcome.kind,
      rules: String(rules.length),
      'start of the task': start,
      'range in words': explicit ? 'by address' : 'by column',
      priority: overlap ? 'matters' : 'does not matter',
      formats: rules
        .map(({ named }) => named?.group ?? 'gradual')
        .sort()
        .join(' and '),
      'limit cell': limit === undefined ? 'no' : 'yes',
    },
  };
}

function overlaps(a: DressedRule, b: DressedRule): boolean {
  if (a.covers.to < b.covers.from || b.covers.to < a.covers.from) return false;
  return a.rows?.some((row, index) => row && b.rows?.[index] === true) ?? false;
}
