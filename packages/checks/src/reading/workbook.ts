import { cellAddress, parseAddress } from '@cua-forge/spec/cell-address';
import type { Look } from '@cua-forge/spec/check-look';
import { ForgeError } from '@cua-forge/spec/errors';
import ExcelJS from 'exceljs';
import { z } from 'zod';
import { readArchive } from './archive.ts';
import { list, missing, rgb, type Scalar, type Seen, value } from './seen.ts';
import { readShownCells, type ShownCell, type ShownSheets } from './shown-cells.ts';

type Of<L extends Look['look']> = Extract<Look, { look: L }>;
type WorkbookLook = Of<'workbook'> | Of<'sheet'> | Of<'cell'> | Of<'range'>;

const MOST_CELLS = 500_000;

function isoText(date: Date): Scalar {
  if (Number.isNaN(date.getTime())) return null;
  const text = date.toISOString();
  return text.endsWith('T00:00:00.000Z') ? text.slice(0, 10) : text.slice(0, 19);
}

function scalarOf(raw: ExcelJS.CellValue | undefined): Scalar {
  if (raw === null || raw === undefined || raw === '') return null;
  if (raw instanceof Date) return isoText(raw);
  if (typeof raw === 'number') return Number.isFinite(raw) ? raw : null;
  if (typeof raw !== 'object') return raw;
  if ('error' in raw) return raw.error;
  if ('richText' in raw) return raw.richText.map(({ text }) => text).join('');
  if ('hyperlink' in raw) return typeof raw.text === 'string' ? raw.text : scalarOf(raw.text);
  if ('result' in raw) return scalarOf(raw.result);
  return null;
}

const colorOf = (color: Partial<ExcelJS.Color> | undefined): Scalar =>
  color?.argb !== undefined ? rgb(color.argb) : color?.theme !== undefined ? `theme ${color.theme}` : null;

const Rule = z.looseObject({
  type: z.string(),
  operator: z.string().nullish(),
  formulae: z.array(z.union([z.string(), z.number()])).nullish(),
  rank: z.number().nullish(),
  percent: z.boolean().nullish(),
  bottom: z.boolean().nullish(),
  aboveAverage: z.boolean().nullish(),
  text: z.string().nullish(),
  iconSet: z.string().nullish(),
  cfvo: z.array(z.looseObject({ type: z.string(), value: z.union([z.string(), z.number()]).nullish() })).nullish(),
  color: z.unknown().optional(),
  style: z
    .looseObject({
      fill: z
        .looseObject({
          bgColor: z.looseObject({ argb: z.string().nullish() }).nullish(),
          fgColor: z.looseObject({ argb: z.string().nullish() }).nullish(),
        })
        .nullish(),
      font: z
        .looseObject({
          bold: z.boolean().nullish(),
          italic: z.boolean().nullish(),
          strike: z.boolean().nullish(),
          color: z.looseObject({ argb: z.string().nullish() }).nullish(),
        })
        .nullish(),
    })
    .nullish(),
});
/** What the library keeps of a sheet and does not type. */
const SheetModel = z.looseObject({
  merges: z.array(z.string()).nullish(),
  conditionalFormattings: z.array(z.looseObject({ ref: z.string(), rules: z.array(Rule) })).nullish(),
  dataValidations: z.unknown().nullish(),
  tables: z
    .array(z.looseObject({ name: z.string(), tableRef: z.string().nullish(), ref: z.string().nullish() }))
    .nullish(),
});

const Colors = z.union([
  z.array(z.looseObject({ argb: z.string() })),
  z.looseObject({ argb: z.string() }).transform((one) => [one]),
]);

/** Colours of a bar or a scale, from the smallest value to the largest. */
function gradient(rule: z.infer<typeof Rule>): string | undefined {
  if (rule.type !== 'dataBar' && rule.type !== 'colorScale') return undefined;
  const colors = Colors.safeParse(rule.color);
  return colors.success ? `colors ${colors.data.map(({ argb }) => rgb(argb)).join(' ')}` : undefined;
}

/** A rule as a text that is the same for the same rule, whoever wrote the file. */
export function ruleText(ref: string, given: unknown): string {
  const rule = Rule.parse(given);
  const fill = rule.style?.fill?.bgColor?.argb ?? rule.style?.fill?.fgColor?.argb;
  const font = rule.style?.font;
  const formulas = (rule.formulae ?? []).map((one) => String(one).replace(/\s+/g, '').replace(/^=/, ''));
  return [
    ref,
    rule.type,
    rule.type === 'cellIs' ? rule.operator : undefined,
    formulas.length === 0 ? undefined : formulas.join(' '),
    rule.type === 'top10'
      ? `${rule.bottom === true ? 'bottom' : 'top'} ${rule.rank ?? 10}${rule.percent === true ? '%' : ''}`
      : undefined,
    rule.type === 'aboveAverage' ? (rule.aboveAverage === false ? 'below' : 'above') : undefined,
    rule.iconSet,
    gradient(rule),
    !fill ? undefined : `fill ${rgb(fill)}`,
    !font?.color?.argb ? undefined : `color ${rgb(font.color.argb)}`,
    font?.bold === true ? 'bold' : undefined,
    font?.italic === true ? 'italic' : undefined,
    font?.strike === true ? 'strike' : undefined,
  ]
    .filter((part) => part !== undefined && part !== null && part !== '')
    .join(' | ');
}

function validationText(validation: ExcelJS.DataValidation): string {
  const formulas = validation.formulae.map((one) => (one instanceof Date ? String(isoText(one)) : String(one)));
  return [validation.type, 'operator' in validation ? validation.operator : undefined, ...formulas]
    .filter((part) => part !== undefined)
    .join(' | ');
}

/** What an application makes of the workbook where the file itself does not say. */
export interface WorkbookConversions {
  /** The workbook with the results of its formulas. */
  calculate(): Promise<Uint8Array>;
  /** The sheets as they look, as HTML. */
  show(): Promise<Uint8Array>;
}

/** A workbook that is open for looking; values of formulas that the file does not hold, and how cells look, are found out when first asked for. */
export class OpenWorkbook {
  #calculated: Promise<ExcelJS.Workbook> | undefined;
  #shown: Promise<ShownSheets> | undefined;

  private constructor(
    private readonly book: ExcelJS.Workbook,
    private readonly conversions: WorkbookConversions,
  ) {}

  /** @throws ForgeError `file.unreadable` */
  static async read(name: string, bytes: Uint8Array, conversions: WorkbookConversions): Promise<OpenWorkbook> {
    return new OpenWorkbook(await load(name, bytes), conversions);
  }

  async look(see: WorkbookLook): Promise<Seen> {
    if (see.look === 'workbook') return this.#book(see.of);
    const sheet = this.#sheet(see.sheet);
    if (sheet === undefined)
      return missing(
        `there is no sheet ${see.sheet}; there are ${this.book.worksheets.map(({ name }) => name).join(', ')}`,
      );
    if (see.look === 'cell') return value(await this.#aspect(sheet, see.cell, see.of));
    if (see.look === 'sheet') return this.#sheetAspect(sheet, see.of);
    const [from = '', to = ''] = see.range.split(':');
    const [first, last] = [parseAddress(from), parseAddress(to)];
    if (first === undefined || last === undefined) return missing(`${see.range} is no range`);
    return list(await this.#area(sheet, first, last, see.of));
  }

  async #area(
    sheet: ExcelJS.Worksheet,
    first: { row: number; column: number },
    last: { row: number; column: number },
    of: Of<'cell'>['of'],
  ): Promise<Scalar[]> {
    if ((last.row - first.row + 1) * (last.column - first.column + 1) > MOST_CELLS)
      throw new ForgeError('input.invalid', `A check looks at more than ${MOST_CELLS} cells at once.`, {
        fix: 'Give a smaller range.',
      });
    const found: Scalar[] = [];
    for (let row = first.row; row <= last.row; row += 1)
      for (let column = first.column; column <= last.column; column += 1)
        found.push(await this.#aspect(sheet, cellAddress(row, column), of));
    return found;
  }

  #sheet(ref: string | number): ExcelJS.Worksheet | undefined {
    return typeof ref === 'number'
      ? this.book.worksheets[ref - 1]
      : this.book.worksheets.find(({ name }) => name === ref);
  }

  #book(of: Of<'workbook'>['of']): Seen {
    const sheets = this.book.worksheets;
    switch (of) {
      case 'sheets':
        return list(sheets.map(({ name }) => name));
      case 'active-sheet': {
        const views: ExcelJS.WorkbookView[] | undefined = this.book.views;
        return value(sheets[views?.[0]?.activeTab ?? 0]?.name);
      }
      case 'defined-names':
        return list(
          this.book.definedNames.model.flatMap(({ name, ranges }) => ranges.map((range) => `${name}=${range}`)).sort(),
        );
      case 'tables':
        return list(sheets.flatMap((sheet) => tablesOf(sheet).map((table) => `${sheet.name}!${table}`)));
    }
  }

  async #sheetAspect(sheet: ExcelJS.Worksheet, of: Of<'sheet'>['of']): Promise<Seen> {
    const model = SheetModel.parse(sheet.model);
    switch (of) {
      case 'values': {
        const [rows, columns] = usedSize(sheet);
        return rows === 0
          ? list([])
          : list(await this.#area(sheet, { row: 1, column: 1 }, { row: rows, column: columns }, 'value'));
      }
      case 'conditional-formats': {
        const formats: unknown =
          'conditionalFormattings' in sheet ? sheet.conditionalFormattings : model.conditionalFormattings;
        const parsed = SheetModel.shape.conditionalFormattings.parse(formats) ?? [];
        return list(parsed.flatMap(({ ref, rules }) => rules.map((rule) => ruleText(ref, rule))));
      }
      case 'validations': {
        const found: string[] = [];
        sheet.eachRow({ includeEmpty: true }, (row) =>
          row.eachCell({ includeEmpty: true }, (cell) => {
            const validation: ExcelJS.DataValidation | undefined = cell.dataValidation;
            if (validation !== undefined) found.push(`${cell.address} | ${validationText(validation)}`);
          }),
        );
        return list(found);
      }
      case 'merges':
        return list([...(model.merges ?? [])].sort());
      case 'frozen': {
        const view = sheet.views.find((one) => one.state === 'frozen');
        return value(
          view === undefined || view.state !== 'frozen'
            ? null
            : `${view.ySplit ?? 0} rows, ${view.xSplit ?? 0} columns`,
        );
      }
      case 'filter': {
        const filter: unknown = sheet.autoFilter;
        return value(
          filter === undefined || filter === null ? null : typeof filter === 'string' ? filter : JSON.stringify(filter),
        );
      }
      case 'tables':
        return list(tablesOf(sheet));
      case 'zoom':
        return value(sheet.views[0]?.zoomScale ?? 100);
      case 'hidden-rows': {
        const hidden: number[] = [];
        sheet.eachRow({ includeEmpty: true }, (row, number) => {
          if (row.hidden) hidden.push(number);
        });
        return list(hidden);
      }
    }
  }

  async #aspect(sheet: ExcelJS.Worksheet, address: string, of: Of<'cell'>['of']): Promise<Scalar> {
    const cell = sheet.getCell(address);
    switch (of) {
      case 'value':
        return this.#value(sheet, cell);
      case 'formula': {
        const formula: string | undefined = cell.formula;
        return typeof formula === 'string' && formula !== '' ? formula.replace(/^=/, '') : null;
      }
      case 'format':
        return cell.numFmt ?? 'General';
      case 'bold':
      case 'italic':
      case 'strike':
        return cell.font?.[of] === true;
      case 'underline':
        return cell.font?.underline !== undefined && cell.font.underline !== false && cell.font.underline !== 'none';
      case 'size':
        return cell.font?.size ?? null;
      case 'color':
        return colorOf(cell.font?.color);
      case 'font':
        return cell.font?.name ?? null;
      case 'fill':
        return cell.fill?.type === 'pattern' && cell.fill.pattern === 'solid' ? colorOf(cell.fill.fgColor) : null;
      case 'align':
        return cell.alignment?.horizontal ?? 'general';
      case 'wrap':
        return cell.alignment?.wrapText === true;
      case 'validation': {
        const validation: ExcelJS.DataValidation | undefined = cell.dataValidation;
        return validation === undefined ? null : validationText(validation);
      }
      default:
        return shownAspect(await this.#shownCell(sheet, cell), of);
    }
  }

  async #shownCell(sheet: ExcelJS.Worksheet, cell: ExcelJS.Cell): Promise<ShownCell | undefined> {
    this.#shown ??= this.conversions.show().then((bytes) => readShownCells(this.book, bytes));
    return (await this.#shown).get(sheet.name)?.get(cell.address);
  }

  async #value(sheet: ExcelJS.Worksheet, cell: ExcelJS.Cell): Promise<Scalar> {
    if (cell.isMerged && cell.master.address !== cell.address) return null;
    const formula: string | undefined = cell.formula;
    if (typeof formula !== 'string' || formula === '') return scalarOf(cell.value);
    const result: ExcelJS.CellValue | undefined = cell.result;
    if (result !== undefined) return scalarOf(result);
    this.#calculated ??= this.conversions.calculate().then((bytes) => load('the calculated workbook', bytes));
    const other = (await this.#calculated).getWorksheet(sheet.name)?.getCell(cell.address);
    const found: ExcelJS.CellValue | undefined = other?.result ?? other?.value;
    return scalarOf(found);
  }
}

function shownAspect(shown: ShownCell | undefined, of: keyof typeof shownAspects): Scalar {
  return shown === undefined ? null : shown[shownAspects[of]];
}

const shownAspects = {
  'shown-fill': 'fill',
  'shown-color': 'color',
  'shown-bold': 'bold',
  'shown-italic': 'italic',
  'shown-strike': 'strike',
} as const;

function tablesOf(sheet: ExcelJS.Worksheet): string[] {
  const model = SheetModel.parse(sheet.model);
  return (model.tables ?? []).map(({ name, tableRef, ref }) => `${name}=${tableRef ?? ref ?? ''}`);
}

/** Last row and column that hold a value. */
function usedSize(sheet: ExcelJS.Worksheet): [number, number] {
  let [rows, columns] = [0, 0];
  sheet.eachRow((row, number) =>
    row.eachCell((cell, column) => {
      if (scalarOf(cell.value) === null && cell.formula === undefined) return;
      rows = Math.max(rows, number);
      columns = Math.max(columns, column);
    }),
  );
  return [rows, columns];
}

async function load(name: string, bytes: Uint8Array): Promise<ExcelJS.Workbook> {
  // Refuses what unpacks to too much before the library unpacks it.
  readArchive(name, bytes, () => true);
  const book = new ExcelJS.Workbook();
  try {
    await book.xlsx.load(new Uint8Array(bytes).buffer);
  } catch (cause) {
    throw new ForgeError('file.unreadable', `${name} is damaged, or no workbook.`, { cause });
  }
  return book;
}
