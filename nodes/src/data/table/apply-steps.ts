import { ForgeError } from '@cua-forge/spec/errors';
import type { Json, JsonObject } from '@cua-forge/spec/json';
import { meant } from '@cua-forge/spec/nearest';
import type { Column, ColumnType } from '@cua-forge/spec/task';
import { compileExpression, isTruthy } from '../expression.ts';
import { append, group, join, pivot, unpivot } from './combine.ts';
import {
  asObject,
  cast,
  checked,
  type Frame,
  frameFrom,
  inferredType,
  keyOf,
  placeOf,
  type Scalar,
  scalarOf,
  wrong,
} from './frame.ts';
import type { Step } from './steps.ts';
import { compare } from './totals.ts';

type StepOf<Op extends Step['op']> = Extract<Step, { op: Op }>;

export interface StepContext {
  /** The node's further inputs, by name. */
  inputs: JsonObject;
  signal: AbortSignal;
  progress(message: string, fraction: number): void;
}

/**
 * Carries steps out, one after the other.
 * @throws ForgeError that names the step: `params.invalid`, `input.invalid`, `expression.invalid`
 */
export async function applySteps(
  start: Json | undefined,
  steps: readonly Step[],
  context: StepContext,
): Promise<Frame> {
  let frame = start === undefined ? null : frameFrom(start, 'The input table');
  for (const [index, step] of steps.entries()) {
    const where = `Step ${index + 1} (${step.op})`;
    context.signal.throwIfAborted();
    context.progress(where, index / steps.length);
    if (step.op === 'rows') frame = fromRows(step, where);
    else if (step.op === 'from') frame = frameFrom(await evaluate(step.expression, context.inputs, where), where);
    else if (frame === null)
      throw wrong(where, 'there is no table yet.', 'Connect the input table, or begin with a step rows or from.');
    else frame = await applyStep(frame, step, where, context);
  }
  if (frame === null)
    throw wrong('The steps', 'there is no table.', 'Connect the input table, or begin with a step rows or from.');
  return frame;
}

async function applyStep(
  frame: Frame,
  step: Exclude<Step, { op: 'rows' | 'from' }>,
  where: string,
  context: StepContext,
): Promise<Frame> {
  switch (step.op) {
    case 'select':
      return select(frame, step, where);
    case 'drop': {
      const places = step.columns.map((name) => placeOf(frame, name, where));
      const kept = frame.columns.flatMap((_, place) => (places.includes(place) ? [] : [place]));
      if (kept.length === 0) throw wrong(where, 'no column would be left.', 'Keep at least one.');
      return pick(frame, kept);
    }
    case 'rename':
      return rename(frame, step, where);
    case 'type':
      return retype(frame, step, where);
    case 'compute':
      return compute(frame, step, where, context.signal);
    case 'fill': {
      const places = new Set(step.columns.map((name) => placeOf(frame, name, where)));
      const filled = (cell: Scalar, place: number) =>
        places.has(place) && (cell === null || cell === '') ? step.value : cell;
      return { columns: frame.columns, rows: frame.rows.map((row) => row.map(filled)) };
    }
    case 'filter':
      return filter(frame, step, where, context.signal);
    case 'sort':
      return sort(frame, step, where);
    case 'limit':
      return { columns: frame.columns, rows: frame.rows.slice(step.skip, step.skip + step.count) };
    case 'unique': {
      const places = (step.columns ?? frame.columns.map(({ name }) => name)).map((name) => placeOf(frame, name, where));
      const seen = new Set<string>();
      const rows = frame.rows.filter((row) => {
        const key = keyOf(places.map((place) => row[place] ?? null));
        return seen.has(key) ? false : seen.add(key);
      });
      return { columns: frame.columns, rows };
    }
    case 'group':
      return group(frame, step, where);
    case 'join':
      return join(frame, other(step.with, where, context), step, where);
    case 'append':
      return append(frame, other(step.with, where, context), where);
    case 'pivot':
      return pivot(frame, step, where);
    case 'unpivot':
      return unpivot(frame, step, where);
  }
}

function other(name: string, where: string, { inputs }: StepContext): Frame {
  const value = Object.hasOwn(inputs, name) ? inputs[name] : undefined;
  if (value === undefined)
    throw wrong(where, `nothing arrives at the input "${name}".`, meant(name, Object.keys(inputs)));
  return frameFrom(value, `${where}, the input ${name}`);
}

function fromRows({ columns, rows }: StepOf<'rows'>, where: string): Frame {
  const made = rows.map((row, index) => {
    if (row.length !== columns.length)
      throw wrong(
        where,
        `row ${index + 1} has ${row.length} cells, and there are ${columns.length} columns.`,
        'Give a cell for each column; null for an empty one.',
      );
    return row.map((cell, place) => castTo(columns[place], cell, where, index));
  });
  return checked({ columns, rows: made }, where);
}

const castTo = (column: Column | undefined, cell: Scalar, where: string, row: number): Scalar =>
  column === undefined ? cell : cast(cell, column.type, where, column.name, row);

const pick = (frame: Frame, places: readonly number[]): Frame => ({
  columns: places.flatMap((place) => frame.columns[place] ?? []),
  rows: frame.rows.map((row) => places.map((place) => row[place] ?? null)),
});

function select(frame: Frame, step: StepOf<'select'>, where: string): Frame {
  const wanted = step.columns.map((one) => (typeof one === 'string' ? { column: one, as: one } : one));
  const picked = pick(
    frame,
    wanted.map(({ column }) => placeOf(frame, column, where)),
  );
  const columns = picked.columns.map((column, index) => ({ ...column, name: wanted[index]?.as ?? column.name }));
  return checked({ columns, rows: picked.rows }, where);
}

function rename(frame: Frame, step: StepOf<'rename'>, where: string): Frame {
  const names = new Map(Object.entries(step.columns));
  for (const name of names.keys()) placeOf(frame, name, where);
  const columns = frame.columns.map((column) => ({ ...column, name: names.get(column.name) ?? column.name }));
  return checked({ columns, rows: frame.rows }, where);
}

function retype(frame: Frame, step: StepOf<'type'>, where: string): Frame {
  const types = new Map<number, ColumnType>(
    Object.entries(step.columns).map(([name, type]) => [placeOf(frame, name, where), type]),
  );
  const columns = frame.columns.map((column, place): Column => {
    const type = types.get(place);
    // The look of another type would not fit.
    return type === undefined || type === column.type ? column : { name: column.name, type };
  });
  const rows = frame.rows.map((row, index) =>
    row.map((cell, place) => (types.has(place) ? castTo(columns[place], cell, where, index) : cell)),
  );
  return { columns, rows };
}

async function compute(frame: Frame, step: StepOf<'compute'>, where: string, signal: AbortSignal): Promise<Frame> {
  const values = (await perRow(frame, step.value, where, signal)).map((value, row) =>
    scalarOf(value, where, step.column, row),
  );
  const { type } = step;
  const column: Column = { name: step.column, type: type ?? inferredType(values) };
  const made = type === undefined ? values : values.map((value, row) => cast(value, type, where, step.column, row));
  const place = frame.columns.findIndex(({ name }) => name === step.column);
  if (place < 0)
    return { columns: [...frame.columns, column], rows: frame.rows.map((row, index) => [...row, made[index] ?? null]) };
  return {
    columns: frame.columns.with(place, column),
    rows: frame.rows.map((row, index) => row.with(place, made[index] ?? null)),
  };
}

async function filter(frame: Frame, step: StepOf<'filter'>, where: string, signal: AbortSignal): Promise<Frame> {
  const verdicts = await perRow(frame, step.where, where, signal);
  return { columns: frame.columns, rows: frame.rows.filter((_, index) => isTruthy(verdicts[index] ?? null)) };
}

async function perRow(frame: Frame, source: string, where: string, signal: AbortSignal): Promise<Json[]> {
  const expression = await at(where, async () => compileExpression(source));
  const results: Json[] = [];
  for (const [index, row] of frame.rows.entries()) {
    if (index % 500 === 0) signal.throwIfAborted();
    results.push(await at(`${where}, row ${index + 1}`, () => expression.evaluate(asObject(frame, row))));
  }
  return results;
}

const evaluate = (source: string, input: JsonObject, where: string): Promise<Json> =>
  at(where, () => compileExpression(source).evaluate(input));

/** Says in which step and row an expression failed. */
async function at<T>(where: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    if (!(thrown instanceof ForgeError)) throw thrown;
    const { code, message, fix, place } = thrown;
    throw new ForgeError(code, `${where}: ${message}`, { fix, place, cause: thrown });
  }
}

function sort(frame: Frame, step: StepOf<'sort'>, where: string): Frame {
  const by = step.by.map((one) => (typeof one === 'string' ? { column: one, descending: false } : one));
  const keys = by.map(({ column, descending }) => ({ place: placeOf(frame, column, where), descending }));
  const rows = [...frame.rows].sort((a, b) => {
    for (const { place, descending } of keys) {
      const [first, second] = [a[place] ?? null, b[place] ?? null];
      const order = compare(first, second);
      if (order !== 0) return descending && first !== null && second !== null ? -order : order;
    }
    return 0;
  });
  return { columns: frame.columns, rows };
}
