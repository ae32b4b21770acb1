import { cellAddress } from '@cua-forge/spec/cell-address';
import type { Subject } from '../subject.ts';

/** Cells, as `sheet!address`, that the expected content of a workbook fixes; null where it is not known. */
export function cellsOf({ hidden }: Subject, path: string): Set<string> | null {
  const file = hidden?.expected.find((one) => one.path === path);
  if (file?.type !== 'xlsx') return null;
  return new Set(
    file.content.sheets.flatMap((sheet) => [
      ...Object.keys(sheet.notes).map((address) => `${sheet.name}!${address}`),
      ...sheet.columns.map(
        (_column, index) => `${sheet.name}!${cellAddress(sheet.headerRow, sheet.firstColumn + index)}`,
      ),
      ...sheet.rows.flatMap((row, down) =>
        row.flatMap((cell, across) =>
          cell === null ? [] : [`${sheet.name}!${cellAddress(sheet.headerRow + 1 + down, sheet.firstColumn + across)}`],
        ),
      ),
    ]),
  );
}
