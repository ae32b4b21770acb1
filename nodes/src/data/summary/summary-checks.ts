import { cellsOfSheet } from '@cua-forge/checks/derive/workbook-cells';
import { cellLeaf, expectationOf, restChecks } from '@cua-forge/checks/derive/workbook-checks';
import { otherValue, withCell } from '@cua-forge/checks/derive/workbook-variants';
import { cellAddress, parseAddress } from '@cua-forge/spec/cell-address';
import type { Check, CheckLeaf } from '@cua-forge/spec/check';
import type { AnswerVariant, Cell, HiddenAnswers, Workbook } from '@cua-forge/spec/task';
import type { Placement } from './placement.ts';
import type { SummaryTable } from './summary-table.ts';

/** Cells of the summary by row from its headings and column from its first one. */
type At = readonly [row: number, column: number];

/**
 * A check for each requirement of a summary, and the workbook with that requirement alone missed. Where the table stands is the matter of
 * `place` alone: the others also hold for one that begins one row lower. `labelColumn` is undefined where labels are no matter of their own.
 */
export function summaryChecks(
  path: string,
  table: SummaryTable,
  { sheet, cell, given, solved }: Placement,
  labelColumn: number | undefined,
): Required<Pick<HiddenAnswers, 'checks' | 'variants'>> {
  const corner = parseAddress(cell) ?? { row: 1, column: 1 };
  const [height, width] = [table.rows.length, table.columns.length];
  const solvedSheet = solved.sheets.find(({ name }) => name === sheet);
  const givenSheet = given.sheets.find(({ name }) => name === sheet);
  const planned = solvedSheet === undefined ? new Map() : cellsOfSheet(solvedSheet);
  const before = givenSheet === undefined ? new Map() : cellsOfSheet(givenSheet);
  const address = ([row, column]: At, lower = 0) => cellAddress(corner.row + row + lower, corner.column + column);
  // On a prepared sheet the headings are there already, and the work begins below them.
  const headed = before.has(cell);
  const start: At = headed ? [1, 0] : [0, 0];
  const isMoved = cellLeaf(path, sheet, address(start), { absent: true });
  const begun: Check = {
    any: [0, 1].map((lower) => cellLeaf(path, sheet, address(start, lower), { present: true })),
  };
  const leaf = (at: At, lower: number): CheckLeaf =>
    cellLeaf(path, sheet, address(at, lower), expectationOf(planned.get(address(at))));
  const either = (leaves: (lower: number) => Check[]): Check => ({
    all: [begun, { any: [{ all: leaves(0) }, { all: [isMoved, ...leaves(1)] }] }],
  });
  const columns = table.columns.map((_, column) => column);
  const body = table.rows.flatMap((_, row) => columns.map((column): At => [row + 1, column]));
  const fixedHeadings: At[] = (table.kind === 'pivot' ? [0] : columns).map((column) => [0, column]);
  // Those of a pivot name the columns, which are the matter of `rows`; on a prepared sheet they stand where they are.
  const namedColumns: At[] = table.kind === 'pivot' ? columns.slice(1).map((column) => [0, column]) : [];
  const values = body.filter(([, column]) => column !== labelColumn);
  const labels = body.filter(([, column]) => column === labelColumn);
  const file = (content: Workbook): AnswerVariant['expected'] => [{ id: 'workbook', path, type: 'xlsx', content }];
  const change = (requirement: string, doc: string, at: At, cellThere: Cell): AnswerVariant => ({
    requirement,
    doc,
    expected: file(withCell(solved, sheet, address(at), cellThere)),
  });
  const valueAt = (at: At): Cell => planned.get(address(at))?.value ?? null;
  // From the last row up, so that nothing is written over before it has moved.
  const moved = [...body, ...(headed ? [] : columns.map((column): At => [0, column]))]
    .sort(([a], [b]) => b - a)
    .reduce(
      (workbook, at) => withCell(withCell(workbook, sheet, address(at, 1), valueAt(at)), sheet, address(at), null),
      solved,
    );
  const [dataSheet] = given.sheets.filter(({ name, rows }) => rows.length > 0 && (name !== sheet || !headed));
  const kept = dataSheet === undefined ? undefined : lastOwn(dataSheet.rows);
  const lastValue = values.findLast((at) => typeof valueAt(at) === 'number') ?? values.at(-1);
  const lastHeading = fixedHeadings.at(-1) ?? start;
  const rest = restChecks(
    { path, prepared: given, expected: solved },
    headed ? columns.map((column) => `${sheet}!${address([0, column])}`) : [],
  );
  return {
    checks: [
      {
        id: 'place',
        check: {
          all: [
            {
              see: { look: 'workbook', path, of: 'sheets' },
              expect: { includes: [sheet], text: 'spaces' },
            },
            cellLeaf(path, sheet, cell, { present: true }),
            cellLeaf(path, sheet, address(start), { present: true }),
            cellLeaf(path, sheet, address([1, 0]), { present: true }),
          ],
        },
      },
      {
        id: 'headings',
        check: headed
          ? { all: [begun, ...fixedHeadings.map((at) => leaf(at, 0))] }
          : either((lower) => fixedHeadings.map((at) => leaf(at, lower))),
      },
      {
        id: 'rows',
        check: either((lower) => [
          cellLeaf(path, sheet, address([height, 0], lower), { present: true }),
          ...columns.map((column) => cellLeaf(path, sheet, address([height + 1, column], lower), { absent: true })),
          ...namedColumns.map((at) => leaf(at, headed ? 0 : lower)),
        ]),
      },
      { id: 'values', check: either((lower) => values.map((at) => leaf(at, lower))) },
      ...(labelColumn === undefined
        ? []
        : [{ id: 'labels', check: either((lower) => labels.map((at) => leaf(at, lower))) }]),
      { id: 'data-unchanged', check: { all: [begun, ...rest] } },
    ],
    variants: [
      { requirement: 'place', doc: 'The summary begins one row lower.', expected: file(moved) },
      change('headings', 'One heading is another one.', lastHeading, otherValue(valueAt(lastHeading))),
      change('rows', 'There is one row too many.', [height + 1, 0], 'x'),
      ...(lastValue === undefined
        ? []
        : [change('values', 'One value is another one.', lastValue, otherValue(valueAt(lastValue)))]),
      ...(labelColumn === undefined
        ? []
        : [
            change(
              'labels',
              'One label is written in another way.',
              [height, labelColumn],
              otherValue(valueAt([height, labelColumn])),
            ),
          ]),
      ...(dataSheet === undefined || kept === undefined
        ? []
        : [
            {
              requirement: 'data-unchanged',
              doc: 'A cell of the data is changed.',
              expected: file(
                withCell(
                  solved,
                  dataSheet.name,
                  cellAddress(dataSheet.headerRow + 1 + kept.row, dataSheet.firstColumn + kept.column),
                  otherValue(kept.cell),
                ),
              ),
            },
          ]),
    ].filter(({ expected }) => width > 0 && expected.length > 0),
  };
}

/** A cell that no formula computes, from the last row up. */
function lastOwn(rows: readonly Cell[][]): { row: number; column: number; cell: Cell } | undefined {
  for (let row = rows.length - 1; row >= 0; row -= 1) {
    const column = (rows[row] ?? []).findIndex((cell) => cell !== null && typeof cell !== 'object' && cell !== '');
    if (column >= 0) return { row, column, cell: rows[row]?.[column] ?? null };
  }
  return undefined;
}
