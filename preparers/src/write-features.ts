import { parseAddress } from '@cua-forge/spec/cell-address';
import type { Sheet } from '@cua-forge/spec/task';
import type {
  CellRange,
  CellStyle,
  ConditionalRule,
  HighlightFormat,
  Validation,
} from '@cua-forge/spec/workbook-features';
import type ExcelJS from 'exceljs';

type Defined<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/** Without the members that are undefined: the library's types tell them from absent ones. */
function defined<T extends object>(value: T): Defined<T> {
  const entries = Object.entries(value).filter(([, member]) => member !== undefined);
  return Object.fromEntries(entries) as Defined<T>;
}

const solid = (argb: string): ExcelJS.Fill => ({ type: 'pattern', pattern: 'solid', fgColor: { argb } });

/** Cells of a range, row by row. */
function cellsOf(target: ExcelJS.Worksheet, range: CellRange): ExcelJS.Cell[] {
  const [from = '', to = from] = range.split(':');
  const [first, last] = [parseAddress(from), parseAddress(to)];
  if (first === undefined || last === undefined) return [];
  const cells: ExcelJS.Cell[] = [];
  for (let row = first.row; row <= last.row; row += 1)
    for (let column = first.column; column <= last.column; column += 1) cells.push(target.getCell(row, column));
  return cells;
}

function edgesOf(border: NonNullable<CellStyle['border']>): Partial<ExcelJS.Borders> {
  const edge = (side: 'top' | 'right' | 'bottom' | 'left'): Partial<ExcelJS.Borders> => {
    const wanted = border[side];
    if (wanted === undefined) return {};
    return {
      [side]: { style: wanted.line, ...(wanted.color === undefined ? {} : { color: { argb: wanted.color } }) },
    };
  };
  return { ...edge('top'), ...edge('right'), ...edge('bottom'), ...edge('left') };
}

function fontOf({ color, ...font }: NonNullable<CellStyle['font']>): Partial<ExcelJS.Font> {
  return { ...defined(font), ...(color === undefined ? {} : { color: { argb: color } }) };
}

function alignmentOf({ wrap, ...align }: NonNullable<CellStyle['align']>): Partial<ExcelJS.Alignment> {
  return { ...defined(align), ...(wrap === undefined ? {} : { wrapText: wrap }) };
}

function dress(cell: ExcelJS.Cell, style: CellStyle): void {
  if (style.numberFormat !== undefined) cell.numFmt = style.numberFormat;
  if (style.font !== undefined) cell.font = { ...cell.font, ...fontOf(style.font) };
  if (style.fill !== undefined) cell.fill = solid(style.fill);
  if (style.border !== undefined) cell.border = { ...cell.border, ...edgesOf(style.border) };
  if (style.align !== undefined) cell.alignment = { ...cell.alignment, ...alignmentOf(style.align) };
}

/** `fill` goes to the background colour: that is what applications read of a conditional format. */
function highlight(format: HighlightFormat): Partial<ExcelJS.Style> {
  const { fill, color, ...font } = format;
  const hasFont = color !== undefined || Object.keys(font).length > 0;
  return {
    ...(fill === undefined
      ? {}
      : { fill: { type: 'pattern', pattern: 'solid', fgColor: { argb: fill }, bgColor: { argb: fill } } }),
    ...(hasFont ? { font: { ...defined(font), ...(color === undefined ? {} : { color: { argb: color } }) } } : {}),
  };
}

const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;

function absolute(range: CellRange): string {
  return range.replace(/[A-Z]+|[0-9]+/g, (part) => `$${part}`);
}

/** Formula of a rule that compares texts; like the applications' own rules it ignores case. */
function textFormula(operator: 'contains' | 'notContains' | 'beginsWith' | 'endsWith', text: string, cell: string) {
  switch (operator) {
    case 'contains':
      return `ISNUMBER(SEARCH(${quoted(text)},${cell}))`;
    case 'notContains':
      return `ISERROR(SEARCH(${quoted(text)},${cell}))`;
    case 'beginsWith':
      return `LOWER(LEFT(${cell},${text.length}))=${quoted(text.toLowerCase())}`;
    case 'endsWith':
      return `LOWER(RIGHT(${cell},${text.length}))=${quoted(text.toLowerCase())}`;
  }
}

type WrittenRule = ExcelJS.ConditionalFormattingRule;
type Operator = NonNullable<Extract<WrittenRule, { type: 'cellIs' }>['operator']>;
/** The library writes every operator of the format, though its types name four. */
const written = (operator: string): operator is Operator => /^[a-zA-Z]+$/.test(operator);

function writtenRule(rule: ConditionalRule, range: CellRange, priority: number): WrittenRule {
  const cell = range.split(':')[0] ?? range;
  switch (rule.type) {
    case 'cell': {
      const formulae = rule.values.map(String);
      const operator: string = rule.operator;
      return {
        type: 'cellIs',
        priority,
        formulae,
        style: highlight(rule.format),
        ...(written(operator) ? { operator } : {}),
      };
    }
    case 'top':
      return {
        type: 'top10',
        priority,
        rank: rule.count,
        percent: rule.percent,
        bottom: rule.bottom,
        style: highlight(rule.format),
      };
    case 'average':
      return { type: 'aboveAverage', priority, aboveAverage: rule.above, style: highlight(rule.format) };
    case 'duplicates':
      return formulaRule(`COUNTIF(${absolute(range)},${cell})${rule.unique ? '=1' : '>1'}`, rule.format, priority);
    case 'text':
      return formulaRule(textFormula(rule.operator, rule.text, cell), rule.format, priority);
    case 'blanks':
      return formulaRule(`LEN(TRIM(${cell}))=0`, rule.format, priority);
    case 'formula':
      return formulaRule(rule.formula.replace(/^=/, ''), rule.format, priority);
    case 'data-bar':
      return {
        type: 'dataBar',
        priority,
        // Without a gradient the library writes an extension under a random id.
        gradient: true,
        cfvo: [{ type: 'min' }, { type: 'max' }],
        ...{ color: { argb: rule.color } },
      };
    case 'color-scale':
      return {
        type: 'colorScale',
        priority,
        cfvo: rule.points.map(({ at, value }) => ({
          type: at === 'number' ? 'num' : at,
          ...(value === undefined ? {} : { value }),
        })),
        color: rule.points.map(({ color }) => ({ argb: color })),
      };
    case 'icons': {
      const count = Number(rule.set[0]);
      return {
        type: 'iconSet',
        priority,
        iconSet: rule.set,
        cfvo: Array.from({ length: count }, (_, index) => ({
          type: 'percent',
          value: Math.round((index * 100) / count),
        })),
      };
    }
  }
}

function formulaRule(formula: string, format: HighlightFormat, priority: number): WrittenRule {
  return { type: 'expression', priority, formulae: [formula], style: highlight(format) };
}

/** Days since the spreadsheet's day 0. */
const serial = (day: string) => Math.round((Date.parse(`${day}T00:00:00Z`) - Date.UTC(1899, 11, 30)) / 86_400_000);

function validationOf({ rule, allowBlank, prompt, error }: Validation): ExcelJS.DataValidation {
  const shared = {
    allowBlank,
    ...(prompt === undefined ? {} : { showInputMessage: true, prompt }),
    ...(error === undefined ? {} : { showErrorMessage: true, errorStyle: 'stop', error }),
  };
  switch (rule.type) {
    case 'list':
      return { type: 'list', formulae: [rule.from ?? quoted((rule.entries ?? []).join(','))], ...shared };
    case 'custom':
      return { type: 'custom', formulae: [rule.formula.replace(/^=/, '')], ...shared };
    default: {
      const type = rule.type === 'text-length' ? 'textLength' : rule.type;
      const formulae = rule.values.map((value) =>
        rule.type === 'date' && typeof value === 'string' ? serial(value) : value,
      );
      return { type: type === 'date' ? 'date' : type, operator: rule.operator, formulae, ...shared };
    }
  }
}

/** Writes what a sheet has besides its cells: single styles, merged cells, conditional formats, validations. */
export function writeFeatures(target: ExcelJS.Worksheet, sheet: Sheet): void {
  for (const { range, style } of sheet.cellStyles ?? []) for (const cell of cellsOf(target, range)) dress(cell, style);
  for (const range of sheet.merges ?? []) target.mergeCells(range);
  let priority = 0;
  for (const { range, rules } of sheet.conditionalFormats ?? []) {
    target.addConditionalFormatting({
      ref: range,
      rules: rules.map((rule) => {
        priority += 1;
        return writtenRule(rule, range, priority);
      }),
    });
  }
  for (const validation of sheet.validations ?? []) {
    for (const cell of cellsOf(target, validation.range)) cell.dataValidation = validationOf(validation);
  }
}
