import { schema } from '@cua-forge/gates/data/schema.gate';
import type { JsonObject } from '@cua-forge/spec/json';
import { at, bad, changed, type GateCorpus, good } from '../example.ts';

const check = {
  there: 'required members are there',
  other: 'no other members',
  types: 'types are right',
  bounds: 'values are within bounds',
  choices: 'values are among the choices',
};

const invoice: JsonObject = {
  type: 'object',
  properties: {
    number: { type: 'string', pattern: '^R-\\d{4}$' },
    issued: { type: 'string', format: 'date' },
    currency: { enum: ['EUR', 'USD', 'GBP'] },
    paid: { type: 'boolean' },
    lines: {
      type: 'array',
      minItems: 1,
      maxItems: 6,
      uniqueItems: true,
      items: {
        type: 'object',
        properties: {
          item: { type: 'string', minLength: 2, maxLength: 40 },
          count: { type: 'integer', minimum: 1, maximum: 999 },
          price: { type: 'number', exclusiveMinimum: 0 },
          note: { type: ['string', 'null'] },
        },
        required: ['item', 'count', 'price'],
        additionalProperties: false,
      },
    },
    contact: { type: 'string', format: 'email' },
  },
  required: ['number', 'issued', 'currency', 'lines'],
  additionalProperties: false,
};

interface Line {
  [member: string]: unknown;
}
interface Invoice {
  [member: string]: unknown;
  lines: Line[];
}
const items = ['Oak shelf', 'Cork board', 'Paper tray', 'Wall clock', 'Coat rack'];
const invoiceOf = (i: number): Invoice => ({
  number: `R-${1000 + i * 7}`,
  issued: `2025-0${1 + (i % 9)}-1${i % 10}`,
  currency: at(['EUR', 'USD', 'GBP'], i),
  ...(i % 2 === 0 ? { paid: i % 4 === 0 } : {}),
  ...(i % 5 === 0 ? { contact: `desk${i}@example.com` } : {}),
  lines: Array.from({ length: 1 + (i % 5) }, (_, n) => ({
    item: at(items, i + n),
    count: 1 + ((i * 3 + n) % 40),
    price: 4.75 + i + n,
    ...(n % 2 === 1 ? { note: n % 4 === 1 ? null : 'as last time' } : {}),
  })),
});
const firstLine = (change: (line: Line) => void) => (value: Invoice) => {
  const [line] = value.lines;
  if (line !== undefined) change(line);
};
const set = (member: string, value: unknown) => (whole: Invoice) => {
  whole[member] = value;
};
const unset = (member: string) => (whole: Line) => {
  delete whole[member];
};

const faults: [kind: string, check: string, name: string, change: (value: Invoice) => void][] = [
  ...['number', 'issued', 'currency', 'lines'].map((member): [string, string, string, (value: Invoice) => void] => [
    'left out',
    check.there,
    member,
    unset(member),
  ]),
  ...['item', 'count', 'price'].map((member): [string, string, string, (value: Invoice) => void] => [
    'left out of a line',
    check.there,
    member,
    firstLine(unset(member)),
  ]),
  ['one more', check.other, 'total', set('total', 12)],
  [
    'one more',
    check.other,
    'a typing error',
    (value) => {
      value.curency = 'EUR';
    },
  ],
  [
    'one more in a line',
    check.other,
    'discount',
    firstLine((line) => {
      line.discount = 0.1;
    }),
  ],
  [
    'another type',
    check.types,
    'a number as text',
    firstLine((line) => {
      line.count = '3';
    }),
  ],
  ['another type', check.types, 'a text as number', set('number', 1007)],
  ['another type', check.types, 'no list', set('lines', { item: 'Oak shelf', count: 1, price: 2 })],
  ['another type', check.types, 'a word for yes', set('paid', 'yes')],
  ['no choice', check.choices, 'null', set('currency', null)],
  [
    'another type',
    check.types,
    'half a piece',
    firstLine((line) => {
      line.count = 1.5;
    }),
  ],
  [
    'another type',
    check.types,
    'a line as text',
    (value) => {
      value.lines.push(JSON.parse('"Oak shelf"'));
    },
  ],
  [
    'another type',
    check.types,
    'a note as number',
    firstLine((line) => {
      line.note = 4;
    }),
  ],
  ['out of bounds', check.bounds, 'no lines', set('lines', [])],
  [
    'out of bounds',
    check.bounds,
    'too many lines',
    (value) => {
      value.lines = Array.from({ length: 9 }, (_, n) => ({ item: `Shelf ${n}`, count: 1, price: 2 }));
    },
  ],
  [
    'out of bounds',
    check.bounds,
    'count of 0',
    firstLine((line) => {
      line.count = 0;
    }),
  ],
  [
    'out of bounds',
    check.bounds,
    'count of 1,000',
    firstLine((line) => {
      line.count = 1000;
    }),
  ],
  [
    'out of bounds',
    check.bounds,
    'a price of nothing',
    firstLine((line) => {
      line.price = 0;
    }),
  ],
  [
    'out of bounds',
    check.bounds,
    'a short name',
    firstLine((line) => {
      line.item = 'x';
    }),
  ],
  [
    'out of bounds',
    check.bounds,
    'a long name',
    firstLine((line) => {
      line.item = 'Shelf '.repeat(12);
    }),
  ],
  ['out of bounds', check.bounds, 'a number of another pattern', set('number', 'R-12')],
  [
    'out of bounds',
    check.bounds,
    'one line twice',
    (value) => {
      value.lines = [structuredClone(at(value.lines, 0)), structuredClone(at(value.lines, 0))];
    },
  ],
  ['another form', check.bounds, 'a date in words', set('issued', '4 May 2025')],
  ['another form', check.bounds, 'a date that cannot be', set('issued', '2025-02-30')],
  ['another form', check.bounds, 'an address without host', set('contact', 'desk@')],
  ['no choice', check.choices, 'CHF', set('currency', 'CHF')],
  ['no choice', check.choices, 'lower case', set('currency', 'eur')],
  ['no choice', check.choices, 'a symbol', set('currency', '€')],
];

const small: [JsonObject, unknown][] = [
  [{ type: 'string' }, 'text'],
  [{ type: 'array', items: { type: 'number' } }, [1, 2.5, -3]],
  [
    { type: 'object', additionalProperties: { type: 'boolean' } },
    { a: true, b: false },
  ],
  [{ anyOf: [{ type: 'string' }, { type: 'null' }] }, null],
  [{ type: 'object', properties: { at: { type: 'string', format: 'date-time' } } }, { at: '2025-05-04T10:00:00Z' }],
  [
    { $defs: { id: { type: 'string', pattern: '^[a-z]+$' } }, type: 'array', items: { $ref: '#/$defs/id' } },
    ['ab', 'cd'],
  ],
];

export const schemaCorpus: GateCorpus = {
  gate: schema,
  async examples() {
    return [
      ...Array.from({ length: 26 }, (_, i) =>
        good(`invoice ${i}`, { params: { schema: invoice }, inputs: { value: invoiceOf(i) } }),
      ),
      ...small.map(([wanted, value]) =>
        good(JSON.stringify(wanted), { params: { schema: wanted }, inputs: { value } }),
      ),
      ...faults.map(([kind, of, name, change], i) =>
        bad(kind, of, name, { params: { schema: invoice }, inputs: { value: changed(invoiceOf(i), change) } }),
      ),
    ];
  },
};
