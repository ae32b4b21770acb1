import type { Json } from '@cua-forge/spec/json';
import { Table, Workbook } from '@cua-forge/spec/task';
import { useMemo } from 'react';
import { TreeValue } from './json-tree.tsx';
import { TableView, WorkbookView } from './table-view.tsx';

type Grid = { is: 'workbook'; workbook: Workbook } | { is: 'table'; table: Table };

/** The workbook or the table that a value is; null for another. */
export function gridOf(value: Json): Grid | null {
  const workbook = Workbook.safeParse(value);
  if (workbook.success) return { is: 'workbook', workbook: workbook.data };
  const table = Table.safeParse(value);
  return table.success ? { is: 'table', table: table.data } : null;
}

/** What looks like a workbook or a table, as a grid; as a tree when it is none. */
export default function GridValue({ value }: { value: Json }) {
  const grid = useMemo(() => gridOf(value), [value]);
  if (grid === null) return <TreeValue value={value} />;
  return grid.is === 'workbook' ? <WorkbookView workbook={grid.workbook} /> : <TableView table={grid.table} />;
}
