import { cellsOfSheet, type PlannedCell } from '@cua-forge/checks/derive/workbook-cells';
import { cellLeaf, expectationOf, markerOf } from '@cua-forge/checks/derive/workbook-checks';
import { otherValue, withCell } from '@cua-forge/checks/derive/workbook-variants';
import { cellAddress, columnLetters } from '@cua-forge/spec/cell-address';
import type { Check } from '@cua-forge/spec/check';
import type { AnswerVariant, Cell, HiddenAnswers, Sheet, Workbook } from '@cua-forge/spec/task';
import type { Invoice, Line } from './bills.ts';
import type { Field, Layout } from './ledger.ts';
import type { Result } from './outcomes.ts';

export interface ReconcileProof {
  path: string;
  before: Workbook;
  after: Workbook;
  layout: Layout;
  lines: readonly Line[];
  invoices: readonly Invoice[];
  result: Result;
}

interface Part {
  check: Check[];
  doc: string;
  /** The workbook with this requirement alone missed. */
  variant: Workbook;
}

const plannedOn = (workbook: Workbook, sheet: string): Map<string, PlannedCell> => {
  const found = workbook.sheets.find(({ name }) => name === sheet);
  return found === undefined ? new Map() : cellsOfSheet(found);
};

/** Checks on cells of one sheet, and what one of them looks like when it is wrong. */
class SheetCells {
  readonly #planned: Map<string, PlannedCell>;

  constructor(
    readonly path: string,
    readonly after: Workbook,
    readonly sheet: string,
    readonly marker: string | undefined,
  ) {
    this.#planned = plannedOn(after, sheet);
  }

  leaf(address: string): Check {
    return cellLeaf(this.path, this.sheet, address, expectationOf(this.#planned.get(address)));
  }

  with(address: string, cell: Cell): Workbook {
    return withCell(this.after, this.sheet, address, cell);
  }

  /** The check on these cells, and a variant in which the last of them is another one. */
  cells(addresses: readonly string[], doc: string): Part {
    const filled = addresses.filter((address) => this.#planned.get(address) !== undefined);
    const at = filled.findLast((address) => address !== this.marker) ?? filled[0] ?? addresses[0] ?? 'A1';
    return {
      check: addresses.map((address) => this.leaf(address)),
      doc,
      variant: this.with(at, otherValue(this.#planned.get(at)?.value ?? null)),
    };
  }

  /** What a column shows from one row to another, as a list. */
  column(column: number, from: number, to: number, ordered: boolean): Check {
    const letters = columnLetters(column);
    const list = Array.from(
      { length: to - from + 1 },
      (_, index) => this.#planned.get(cellAddress(from + index, column))?.value ?? null,
    );
    return {
      see: {
        look: 'range',
        path: this.path,
        sheet: this.sheet,
        range: `${letters}${from}:${letters}${to}`,
        of: 'value',
      },
      expect: { list, ordered, text: 'spaces', tolerance: 0.0051 },
    };
  }
}

/** Parts on the ledger itself. */
function ledgerParts({ path, after, layout, lines, invoices, result }: ReconcileProof, marker: string | undefined) {
  const cells = new SheetCells(path, after, layout.sheet, marker);
  const top = layout.headerRow + 1;
  const at = (row: number, field: Field) =>
    cellAddress(
      top + row,
      layout.firstColumn +
        Math.max(
          0,
          layout.fields.findIndex((each) => each.field === field),
        ),
    );
  const beside = layout.firstColumn + layout.fields.length;
  const rows = result.lines.map((_, row) => row);
  const billed = (row: number) => invoices.some(({ number }) => number === result.lines[row]?.number);
  const amounts = (wanted: readonly number[]) => wanted.map((row) => at(row, 'amount'));
  const added = rows.slice(lines.length);
  const below = result.lines.length;
  const belowEmpty = cellLeaf(path, layout.sheet, at(below, 'number'), { absent: true });
  const removed = lines.find((line, index) => lines.findIndex(({ number }) => number === line.number) < index);
  const repeated = layout.fields.reduce(
    (workbook, { field }) => withCell(workbook, layout.sheet, at(below, field), removed?.[field] ?? null),
    after,
  );
  const numbers = layout.firstColumn + layout.fields.findIndex(({ field }) => field === 'number');
  const asked = new Set(result.requirements.map(({ id }) => id));
  // Lines that move up stay whole. Where what they amount to is a matter of its own, it is looked at there.
  const whole = layout.fields.flatMap(({ field }) =>
    field === 'number' || (field === 'amount' && asked.has('amounts')) ? [] : [field],
  );
  const parts: Record<string, () => Part> = {
    column: () => cells.cells([cellAddress(layout.headerRow, beside)], 'The heading is another one.'),
    values: () =>
      cells.cells(
        rows.map((row) => cellAddress(top + row, beside)),
        'One line has another value.',
      ),
    amounts: () => cells.cells(amounts(rows.filter(billed)), 'One amount is another one.'),
    others: () => cells.cells(amounts(rows.filter((row) => !billed(row))), 'An amount without invoice is changed.'),
    filled: () =>
      cells.cells(amounts(rows.filter((row) => lines[row]?.amount === null)), 'One filled amount is another one.'),
    kept: () =>
      cells.cells(amounts(rows.filter((row) => lines[row]?.amount !== null)), 'An amount that was there is changed.'),
    added: () => ({
      check: [...added.map((row) => cells.leaf(at(row, 'number'))), belowEmpty],
      doc: 'One line too many is added.',
      variant: cells.with(at(below, 'number'), result.lines[below - 1]?.number ?? ''),
    }),
    content: () =>
      cells.cells(
        added.flatMap((row) => layout.fields.flatMap(({ field }) => (field === 'number' ? [] : [at(row, field)]))),
        'One added line says something else.',
      ),
    once: () => ({
      check: [
        cells.column(numbers, top, top + below, true),
        ...rows.flatMap((row) => whole.map((field) => cells.leaf(at(row, field)))),
      ],
      doc: 'One double line is still there, at the end.',
      variant: repeated,
    }),
  };
  return parts;
}

/** Parts on the sheet that is added. Which lines there are is checked apart from their order. */
function sheetParts({ path, before, after }: ReconcileProof, sheet: Sheet) {
  const cells = new SheetCells(path, after, sheet.name, undefined);
  const count = sheet.rows.length;
  const width = sheet.columns.length;
  const [top, end] = [2, count + 3];
  const columns = Array.from({ length: width }, (_, index) => index + 1);
  const headings = columns.map((column) => cellAddress(1, column));
  const rows = sheet.rows.map((_, row) => row);
  const address = (row: number, column: number) => cellAddress(top + row, column);
  const listed = (sheet.rows[0] ?? []).some((cell) => typeof cell === 'number') ? [1] : columns;
  const value = (row: number, column: number): Cell => sheet.rows[row]?.[column - 1] ?? null;
  const planned = cellsOfSheet(sheet);
  // A line belongs together wherever it stands, so each is looked for in every row.
  const together: Check[] =
    listed.length > 1
      ? []
      : rows.map((row) => ({
          any: Array.from({ length: count + 1 }, (_, place) => ({
            all: columns.map((column) =>
              cellLeaf(path, sheet.name, address(place, column), expectationOf(planned.get(address(row, column)))),
            ),
          })),
        }));
  const put = (workbook: Workbook, row: number, from: number): Workbook =>
    columns.reduce(
      (made, column) => withCell(made, sheet.name, address(row, column), from < 0 ? null : value(from, column)),
      workbook,
    );
  const swapped =
    count > 1 && listed.length === 1
      ? put(put(after, 0, 1), 1, 0)
      : rows.reduce((made, row) => put(made, row + 1, row), put(after, 0, -1));
  const parts: Record<string, () => Part> = {
    sheet: () => ({
      ...cells.cells(headings, 'One heading is another one.'),
      check: [
        {
          see: { look: 'workbook', path, of: 'sheets' },
          expect: { list: [...before.sheets.map(({ name }) => name), sheet.name], ordered: true, text: 'spaces' },
        },
        ...headings.map((heading) => cells.leaf(heading)),
      ],
    }),
    lines: () => ({
      check: [...listed.map((column) => cells.column(column, top, end, false)), ...together],
      doc: 'One line says something else.',
      variant:
        listed.length > 1
          ? cells.with(address(count, 1), 'x')
          : cells.with(address(count - 1, width), otherValue(value(count - 1, width))),
    }),
    order: () => ({
      check: listed.map((column) => cells.column(column, top, top + Math.max(0, count - 1), true)),
      doc: listed.length > 1 ? 'The lists have a gap.' : 'Two lines stand in another order.',
      variant: swapped,
    }),
  };
  return parts;
}

/** A check for each requirement of a reconciliation, and the workbook with that requirement alone missed. */
export function reconcileChecks(proof: ReconcileProof): Required<Pick<HiddenAnswers, 'checks' | 'variants'>> {
  const { path, before, after, result } = proof;
  const marker = markerOf({ path, prepared: before, expected: after });
  const see = marker === undefined ? undefined : 'not' in marker ? marker.not : marker;
  const marked = see !== undefined && 'see' in see && see.see.look === 'cell' ? see.see.cell : undefined;
  const { extra } = result;
  const begun: Check[] =
    extra === undefined
      ? marker === undefined
        ? []
        : [marker]
      : [{ see: { look: 'workbook', path, of: 'sheets' }, expect: { includes: [extra.name], text: 'spaces' } }];
  const parts = { ...ledgerParts(proof, marked), ...(extra === undefined ? {} : sheetParts(proof, extra)) };
  const proven = result.requirements.flatMap(({ id }) => {
    const part = parts[id]?.();
    return part === undefined || part.check.length === 0 ? [] : [{ id, ...part }];
  });
  return {
    checks: proven.map(({ id, check }) => ({ id, check: { all: [...begun, ...check] } })),
    variants: proven.map(
      ({ id, doc, variant }): AnswerVariant => ({
        requirement: id,
        doc,
        expected: [{ id: 'workbook', path, type: 'xlsx', content: variant }],
      }),
    ),
  };
}
