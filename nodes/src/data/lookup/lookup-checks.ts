import { cellsOfSheet } from '@cua-forge/checks/derive/workbook-cells';
import { cellLeaf, expectationOf, restChecks } from '@cua-forge/checks/derive/workbook-checks';
import { otherValue, withCell } from '@cua-forge/checks/derive/workbook-variants';
import { cellAddress } from '@cua-forge/spec/cell-address';
import type { Check } from '@cua-forge/spec/check';
import type { Cell, HiddenAnswers, Sheet, Workbook } from '@cua-forge/spec/task';

export interface LookupProof {
  path: string;
  before: Workbook;
  after: Workbook;
  /** The sheet with the results, as it is in the end; the results stand in its last column. */
  target: Sheet;
  /** The sheet that the formulas have to look at besides. */
  other: string;
  /** What stands in the column at the start, row by row. */
  start: readonly Cell[];
}

const errors = ['#N/A', '#REF!', '#VALUE!', '#NAME?', '#DIV/0!', '#NUM!', '#NULL!'];
const shown = (cell: Cell | undefined) => (typeof cell === 'object' && cell !== null ? cell.result : cell) ?? null;

/**
 * A check for each requirement of a lookup, and the workbook with that requirement alone missed. How a result is worked out is left
 * open: any formula that names the other sheet and shows the right value will do.
 */
export function lookupChecks({
  path,
  before,
  after,
  target,
  other,
  start,
}: LookupProof): Required<Pick<HiddenAnswers, 'checks' | 'variants'>> {
  const { name: sheet, headerRow, firstColumn, columns, rows } = target;
  const column = firstColumn + columns.length - 1;
  const address = (row: number) => cellAddress(headerRow + 1 + row, column);
  const heading = cellAddress(headerRow, column);
  const planned = cellsOfSheet(target);
  const cellOf = (row: number): Cell => rows[row]?.[columns.length - 1] ?? null;
  const all = rows.map((_, row) => row);
  const look = (row: number, of: 'value' | 'formula') =>
    ({ look: 'cell', path, sheet, cell: address(row), of }) as const;
  // The first row whose result differs shows that the work has begun.
  const mark = Math.max(
    0,
    all.findIndex((row) => shown(start[row]) !== shown(cellOf(row))),
  );
  const markedBefore = shown(start[mark]);
  const begun: Check =
    markedBefore === null
      ? cellLeaf(path, sheet, address(mark), { present: true })
      : { not: cellLeaf(path, sheet, address(mark), { equals: markedBefore, text: 'spaces' }) };
  const otherRow = all.findLast((row) => row !== mark) ?? mark;
  const variant = (requirement: string, doc: string, place: string, cell: Cell) => ({
    requirement,
    doc,
    expected: [{ id: 'workbook', path, type: 'xlsx' as const, content: withCell(after, sheet, place, cell) }],
  });
  const range = `${address(0)}:${address(rows.length - 1)}`;
  const first = cellAddress(headerRow, firstColumn);
  const wanted = cellOf(otherRow);
  return {
    checks: [
      {
        id: 'values',
        check: {
          all: [
            begun,
            ...all.map((row) => ({
              any: [
                cellLeaf(path, sheet, address(row), { absent: true }),
                cellLeaf(path, sheet, address(row), expectationOf(planned.get(address(row)))),
              ],
            })),
          ],
        },
      },
      {
        id: 'place',
        check: { all: [begun, cellLeaf(path, sheet, heading, expectationOf(planned.get(heading)))] },
      },
      {
        id: 'formulas',
        check: {
          all: [
            begun,
            ...all.map((row) => ({
              any: [
                cellLeaf(path, sheet, address(row), { absent: true }),
                {
                  see: look(row, 'formula'),
                  expect: { contains: other.replaceAll("'", "''"), text: 'spaces' as const },
                },
              ],
            })),
          ],
        },
      },
      {
        id: 'all-rows',
        check: {
          all: [
            begun,
            ...all.map((row) => cellLeaf(path, sheet, address(row), { present: true })),
            {
              see: { look: 'range', path, sheet, range, of: 'value' },
              expect: { excludes: errors, text: 'spaces' },
            },
          ],
        },
      },
      {
        id: 'data-unchanged',
        check: {
          all: [
            begun,
            ...restChecks({ path, prepared: before, expected: after }, [
              `${sheet}!${heading}`,
              ...all.map((row) => `${sheet}!${address(row)}`),
            ]),
          ],
        },
      },
    ],
    variants: [
      variant('values', 'One result is another one.', address(otherRow), otherValue(wanted)),
      variant('place', 'The column has another heading.', heading, otherValue(columns.at(-1)?.name ?? '')),
      variant('formulas', 'One result is typed.', address(otherRow), shown(wanted)),
      variant('all-rows', 'One row has no result.', address(otherRow), null),
      variant('data-unchanged', 'Another heading is changed.', first, otherValue(columns[0]?.name ?? '')),
    ],
  };
}
