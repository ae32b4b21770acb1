import type { Cell, Column, Table, Workbook } from '@cua-forge/spec/task';
import { useState } from 'react';
import { Tabs } from '../ui/tabs.tsx';

const PAGE = 50;

/** A workbook, a sheet at a time. */
export function WorkbookView({ workbook }: { workbook: Workbook }) {
  const [name, setName] = useState(workbook.activeSheet ?? workbook.sheets[0]?.name ?? '');
  const sheet = workbook.sheets.find((each) => each.name === name) ?? workbook.sheets[0];
  if (sheet === undefined) return null;
  const notes = Object.entries(sheet.notes);
  return (
    <div className="stack tight">
      {workbook.sheets.length > 1 && (
        <Tabs
          label="Sheets"
          value={name}
          onChange={setName}
          tabs={workbook.sheets.map((each) => ({ id: each.name, label: each.name }))}
        />
      )}
      {notes.length > 0 && (
        <div className="sheet-notes small">
          {notes.map(([address, cell]) => (
            <div key={address}>
              <code className="muted">{address}</code> {cellText(cell)}
            </div>
          ))}
        </div>
      )}
      <Grid columns={sheet.columns} rows={sheet.rows} firstRow={sheet.headerRow + 1} />
    </div>
  );
}

export const TableView = ({ table }: { table: Table }) => (
  <Grid columns={table.columns} rows={table.rows} firstRow={1} />
);

function Grid({
  columns,
  rows,
  firstRow,
}: {
  columns: readonly Column[];
  rows: readonly (readonly Cell[])[];
  firstRow: number;
}) {
  const [shown, setShown] = useState(PAGE);
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
      <section className="grid-scroll" tabIndex={0} aria-label="Table">
        <table className="grid">
          <thead>
            <tr>
              <th aria-label="Row" />
              {columns.map((column, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: columns have no identity but their place
                <th key={index} title={`${column.type}${column.format === undefined ? '' : ` · ${column.format}`}`}>
                  {column.name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, shown).map((row, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: rows have no identity but their place
              <tr key={index}>
                <th>{firstRow + index}</th>
                {columns.map((column, at) => (
                  <td
                    // biome-ignore lint/suspicious/noArrayIndexKey: cells have no identity but their place
                    key={`${at}${column.name}`}
                    className={typeof resultOf(row[at] ?? null) === 'number' ? 'number' : undefined}
                    title={formulaOf(row[at] ?? null)}
                  >
                    {cellText(row[at] ?? null)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <div className="row small muted">
        {rows.length} rows × {columns.length} columns
        {rows.length > shown && (
          <button type="button" className="button quiet compact" onClick={() => setShown(shown + PAGE * 4)}>
            Show more
          </button>
        )}
      </div>
    </>
  );
}

const resultOf = (cell: Cell): string | number | boolean | null =>
  typeof cell === 'object' && cell !== null ? (cell.result ?? null) : cell;
const formulaOf = (cell: Cell): string | undefined =>
  typeof cell === 'object' && cell !== null ? `=${cell.formula}` : undefined;
function cellText(cell: Cell): string {
  const value = resultOf(cell);
  if (value === null) return formulaOf(cell) ?? '';
  return typeof value === 'number' ? value.toLocaleString(undefined, { maximumFractionDigits: 4 }) : String(value);
}
