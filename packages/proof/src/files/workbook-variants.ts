import ExcelJS from 'exceljs';
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';

export interface CellPlace {
  sheet: string;
  address: string;
}
type Scalar = string | number | boolean | null;
interface CellContent {
  value: Scalar;
  formula: string | null;
}

function contentOf(cell: ExcelJS.Cell): CellContent {
  const raw = cell.value;
  const plain = (one: unknown): Scalar => {
    if (one === null || one === undefined || one === '') return null;
    if (one instanceof Date) return one.getTime();
    if (typeof one === 'number' || typeof one === 'string' || typeof one === 'boolean') return one;
    return cell.text;
  };
  if (typeof raw === 'object' && raw !== null && ('formula' in raw || 'sharedFormula' in raw))
    return { value: plain(cell.result), formula: cell.formula };
  return { value: plain(raw), formula: null };
}

/** Cells of a workbook by `sheet!address`; null for what is none. */
export async function cellsOf(bytes: Uint8Array): Promise<Map<string, CellPlace & CellContent> | null> {
  const book = new ExcelJS.Workbook();
  try {
    await book.xlsx.load(Uint8Array.from(bytes).buffer);
  } catch {
    return null;
  }
  const cells = new Map<string, CellPlace & CellContent>();
  for (const sheet of book.worksheets)
    sheet.eachRow((row) =>
      row.eachCell((cell) => {
        const content = contentOf(cell);
        if (content.value !== null || content.formula !== null)
          cells.set(`${sheet.name}!${cell.address}`, { sheet: sheet.name, address: cell.address, ...content });
      }),
    );
  return cells;
}

/** Members of the package that hold the cells of a sheet, by the sheet's name. */
function sheetMembers(members: Record<string, Uint8Array>): Map<string, string> {
  const book = strFromU8(members['xl/workbook.xml'] ?? new Uint8Array());
  const relations = strFromU8(members['xl/_rels/workbook.xml.rels'] ?? new Uint8Array());
  const targets = new Map(
    [...relations.matchAll(/<Relationship\b[^>]*>/g)].map(([tag]) => [
      /\bId="([^"]+)"/.exec(tag)?.[1] ?? '',
      /\bTarget="\/?(?:xl\/)?([^"]+)"/.exec(tag)?.[1] ?? '',
    ]),
  );
  return new Map(
    [...book.matchAll(/<sheet\b[^>]*>/g)].map(([tag]) => [
      unescaped(/\bname="([^"]*)"/.exec(tag)?.[1] ?? ''),
      `xl/${targets.get(/\br:id="([^"]+)"/.exec(tag)?.[1] ?? '') ?? ''}`,
    ]),
  );
}

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
const unescaped = (text: string): string =>
  text
    .replace(/&#(\d+);/g, (_all, code) => String.fromCodePoint(Number(code)))
    .replace(/&#x([0-9a-f]+);/gi, (_all, code) => String.fromCodePoint(Number.parseInt(code, 16)))
    .replace(/&(amp|lt|gt|quot|apos);/g, (_all, name: string) => entities[name] ?? '');
const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** Rewrites the cells of some places as XML; null when none of them was there. */
function rewritten(
  bytes: Uint8Array,
  places: readonly CellPlace[],
  rewrite: (attributes: string, inner: string, place: CellPlace) => string,
): Uint8Array | null {
  const members = unzipSync(bytes);
  const names = sheetMembers(members);
  let count = 0;
  for (const sheet of new Set(places.map((place) => place.sheet))) {
    const member = names.get(sheet) ?? '';
    const content = members[member];
    if (content === undefined) continue;
    const wanted = new Map(places.filter((place) => place.sheet === sheet).map((place) => [place.address, place]));
    const xml = strFromU8(content).replace(
      /<c\b([^>]*?)(?:\/>|>([\s\S]*?)<\/c>)/g,
      (all: string, attributes: string, inner: string | undefined) => {
        const place = wanted.get(/\br="([A-Z]+\d+)"/.exec(attributes)?.[1] ?? '');
        if (place === undefined) return all;
        count += 1;
        return rewrite(attributes, inner ?? '', place);
      },
    );
    members[member] = strToU8(xml);
  }
  return count === 0 ? null : zipSync(members, { level: 1 });
}

const withoutType = (attributes: string): string => attributes.replace(/\s+t="[^"]*"/, '');

/** The same workbook whose formulas at these places say the same in another way. Shared and array formulas stay as they are. */
export const otherFormulas = (bytes: Uint8Array, places: readonly CellPlace[]): Uint8Array | null =>
  rewritten(bytes, places, (attributes, inner) => {
    const formula = /<f>([\s\S]*?)<\/f>/.exec(inner)?.[1];
    return formula === undefined
      ? `<c${attributes}>${inner}</c>`
      : `<c${attributes}>${inner.replace(/<f>[\s\S]*?<\/f>/, () => `<f>IF(TRUE,${formula},0)</f>`)}</c>`;
  });

/** The same values without the formulas that gave them. */
export const fixedValues = (bytes: Uint8Array, places: readonly CellPlace[]): Uint8Array | null =>
  rewritten(
    bytes,
    places,
    (attributes, inner) => `<c${attributes}>${inner.replace(/<f\b[^>]*?(?:\/>|>[\s\S]*?<\/f>)/, '')}</c>`,
  );

/** A number that is another one by a hundredth, and by 1 at least where it is whole. */
const nearby = (value: number): number =>
  value +
  (Number.isInteger(value) ? Math.max(1, Math.round(Math.abs(value) * 0.01)) : Math.max(Math.abs(value) * 0.01, 0.02));

/** The same workbook with another value at one place: numbers are only a little off, as those of a slip are. */
export const otherValue = (bytes: Uint8Array, place: CellPlace, value: Scalar): Uint8Array | null =>
  rewritten(bytes, [place], (attributes, inner) => {
    const formula = /<f\b[^>]*?(?:\/>|>[\s\S]*?<\/f>)/.exec(inner)?.[0] ?? '';
    const own = withoutType(attributes);
    if (typeof value === 'number') {
      // Dates are numbers in the file as well.
      const stored = Number(/<v>([^<]*)<\/v>/.exec(inner)?.[1] ?? Number.NaN);
      return `<c${own}>${formula}<v>${nearby(Number.isFinite(stored) ? stored : value)}</v></c>`;
    }
    if (typeof value === 'boolean') return `<c${own} t="b">${formula}<v>${value ? 0 : 1}</v></c>`;
    const text = escaped(`${value ?? ''} (other)`);
    return formula === ''
      ? `<c${own} t="inlineStr"><is><t>${text}</t></is></c>`
      : `<c${own} t="str">${formula}<v>${text}</v></c>`;
  });
