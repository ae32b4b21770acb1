import type { Sheet, Workbook } from '@cua-forge/spec/task';
import type { CellStyle, ConditionalRule } from '@cua-forge/spec/workbook-features';
import type ExcelJS from 'exceljs';
import type { Check } from './check.ts';

const conclude = (check: string, problems: readonly string[], fine: string): Check => ({
  check,
  ok: problems.length === 0,
  detail: problems.length === 0 ? fine : problems.slice(0, 5).join('; '),
});

/** First and last cell of a range stand for the whole: preparers dress ranges evenly. */
const cornersOf = (range: string) => range.split(':');

function styleProblems(sheet: Sheet, actual: ExcelJS.Worksheet): string[] {
  // Later styles win, so only members that no later style of the same cell sets are compared.
  const wanted = new Map<string, CellStyle>();
  for (const { range, style } of sheet.cellStyles ?? [])
    for (const address of cornersOf(range)) wanted.set(address, { ...wanted.get(address), ...style });
  return [...wanted].flatMap(([address, style]) => {
    const cell = actual.getCell(address);
    const fill = cell.fill?.type === 'pattern' ? cell.fill.fgColor?.argb : undefined;
    const pairs: [string, unknown, unknown][] = [
      ['format', style.numberFormat, cell.numFmt],
      ['fill', style.fill, fill],
      ['bold', style.font?.bold, cell.font?.bold ?? false],
      ['italic', style.font?.italic, cell.font?.italic ?? false],
      ['font size', style.font?.size, cell.font?.size],
      ['font name', style.font?.name, cell.font?.name],
      ['font colour', style.font?.color, cell.font?.color?.argb],
      ['alignment', style.align?.horizontal, cell.alignment?.horizontal],
      ['wrapping', style.align?.wrap, cell.alignment?.wrapText ?? false],
      ['top border', style.border?.top?.line, cell.border?.top?.style],
      ['bottom border', style.border?.bottom?.line, cell.border?.bottom?.style],
    ];
    return pairs
      .filter(([, expected, found]) => expected !== undefined && expected !== found)
      .map(([what, expected, found]) => `${address}: expected ${what} ${expected}, found ${found ?? 'none'}`);
  });
}

/** Rule types as files name them; rules about texts, blanks and duplicates are written as formulas. */
const fileTypes: Record<ConditionalRule['type'], string> = {
  cell: 'cellIs',
  top: 'top10',
  average: 'aboveAverage',
  duplicates: 'expression',
  text: 'expression',
  blanks: 'expression',
  formula: 'expression',
  'data-bar': 'dataBar',
  'color-scale': 'colorScale',
  icons: 'iconSet',
};

interface SeenRule {
  type: string;
  priority?: number;
  operator?: string;
  formulae?: unknown[];
  rank?: number;
}

/** The library keeps what it read of conditional formats here, without a type for it. */
function readFormats(sheet: ExcelJS.Worksheet): { ref: string; rules: SeenRule[] }[] {
  return 'conditionalFormattings' in sheet && Array.isArray(sheet.conditionalFormattings)
    ? sheet.conditionalFormattings
    : [];
}

function ruleText(rule: ConditionalRule): string {
  const type = fileTypes[rule.type];
  if (rule.type === 'cell') return `${type} ${rule.operator} ${rule.values.join(', ')}`;
  if (rule.type === 'top') return `${type} ${rule.count}`;
  return rule.type === 'formula' ? `${type} ${rule.formula.replace(/^=/, '')}` : type;
}

function seenText(rule: SeenRule, like: ConditionalRule): string {
  if (like.type === 'cell') return `${rule.type} ${rule.operator} ${(rule.formulae ?? []).join(', ')}`;
  if (like.type === 'top') return `${rule.type} ${rule.rank}`;
  return like.type === 'formula' ? `${rule.type} ${rule.formulae?.[0]}` : rule.type;
}

function ruleProblems(sheet: Sheet, actual: ExcelJS.Worksheet): string[] {
  const wanted = (sheet.conditionalFormats ?? []).flatMap(({ range, rules }) => rules.map((rule) => ({ range, rule })));
  const found = readFormats(actual)
    .flatMap(({ ref, rules }) => rules.map((rule) => ({ ref, rule })))
    .sort((a, b) => (a.rule.priority ?? 0) - (b.rule.priority ?? 0));
  if (wanted.length !== found.length) return [`expected ${wanted.length} rules, found ${found.length}`];
  return wanted.flatMap(({ range, rule }, index) => {
    const seen = found[index];
    if (seen === undefined) return [];
    const [expected, have] = [`${range} ${ruleText(rule)}`, `${seen.ref} ${seenText(seen.rule, rule)}`];
    return expected === have ? [] : [`rule ${index + 1}: expected ${expected}, found ${have}`];
  });
}

function validationProblems(sheet: Sheet, actual: ExcelJS.Worksheet): string[] {
  return (sheet.validations ?? []).flatMap(({ range, rule }) =>
    cornersOf(range).flatMap((address) => {
      const found = actual.getCell(address).dataValidation?.type;
      const type = rule.type === 'text-length' ? 'textLength' : rule.type;
      return found === type ? [] : [`${address}: expected validation ${type}, found ${found ?? 'none'}`];
    }),
  );
}

function tableProblems(sheet: Sheet, actual: ExcelJS.Worksheet): string[] {
  const found = actual.getTables().map((table) => ('name' in table ? String(table.name) : ''));
  const wanted = sheet.table === undefined ? [] : [sheet.table.name];
  return wanted.join() === found.join()
    ? []
    : [`expected table ${wanted.join() || 'none'}, found ${found.join(', ') || 'none'}`];
}

function mergeProblems(sheet: Sheet, actual: ExcelJS.Worksheet): string[] {
  return (sheet.merges ?? [])
    .filter((range) => cornersOf(range).some((address) => !actual.getCell(address).isMerged))
    .map((range) => `${range} is not merged`);
}

const has = (list: readonly unknown[] | undefined) => list !== undefined && list.length > 0;

/** Compares what a sheet has besides cells and layout; a line of evidence for each thing that is specified or found. */
export function compareFeatures(sheet: Sheet, actual: ExcelJS.Worksheet): Check[] {
  const name = (what: string) => `${sheet.name}: ${what}`;
  const formats = has(sheet.conditionalFormats) || readFormats(actual).length > 0;
  const tables = sheet.table !== undefined || actual.getTables().length > 0;
  return [
    ...(has(sheet.cellStyles)
      ? [conclude(name('cell styles'), styleProblems(sheet, actual), 'fonts, fills, borders and alignment are right')]
      : []),
    ...(formats
      ? [conclude(name('conditional formats'), ruleProblems(sheet, actual), 'ranges, rules and order are right')]
      : []),
    ...(has(sheet.validations)
      ? [conclude(name('validations'), validationProblems(sheet, actual), 'entries are restricted as specified')]
      : []),
    ...(tables ? [conclude(name('table'), tableProblems(sheet, actual), 'the table object is as specified')] : []),
    ...(has(sheet.merges) ? [conclude(name('merged cells'), mergeProblems(sheet, actual), 'cells are merged')] : []),
  ];
}

/** Compares the names that a workbook gives to ranges. */
export function compareNames(workbook: Workbook, book: ExcelJS.Workbook): Check[] {
  const plain = (reference: string) => reference.replaceAll("'", '');
  const wanted = workbook.definedNames ?? [];
  const problems = wanted.flatMap(({ name, refersTo }) => {
    const found = book.definedNames.getRanges(name).ranges;
    return found.some((range) => plain(range) === plain(refersTo))
      ? []
      : [`${name}: expected ${refersTo}, found ${found.join(', ') || 'none'}`];
  });
  return wanted.length === 0 ? [] : [conclude('names of ranges', problems, `${wanted.length} names are as specified`)];
}

/** Row and column at which the panes of a sheet are frozen; 0 where they are not. */
export function frozenAt(sheet: ExcelJS.Worksheet): { rows: number; columns: number } {
  const view = sheet.views.find(({ state }) => state === 'frozen');
  return view === undefined || view.state !== 'frozen'
    ? { rows: 0, columns: 0 }
    : { rows: view.ySplit ?? 0, columns: view.xSplit ?? 0 };
}
