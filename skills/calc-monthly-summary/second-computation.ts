import ExcelJS from 'exceljs';

/** A row of the prepared workbook, as read from its bytes. */
export interface Line {
  sheet: string;
  cells: Record<string, string | number>;
}

/** Where the test looks for the data: told by the node that reshaped it. */
export interface Where {
  sheets: string[];
  splitBy: string | null;
  period: { column: string; yearColumn: string | null } | null;
  wide: { column: string; period: string; measure: string }[];
}

const monthWords = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');

/** Rows below the row that holds all the headings, until the first empty one; formulas count by their results. */
export async function readLines(bytes: Uint8Array, where: Where, headings: readonly string[]): Promise<Line[]> {
  const book = new ExcelJS.Workbook();
  await book.xlsx.load(new Uint8Array(bytes).buffer);
  return where.sheets.flatMap((name) => {
    const sheet = book.getWorksheet(name);
    if (sheet === undefined) throw new Error(`no sheet ${name}`);
    const wanted = headings.filter((heading) => heading !== where.splitBy);
    let columns: Map<string, number> | undefined;
    const lines: Line[] = [];
    sheet.eachRow((row) => {
      if (columns === undefined) {
        const found = new Map<string, number>();
        row.eachCell((cell, at) => {
          if (!found.has(cell.text)) found.set(cell.text, at);
        });
        if (wanted.every((heading) => found.has(heading))) columns = found;
        return;
      }
      const cells: Line['cells'] = {};
      for (const [heading, at] of columns) {
        const cell = row.getCell(at);
        const value = cell.result ?? cell.value;
        if (value instanceof Date) cells[heading] = value.toISOString().slice(0, 10);
        else if (typeof value === 'number' || typeof value === 'string') cells[heading] = value;
      }
      if (wanted.some((heading) => cells[heading] !== undefined)) lines.push({ sheet: name, cells });
    });
    return lines;
  });
}

/** Time of a line as a number that sorts: year × 12 + month from 0, or year × 4 + quarter from 0, or the year. */
export function timeOf(
  text: string | number,
  year: string | number | undefined,
  unit: 'month' | 'quarter' | 'year',
  heading: string,
): number {
  const value = String(text);
  const years = Number(year ?? /\b(\d{4})\b/.exec(value)?.[1] ?? 0);
  const quarter = /(?:Q|quarter )([1-4])/i.exec(value)?.[1];
  if (quarter !== undefined) return unit === 'year' ? years : years * 4 + Number(quarter) - 1;
  const iso = /^(\d{4})-(\d{2})/.exec(value);
  const named = monthWords.findIndex((word) => value.toLowerCase().startsWith(word));
  const month =
    iso?.[2] !== undefined
      ? Number(iso[2]) - 1
      : named >= 0
        ? named
        : /month/i.test(heading)
          ? Number(value) - 1
          : Number.NaN;
  if (Number.isNaN(month)) return Number(value);
  if (unit === 'year') return years;
  return unit === 'quarter' ? years * 4 + Math.floor(month / 3) : years * 12 + month;
}

/** What a person is told: nothing but the public outcome. */
export interface Wanted {
  kind: string;
  summary: string;
  requirements: { id: string; text: string }[];
}

interface Entry {
  time: number;
  cells: Record<string, string | number>;
}

type Unit = 'month' | 'quarter' | 'year';
type Value = string | number | null;

/** One entry for each amount: wide tables give one for each of their periods. */
function entriesOf(lines: readonly Line[], where: Where, unit: Unit | undefined): Entry[] {
  return lines.flatMap((line): Entry[] => {
    const cells: Entry['cells'] =
      where.splitBy === null ? { ...line.cells } : { ...line.cells, [where.splitBy]: line.sheet };
    const periods = [...new Set(where.wide.map((each) => each.period))];
    if (periods.length > 0) {
      return periods.map((period) => {
        const own = where.wide
          .filter((each) => each.period === period)
          .map((each) => [each.measure, line.cells[each.column] ?? 0]);
        return {
          time: timeOf(period.slice(5), 0, unit ?? 'quarter', 'Month'),
          cells: { ...cells, ...Object.fromEntries(own) },
        };
      });
    }
    const { column, yearColumn } = where.period ?? { column: '', yearColumn: null };
    const year = yearColumn === null ? undefined : line.cells[yearColumn];
    return [{ time: unit === undefined ? 0 : timeOf(line.cells[column] ?? '', year, unit, column), cells }];
  });
}

const amounts = (entries: readonly Entry[], measure: string) =>
  entries.map((entry) => Number(entry.cells[measure] ?? 0));
const sum = (values: readonly number[]) => values.reduce((all, value) => all + value, 0);

function headingsOf(wanted: Wanted): string[] {
  const text = wanted.requirements.find((one) => one.id === 'headings')?.text ?? '';
  return (/in this order: (.*)\.$/.exec(text)?.[1] ?? /first heading is (.*)\.$/.exec(text)?.[1] ?? '').split(', ');
}

const named = (measure: string) => (/^total\b/i.test(measure) ? measure : `Total ${measure}`);

/**
 * Solves the task from the public outcome and the prepared data alone, in another way than the product does. Times are numbers
 * as in `timeOf`. Rows are in the order that was asked for.
 */
export function solve(
  wanted: Wanted,
  lines: readonly Line[],
  where: Where,
  measures: readonly string[],
  dimensions: readonly string[],
): Value[][] {
  const [, what = '', by = ''] = /^(.*) by (\w+)$/.exec(wanted.kind) ?? [];
  const unit = by === 'month' || by === 'quarter' || by === 'year' ? by : undefined;
  const headings = headingsOf(wanted);
  const byLength = [...measures].sort((a, b) => b.length - a.length);
  const isIn = (measure: string) =>
    headings.some((heading) =>
      [named(measure), `Average ${measure}`, `Largest ${measure}`, `Smallest ${measure}`].includes(heading),
    ) ||
    new RegExp(`shows the (total )?${measure.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')} for each`).test(wanted.summary);
  const measure = byLength.find(isIn) ?? '';
  const groupBy =
    dimensions.find((name) => headings.some((heading) => heading === name || heading.endsWith(` ${name}`))) ?? '';
  let entries = entriesOf(lines, where, unit);
  const only = /counting only rows whose (.+?) is (.+?)(?:, taking|\.$)/.exec(wanted.summary);
  if (only?.[1] !== undefined) entries = entries.filter((entry) => entry.cells[only[1] ?? ''] === only[2]);
  const keyOf = (entry: Entry): string | number => (unit === undefined ? String(entry.cells[groupBy]) : entry.time);
  const keys = [...new Set(entries.map(keyOf))].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  const members = (key: string | number) => entries.filter((entry) => keyOf(entry) === key);
  const groups = keys.map((key) => ({ key, of: members(key), total: sum(amounts(members(key), measure)) }));
  const whole = sum(groups.map((group) => group.total));
  const descending = [...groups].sort((a, b) => b.total - a.total);
  switch (what) {
    case 'totals':
    case 'totals of one category':
      return groups.map((group) => [group.key, group.total]);
    case 'totals with a closing row':
      return [...groups.map((group) => [group.key, group.total]), ['Total', whole]];
    case 'roll-up':
      return [
        ...groups.map((group) => [group.key, group.total]),
        ...(/closing row/.test(wanted.summary) ? [['Total', whole]] : []),
      ];
    case 'pivot': {
      const dimension = / and each (.+) across the top/.exec(wanted.summary)?.[1] ?? '';
      const across = [...new Set(entries.map((entry) => String(entry.cells[dimension])))].sort();
      return groups.map((group) => [
        group.key,
        ...across.map((value) =>
          sum(
            amounts(
              group.of.filter((entry) => entry.cells[dimension] === value),
              measure,
            ),
          ),
        ),
      ]);
    }
    case 'the highest':
      return descending.slice(0, 1).map((group) => [group.key, group.total]);
    case 'the lowest': {
      const least = Math.min(...groups.map((group) => group.total));
      return groups
        .filter((group) => Math.abs(group.total - least) < 1e-6)
        .slice(0, 1)
        .map((group) => [group.key, group.total]);
    }
    case 'average and count':
      return groups.map((group) => [group.key, group.of.length, group.total / group.of.length]);
    case 'above a limit': {
      const limit = Number(/is at least ([\d.]+?),/.exec(wanted.summary)?.[1]);
      return descending.filter((group) => group.total >= limit).map((group) => [group.key, group.total]);
    }
    case 'ranking':
      return descending.map((group, index) => [index + 1, group.key, group.total]);
    case 'shares':
      return groups.map((group) => [group.key, group.total, group.total / whole]);
    case 'largest entry':
      return groups.map((group) => [group.key, Math.max(...amounts(group.of, measure))]);
    case 'smallest entry':
      return groups.map((group) => [group.key, Math.min(...amounts(group.of, measure))]);
    case 'running total':
      return groups.map((group, index) => [
        group.key,
        group.total,
        sum(groups.slice(0, index + 1).map((each) => each.total)),
      ]);
    case 'change':
      return groups.map((group, index) => [
        group.key,
        group.total,
        index === 0 ? null : group.total - (groups[index - 1]?.total ?? 0),
      ]);
    case 'change in percent':
      return groups.map((group, index) => [
        group.key,
        group.total,
        index === 0 ? null : group.total / (groups[index - 1]?.total ?? 0) - 1,
      ]);
    case 'two measures with difference': {
      const [first = '', second = ''] = headings
        .slice(1, 3)
        .map((heading) => measures.find((each) => named(each) === heading) ?? '');
      return groups.map((group) => {
        const [a, b] = [sum(amounts(group.of, first)), sum(amounts(group.of, second))];
        return [group.key, a, b, a - b];
      });
    }
    default:
      throw new Error(`no second computation for ${what}`);
  }
}

/** Rows below a heading of a workbook, by its address, until a row whose first cell is empty; `width` columns. */
export async function readTable(
  bytes: Uint8Array,
  sheetName: string,
  address: string,
  width: number,
): Promise<{ headings: string[]; rows: Value[][] }> {
  const book = new ExcelJS.Workbook();
  await book.xlsx.load(new Uint8Array(bytes).buffer);
  const sheet = book.getWorksheet(sheetName);
  if (sheet === undefined) throw new Error(`no sheet ${sheetName}`);
  const corner = sheet.getCell(address);
  const read = (down: number): Value[] =>
    Array.from({ length: width }, (_, across) => {
      const value = sheet.getCell(corner.fullAddress.row + down, corner.fullAddress.col + across).value;
      return typeof value === 'number' || typeof value === 'string' ? value : null;
    });
  const rows: Value[][] = [];
  for (let down = 1; read(down)[0] !== null; down += 1) rows.push(read(down));
  return { headings: read(0).map(String), rows };
}
