import { cellAddress, parseAddress } from '@cua-forge/spec/cell-address';
import type { Cell, ColumnType, Sheet, Workbook } from '@cua-forge/spec/task';
import type { ConditionalFormat } from '@cua-forge/spec/workbook-features';

/** What is done to a workbook, one thing at a time. Areas of `set-rules` are all rules that a sheet has afterwards. */
export type WorkbookStep =
  | { do: 'add-sheet'; sheet: string }
  | {
      do: 'put';
      sheet: string;
      cell: string;
      value?: string | number | boolean | null;
      formula?: string;
      day?: string;
      format?: string;
    }
  | { do: 'paint'; sheet: string; cell: string; fill?: string; color?: string }
  | { do: 'set-rules'; sheet: string; areas: ConditionalFormat[] };

interface Placed {
  cell: Cell;
  type: ColumnType;
  format: string | undefined;
}

const usualFormats: Partial<Record<ColumnType, string>> = { date: 'yyyy-mm-dd', currency: '#,##0.00', percent: '0.0%' };

/** Cells of a sheet that hold something, by address. */
function placedCells(sheet: Sheet): Map<string, Placed> {
  const found = new Map<string, Placed>();
  const put = (address: string, cell: Cell | undefined, type: ColumnType, format?: string) => {
    if (cell !== undefined && cell !== null && cell !== '') found.set(address, { cell, type, format });
  };
  for (const [address, cell] of Object.entries(sheet.notes)) put(address, cell, 'text');
  sheet.columns.forEach((column, across) => {
    const at = sheet.firstColumn + across;
    put(cellAddress(sheet.headerRow, at), column.name, 'text');
    sheet.rows.forEach((row, down) => {
      put(
        cellAddress(sheet.headerRow + 1 + down, at),
        row[across],
        column.type,
        column.format ?? usualFormats[column.type],
      );
    });
  });
  return found;
}

function putStep(sheet: string, address: string, placed: Placed | undefined): WorkbookStep {
  const at = { do: 'put', sheet, cell: address } as const;
  if (placed === undefined) return { ...at, value: null };
  const { cell, type, format } = placed;
  const styled = format === undefined ? {} : { format };
  if (typeof cell === 'object' && cell !== null) return { ...at, formula: cell.formula.replace(/^=/, ''), ...styled };
  return type === 'date' && typeof cell === 'string' && /^\d{4}-\d{2}-\d{2}/.test(cell)
    ? { ...at, day: cell.slice(0, 10), ...styled }
    : { ...at, value: cell, ...styled };
}

const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

/** Cells first: by row, so that a table is filled from the top. */
function sheetSteps(before: Sheet | undefined, after: Sheet): WorkbookStep[] {
  const [old, now] = [before === undefined ? new Map<string, Placed>() : placedCells(before), placedCells(after)];
  const changed = [...new Set([...now.keys(), ...old.keys()])]
    .filter((address) => !same(old.get(address)?.cell, now.get(address)?.cell))
    .sort((a, b) => (parseAddress(a)?.row ?? 0) - (parseAddress(b)?.row ?? 0));
  const rules = same(before?.conditionalFormats ?? [], after.conditionalFormats ?? [])
    ? []
    : [{ do: 'set-rules' as const, sheet: after.name, areas: after.conditionalFormats ?? [] }];
  const painted = (after.cellStyles ?? []).slice(before?.cellStyles?.length ?? 0).map(({ range, style }) => ({
    do: 'paint' as const,
    sheet: after.name,
    cell: range.split(':')[0] ?? range,
    ...(style.fill === undefined ? {} : { fill: style.fill }),
    ...(style.font?.color === undefined ? {} : { color: style.font.color }),
  }));
  return [...changed.map((address) => putStep(after.name, address, now.get(address))), ...rules, ...painted];
}

/** What turns one workbook into the other; new sheets come behind the others. */
export function workbookSteps(before: Workbook, after: Workbook): WorkbookStep[] {
  return after.sheets.flatMap((sheet) => {
    const old = before.sheets.find(({ name }) => name === sheet.name);
    return [...(old === undefined ? [{ do: 'add-sheet' as const, sheet: sheet.name }] : []), ...sheetSteps(old, sheet)];
  });
}
