import { limitFor } from './number-rules.ts';
import { covering, type DraftContext, type RuleBuilder, tells, wholeRow } from './rule-draft.ts';

const quoted = (text: string) => `"${text}"`;

function someValue({ columns, random }: DraftContext, most = 12) {
  const [column] = random.shuffle(
    columns.texts.filter(({ values }) => {
      const size = new Set(values).size;
      return size >= 2 && size <= most;
    }),
  );
  if (column === undefined) return undefined;
  const [value = ''] = random.shuffle([...new Set(column.values)].sort());
  return { column, value, rows: column.values.map((each) => each === value) };
}

const equals: RuleBuilder = (context) => {
  const found = someValue(context);
  if (found === undefined) return undefined;
  const { column, value, rows } = found;
  const not = context.random.chance(0.25);
  const shared = {
    condition: `${column.name} is ${not ? 'not ' : ''}“${value}”`,
    rows: rows.map((row) => row !== not),
    mentions: [column.name, value],
  };
  if (context.random.chance(0.6)) {
    const formula = `$${column.letters}${context.firstRow}${not ? '<>' : '='}${quoted(value)}`;
    const covers = wholeRow(context.sheet);
    return {
      kind: not ? 'text differs' : 'text equals',
      scope: 'rows',
      covers,
      rule: { type: 'formula', formula },
      ...shared,
    };
  }
  const operator = not ? 'notEqual' : 'equal';
  return {
    kind: not ? 'text differs' : 'text equals',
    scope: 'cells',
    covers: covering(column.index),
    rule: { type: 'cell', operator, values: [quoted(value)] },
    ...shared,
  };
};

const part: RuleBuilder = ({ columns, random, sheet, firstRow }) => {
  const operator = random.pick(['contains', 'beginsWith', 'endsWith', 'contains'] as const);
  const candidates = columns.texts.flatMap((column) => {
    const words = [...new Set(column.values)].flatMap((value) => {
      const all = value.match(/[\p{L}\p{N}]{3,}/gu) ?? [];
      if (operator === 'beginsWith')
        return value.slice(0, 3).match(/^[\p{L}\p{N}]{3}$/u) === null ? [] : [value.slice(0, 3)];
      if (operator === 'endsWith') return all.slice(-1).filter((word) => value.endsWith(word));
      return all;
    });
    return [...new Set(words)].flatMap((word) => {
      const small = word.toLowerCase();
      const rows = column.values.map((value) => {
        const text = value.toLowerCase();
        if (operator === 'beginsWith') return text.startsWith(small);
        return operator === 'endsWith' ? text.endsWith(small) : text.includes(small);
      });
      return tells(rows) ? [{ column, word, rows }] : [];
    });
  });
  const [found] = random.shuffle(candidates);
  if (found === undefined) return undefined;
  const { column, word, rows } = found;
  const words = { contains: 'contains', beginsWith: 'begins with', endsWith: 'ends with' }[operator];
  const shared = {
    kind: `text ${words}`,
    condition: `${column.name} ${words} “${word}”`,
    rows,
    mentions: [column.name, word],
  };
  if (operator === 'contains' && random.chance(0.4)) {
    const formula = `ISNUMBER(SEARCH(${quoted(word)},$${column.letters}${firstRow}))`;
    return { scope: 'rows', covers: wholeRow(sheet), rule: { type: 'formula', formula }, ...shared };
  }
  return { scope: 'cells', covers: covering(column.index), rule: { type: 'text', operator, text: word }, ...shared };
};

const repeated: RuleBuilder = ({ columns, random, sheet, firstRow }) => {
  const unique = random.chance(0.4);
  const counted = (values: readonly (string | number)[]) =>
    values.map((value) => values.filter((other) => other === value).length > 1 !== unique);
  const single = [...columns.texts, ...columns.numbers].flatMap((column) => {
    const rows = counted(column.values);
    return tells(rows) ? [{ column, rows }] : [];
  });
  const pairs = columns.texts.flatMap((a, at) =>
    columns.texts.slice(at + 1).flatMap((b) => {
      const rows = counted(a.values.map((value, index) => `${value}\n${b.values[index]}`));
      return tells(rows) ? [{ a, b, rows }] : [];
    }),
  );
  const [one] = random.shuffle(single);
  const [pair] = random.shuffle(pairs);
  const last = firstRow + sheet.rows.length - 1;
  if (pair !== undefined && (one === undefined || random.chance(0.5))) {
    const test = ({ letters }: { letters: string }) =>
      `$${letters}$${firstRow}:$${letters}$${last},$${letters}${firstRow}`;
    return {
      kind: unique ? 'unique pair' : 'repeated pair',
      scope: 'rows',
      covers: wholeRow(sheet),
      rule: { type: 'formula', formula: `COUNTIFS(${test(pair.a)},${test(pair.b)})${unique ? '=1' : '>1'}` },
      condition: `${pair.a.name} and ${pair.b.name} together occur ${unique ? 'only once' : 'more than once'} in the table`,
      rows: pair.rows,
      mentions: [pair.a.name, pair.b.name],
    };
  }
  if (one === undefined) return undefined;
  return {
    kind: unique ? 'unique values' : 'duplicates',
    scope: 'cells',
    covers: covering(one.column.index),
    rule: { type: 'duplicates', unique },
    condition: `${one.column.name} holds a value that occurs ${unique ? 'only once' : 'more than once'} in its column`,
    rows: one.rows,
    mentions: [one.column.name],
  };
};

const twoConditions: RuleBuilder = (context) => {
  const { columns, random, sheet, firstRow } = context;
  const found = someValue(context);
  const [number] = random.shuffle(columns.numbers.filter(({ values }) => new Set(values).size >= 3));
  if (found === undefined || number === undefined) return undefined;
  const above = limitFor(number.values, 'greaterThanOrEqual', 0.3 + 0.4 * random.fraction());
  if (above === undefined) return undefined;
  const either = random.chance(0.3);
  const rows = found.rows.map((row, index) =>
    either ? row || above.rows[index] === true : row && above.rows[index] === true,
  );
  if (!tells(rows)) return undefined;
  const a = `$${found.column.letters}${firstRow}=${quoted(found.value)}`;
  const b = `$${number.letters}${firstRow}>=${above.limit}`;
  return {
    kind: either ? 'either condition' : 'both conditions',
    scope: 'rows',
    covers: wholeRow(sheet),
    rule: { type: 'formula', formula: `${either ? 'OR' : 'AND'}(${a},${b})` },
    condition: `${found.column.name} is “${found.value}” ${either ? 'or' : 'and'} ${number.name} is at least ${above.limit}`,
    rows,
    mentions: [found.column.name, found.value, number.name],
  };
};

export const textRules: Record<string, RuleBuilder> = { equals, part, repeated, 'two-conditions': twoConditions };
