import { cellAddress } from '@cua-forge/spec/cell-address';
import type { Cell, Column, Sheet } from '@cua-forge/spec/task';
import { type Random, randomFrom } from '../random.ts';
import { type Frame, placeRows, resultOf } from './frame.ts';
import type { Part, Traits } from './structure.ts';

interface Palette {
  name: string;
  fill?: string;
  font?: string;
}

const palettes: [Palette, ...Palette[]] = [
  { name: 'plain' },
  { name: 'navy', fill: 'FF1F4E78', font: 'FFFFFFFF' },
  { name: 'teal', fill: 'FF0F766E', font: 'FFFFFFFF' },
  { name: 'sand', fill: 'FFFDE9C9', font: 'FF5B3A00' },
  { name: 'graphite', fill: 'FF404040', font: 'FFFFFFFF' },
  { name: 'mint', fill: 'FFD9EAD3', font: 'FF274E13' },
  { name: 'plum', fill: 'FF6B2C5F', font: 'FFFFFFFF' },
  { name: 'sky', fill: 'FFDDEBF7', font: 'FF1F3864' },
];

/** How the sheets look; one layout for all sheets of a workbook. */
export interface Layout {
  headerRow: number;
  firstColumn: number;
  title: boolean;
  subtitle: boolean;
  style: Sheet['style'];
  amountFormat: string | undefined;
  widths: 'fitted' | 'even' | 'default';
  traits: Traits;
}

export function drawLayout(seed: number): Layout {
  const random = (what: string) => randomFrom(seed, `layout/${what}`);
  const heading = random('heading').pick(['none', 'none', 'title', 'title and subtitle', 'blank rows']);
  const title = heading.startsWith('title');
  const gap = random('gap').integer(0, 1);
  const headerRow = { none: 1, title: 2 + gap, 'title and subtitle': 3 + gap, 'blank rows': 2 + gap }[heading] ?? 1;
  const firstColumn = random('indent').pick([1, 1, 1, 2, 3]);
  const palette = random('palette').pick(palettes);
  const [banded, freezeHeader, autoFilter] = ['banded', 'freeze', 'filter'].map((what) => random(what).chance(0.45));
  const amountFormat = random('amounts').pick([undefined, '#,##0.00', '#,##0', '"$"#,##0.00', '[$€-2] #,##0.00']);
  const widths = random('widths').pick(['fitted', 'even', 'default'] as const);
  return {
    headerRow,
    firstColumn,
    title,
    subtitle: heading === 'title and subtitle',
    style: {
      ...(palette.fill === undefined ? {} : { headerFill: palette.fill }),
      ...(palette.font === undefined ? {} : { headerFont: palette.font }),
      ...(banded === true ? { banded } : {}),
      ...(freezeHeader === true ? { freezeHeader } : {}),
      ...(autoFilter === true ? { autoFilter } : {}),
    },
    amountFormat,
    widths,
    traits: {
      heading: heading === 'none' ? 'table starts in the first row' : heading,
      'first column': firstColumn === 1 ? 'at the edge' : 'indented',
      header: palette.name,
      rows: banded === true ? 'banded' : 'plain',
      'frozen header': freezeHeader === true ? 'yes' : 'no',
      filter: autoFilter === true ? 'yes' : 'no',
      amounts:
        amountFormat === undefined
          ? 'unformatted'
          : amountFormat.includes('€')
            ? 'in euro'
            : amountFormat.includes('$')
              ? 'in dollars'
              : 'with separators',
      widths,
    },
  };
}

function widthOf(column: Column, frame: Frame, layout: Layout): number | undefined {
  if (layout.widths === 'default') return undefined;
  if (layout.widths === 'even') return 16;
  const longest = Math.max(
    column.name.length,
    ...frame.rows.map((row) => String(resultOf(row.cells.get(column.name)) ?? '').length),
  );
  return Math.min(40, Math.max(9, longest + 3));
}

/** Places a part on a sheet. Columns of amounts get the layout's format unless whole numbers would show cents. */
export function placeSheet(
  part: Part,
  layout: Layout,
  measures: ReadonlySet<string>,
  title: string,
  subtitle: string,
): Sheet {
  const { frame } = part;
  const columns = frame.columns.map((column): Column => {
    const width = widthOf(column, frame, layout);
    const whole = frame.rows.every((row) => Number.isInteger(resultOf(row.cells.get(column.name))));
    const format = measures.has(column.name)
      ? whole && layout.amountFormat !== undefined
        ? layout.amountFormat.replace('.00', '')
        : layout.amountFormat
      : column.format;
    const isMoney = measures.has(column.name) && (format?.includes('$') ?? false);
    return {
      name: column.name,
      type: isMoney ? 'currency' : column.type,
      ...(format === undefined ? {} : { format }),
      ...(width === undefined ? {} : { width }),
    };
  });
  const notes: Record<string, Cell> = {};
  if (layout.title) notes[cellAddress(1, layout.firstColumn)] = title;
  if (layout.subtitle) notes[cellAddress(2, layout.firstColumn)] = subtitle;
  return {
    name: part.name,
    notes,
    headerRow: layout.headerRow,
    firstColumn: layout.firstColumn,
    columns,
    rows: placeRows(frame, layout.headerRow + 1, layout.firstColumn),
    style: layout.style,
  };
}

/** A sheet beside the data that has nothing to do with the task, or none. */
export function companionSheet(
  title: string,
  columns: readonly string[],
  taken: ReadonlySet<string>,
  random: Random,
): { sheet: Sheet | undefined; label: string } {
  const label = random.pick(['none', 'none', 'about', 'columns']);
  const name = label === 'about' ? 'About' : 'Column notes';
  if (label === 'none' || taken.has(name.toLowerCase())) return { sheet: undefined, label: 'none' };
  const rows: Cell[][] =
    label === 'about'
      ? [
          ['Workbook', title],
          ['Status', random.pick(['final', 'draft', 'under review'])],
          ['Kept by', random.pick(['Finance', 'Operations', 'Sales support'])],
        ]
      : columns.map((column) => [column, random.pick(['as exported', 'checked', 'entered by hand'])]);
  return {
    label,
    sheet: {
      name,
      notes: {},
      headerRow: 1,
      firstColumn: 1,
      rows,
      style: {},
      columns: [
        { name: label === 'about' ? 'Item' : 'Column', type: 'text', width: 22 },
        { name: label === 'about' ? 'Entry' : 'Remark', type: 'text', width: 32 },
      ],
    },
  };
}
