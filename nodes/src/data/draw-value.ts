import type { Json } from '@cua-forge/spec/json';
import type { Cell, ColumnType, Table } from '@cua-forge/spec/task';
import { faker } from '@faker-js/faker/locale/en';
import { z } from 'zod';
import type { Draw, ValueDraw } from './draws.ts';
import { type Random, randomFrom } from './random.ts';

const dayMs = 86_400_000;
const epochDay = (day: string) => Math.round(Date.parse(`${day}T00:00:00Z`) / dayMs);
const decimal = (value: number, decimals: number) => Number(value.toFixed(decimals));

/** faker has one generator for the whole process, so it is seeded for each draw; nothing waits in between. */
function fake<T>(random: Random, make: () => T): T {
  faker.seed(random.seed());
  return make();
}

function person() {
  const firstName = faker.person.firstName();
  const lastName = faker.person.lastName();
  const email = `${firstName}.${lastName}@example.com`.toLowerCase().replace(/[^a-z0-9.@-]/g, '');
  return { firstName, lastName, fullName: `${firstName} ${lastName}`, email };
}

/** Draws one value. `options` are those of the draw or what its `from` gave; `index` counts the rows of a table. */
export function drawValue(draw: ValueDraw, random: Random, options: readonly Json[], index = 0): Json {
  switch (draw.type) {
    case 'choice':
      return (
        options[random.weighted(options.map((_, at) => draw.weights?.[at] ?? (draw.weights === undefined ? 1 : 0)))] ??
        null
      );
    case 'integer':
      return random.integer(draw.min, draw.max);
    case 'number':
      return decimal(draw.min + random.fraction() * (draw.max - draw.min), draw.decimals);
    case 'amount': {
      // Small amounts are more common than large ones, and prices like to end in .99, .50 or .00.
      const value = draw.min + random.fraction() ** 2 * (draw.max - draw.min);
      const cents = random.pick([0, 0.5, 0.99, 0.95, random.fraction()]);
      return decimal(Math.min(draw.max, Math.max(draw.min, Math.floor(value) + cents)), 2);
    }
    case 'date': {
      const day = random.integer(epochDay(draw.min), epochDay(draw.max));
      return new Date(day * dayMs).toISOString().slice(0, 10);
    }
    case 'boolean':
      return random.chance(draw.probability);
    case 'person':
      return fake(random, person);
    case 'name':
      return fake(random, person).fullName;
    case 'job':
      return fake(random, () => faker.person.jobTitle());
    case 'company':
      return fake(random, () => faker.company.name());
    case 'city':
      return fake(random, () => faker.location.city());
    case 'product':
      return fake(random, () => faker.commerce.productName());
    case 'sentence':
      return fake(random, () => faker.hacker.phrase());
    case 'sequence':
      return `${draw.prefix}${String(draw.start + index).padStart(draw.digits, '0')}`;
  }
}

const columnTypes: Partial<Record<ValueDraw['type'], ColumnType>> = {
  integer: 'integer',
  number: 'number',
  amount: 'currency',
  date: 'date',
  boolean: 'boolean',
};

function typeOf(draw: ValueDraw): ColumnType {
  if (draw.type !== 'choice' || draw.options === undefined) return columnTypes[draw.type] ?? 'text';
  return draw.options.every((option) => typeof option === 'number') ? 'number' : 'text';
}

const asCell = (value: Json): Cell => {
  const scalar = z.union([z.string(), z.number(), z.boolean(), z.null()]).safeParse(value);
  if (scalar.success) return scalar.data;
  const named = z.object({ fullName: z.string() }).safeParse(value);
  return named.success ? named.data.fullName : JSON.stringify(value);
};

function drawTable(
  draw: Extract<Draw, { type: 'table' }>,
  seed: number,
  optionsOf: (draw: ValueDraw) => readonly Json[],
): Table {
  const rows = randomFrom(seed, `${draw.name}#rows`).integer(draw.minRows, draw.maxRows);
  const columns = draw.columns.map((column) => {
    const random = randomFrom(seed, `${draw.name}/${column.name}`);
    const options = optionsOf(column.value);
    return Array.from({ length: rows }, (_, index) => asCell(drawValue(column.value, random, options, index)));
  });
  return {
    columns: draw.columns.map((column) => ({ name: column.name, type: typeOf(column.value) })),
    rows: Array.from({ length: rows }, (_, row) => columns.map((cells) => cells[row] ?? null)),
  };
}

/** Carries out a named draw. Its randomness hangs on the seed and its name alone. */
export function drawNamed(draw: Draw, seed: number, optionsOf: (draw: Draw | ValueDraw) => readonly Json[]): Json {
  const random = randomFrom(seed, draw.name);
  const options = optionsOf(draw);
  switch (draw.type) {
    case 'shuffle':
      return random.shuffle(options);
    case 'subset': {
      const most = Math.min(draw.max ?? options.length, options.length);
      return random.subset(options, random.integer(Math.min(draw.min, most), most));
    }
    case 'table':
      return z.json().parse(drawTable(draw, seed, optionsOf));
    default:
      return drawValue(draw, random, options);
  }
}
