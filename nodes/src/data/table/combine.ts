import type { Column } from '@cua-forge/spec/task';
import { checked, type Frame, inferredType, keyOf, placeOf, type Scalar, wrong } from './frame.ts';
import type { Step } from './steps.ts';
import { compare, groupsOf, totalColumn, totalled, totalOf } from './totals.ts';

type StepOf<Op extends Step['op']> = Extract<Step, { op: Op }>;

export function group(frame: Frame, step: StepOf<'group'>, where: string): Frame {
  const places = step.by.map((name) => placeOf(frame, name, where));
  const totals = step.totals.map((one) => ({ ...one, place: totalled(frame, one.total, one.column, where) }));
  if (places.length + totals.length === 0)
    throw wrong(where, 'there is neither a column to group by nor a total.', 'Give by, totals, or both.');
  const groups = places.length === 0 ? [{ key: [], rows: [...frame.rows] }] : groupsOf(frame.rows, places);
  return checked(
    {
      columns: [
        ...places.flatMap((place) => frame.columns[place] ?? []),
        ...totals.map(({ as, total, place }) => totalColumn(frame, as, total, place)),
      ],
      rows: groups.map(({ key, rows }) => [
        ...key,
        ...totals.map(({ total, place }) => totalOf(frame, rows, total, place, where)),
      ]),
    },
    where,
  );
}

export function join(left: Frame, right: Frame, step: StepOf<'join'>, where: string): Frame {
  const on = step.on.map((key) => (typeof key === 'string' ? { left: key, right: key } : key));
  const leftPlaces = on.map((key) => placeOf(left, key.left, where));
  const rightPlaces = on.map((key) => placeOf(right, key.right, `${where}, in ${step.with}`));
  const taken =
    step.columns?.map((name) => placeOf(right, name, `${where}, in ${step.with}`)) ??
    right.columns.flatMap((_, place) => (rightPlaces.includes(place) ? [] : [place]));
  const partners = new Map(groupsOf(right.rows, rightPlaces).map(({ key, rows }) => [keyOf(key), rows]));
  const columns: Column[] = taken.flatMap((place) => {
    const column = right.columns[place];
    return column === undefined ? [] : [{ ...column, name: `${step.prefix}${column.name}` }];
  });
  const rows: Scalar[][] = [];
  for (const row of left.rows) {
    const key = leftPlaces.map((place) => row[place] ?? null);
    // As in databases, an empty key is equal to nothing.
    const found = key.includes(null) ? [] : (partners.get(keyOf(key)) ?? []);
    if (step.keep === 'unmatched') {
      if (found.length === 0) rows.push([...row]);
    } else if (found.length === 0) {
      if (step.keep === 'left') rows.push([...row, ...taken.map(() => null)]);
    } else for (const other of found) rows.push([...row, ...taken.map((place) => other[place] ?? null)]);
    checked({ columns: [], rows }, where);
  }
  return checked({ columns: step.keep === 'unmatched' ? left.columns : [...left.columns, ...columns], rows }, where);
}

export function append(frame: Frame, other: Frame, where: string): Frame {
  const added = other.columns.filter(({ name }) => !frame.columns.some((column) => column.name === name));
  const columns = [...frame.columns, ...added];
  const fitted = ({ columns: own, rows }: Frame): Scalar[][] => {
    const places = columns.map(({ name }) => own.findIndex((column) => column.name === name));
    return rows.map((row) => places.map((place) => row[place] ?? null));
  };
  return checked({ columns, rows: [...fitted(frame), ...fitted(other)] }, where);
}

export function pivot(frame: Frame, step: StepOf<'pivot'>, where: string): Frame {
  const rowPlaces = step.rows.map((name) => placeOf(frame, name, where));
  const across = placeOf(frame, step.columns, where);
  const value = totalled(frame, step.total, step.value, where);
  const headings = groupsOf(frame.rows, [across]).map(({ key }) => key[0] ?? null);
  if (headings.length > 200)
    throw wrong(
      where,
      `"${step.columns}" has ${headings.length} different values.`,
      'At most 200 can become columns; group first.',
    );
  headings.sort(compare);
  return checked(
    {
      columns: [
        ...rowPlaces.flatMap((place) => frame.columns[place] ?? []),
        ...headings.map((heading) =>
          totalColumn(frame, heading === null ? '(empty)' : String(heading), step.total, value),
        ),
      ],
      rows: groupsOf(frame.rows, rowPlaces).map(({ key, rows }) => {
        const cells = new Map(groupsOf(rows, [across]).map((cell) => [keyOf(cell.key), cell.rows]));
        return [
          ...key,
          ...headings.map((heading) => {
            const found = cells.get(keyOf([heading]));
            return found === undefined ? step.fill : totalOf(frame, found, step.total, value, where);
          }),
        ];
      }),
    },
    where,
  );
}

export function unpivot(frame: Frame, step: StepOf<'unpivot'>, where: string): Frame {
  const places = step.columns.map((name) => placeOf(frame, name, where));
  const kept = frame.columns.flatMap((_, place) => (places.includes(place) ? [] : [place]));
  const rows = frame.rows.flatMap((row) =>
    places.map((place): Scalar[] => [
      ...kept.map((one) => row[one] ?? null),
      frame.columns[place]?.name ?? '',
      row[place] ?? null,
    ]),
  );
  const types = new Set(places.map((place) => frame.columns[place]?.type));
  const [only] = types;
  return checked(
    {
      columns: [
        ...kept.flatMap((place) => frame.columns[place] ?? []),
        { name: step.name, type: 'text' },
        {
          name: step.value,
          type: types.size === 1 && only !== undefined ? only : inferredType(rows.map((row) => row.at(-1) ?? null)),
        },
      ],
      rows,
    },
    where,
  );
}
