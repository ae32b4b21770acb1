import { describe, expect, it } from 'vitest';
import { completionsAt, type Scope } from './completions.ts';

const scope: Scope = {
  root: null,
  entries: {
    facts: {
      type: 'json',
      from: 'draw.values',
      value: { customer: 'Acme', lines: [{ item: 'Pen', price: 2 }], 'not a name': 1 },
    },
    note: { type: 'text', from: '' },
  },
};
const labels = (language: 'jsonata' | 'liquid', text: string, of = scope) =>
  completionsAt(language, text, text.length, of)?.options.map(({ label }) => label) ?? null;

describe('completions of JSONata', () => {
  it('offer ports first, then the fields of their values, also through lists', () => {
    expect(labels('jsonata', '')).toEqual(['facts', 'note']);
    expect(labels('jsonata', '$sum(fa')).toEqual(['facts', 'note']);
    expect(labels('jsonata', 'facts.')).toEqual(['customer', 'lines']);
    expect(labels('jsonata', '$sum(facts.lines.pr')).toEqual(['item', 'price']);
    expect(labels('jsonata', 'facts.lines[0].')).toEqual(['item', 'price']);
    expect(labels('jsonata', 'facts.lines[price > 1].')).toEqual(['item', 'price']);
  });

  it('replace the word under the cursor alone', () => {
    expect(completionsAt('jsonata', 'facts.cu', 8, scope)?.from).toBe(6);
    expect(completionsAt('jsonata', '1 + $su', 7, scope)?.from).toBe(4);
  });

  it('offer functions after a dollar sign and nothing within quotes', () => {
    expect(labels('jsonata', '$up')).toContain('$uppercase');
    expect(labels('jsonata', '"facts.')).toBeNull();
  });

  it('look into the value itself where that is the input', () => {
    const whole: Scope = { root: 'value', entries: { value: { type: 'json', from: 'a.b', value: { amount: 3 } } } };
    expect(labels('jsonata', 'am', whole)).toEqual(['amount']);
    expect(labels('jsonata', '$.', whole)).toEqual(['amount']);
  });

  it('offer nothing false where no run gave a value', () => {
    expect(labels('jsonata', 'note.')).toEqual([]);
  });
});

describe('completions of Liquid', () => {
  it('are offered within braces only', () => {
    expect(labels('liquid', 'Dear ')).toBeNull();
    expect(labels('liquid', 'Dear {{ facts.customer }} ')).toBeNull();
    expect(labels('liquid', 'Dear {{ ')).toEqual(['facts', 'note']);
    expect(labels('liquid', 'Dear {{ facts.cu')).toEqual(['customer', 'lines']);
  });

  it('know tags, filters, and the rows of a loop', () => {
    expect(labels('liquid', '{% fo')).toContain('for');
    expect(labels('liquid', '{{ facts.customer | up')).toContain('upcase');
    expect(labels('liquid', '{% for row in facts.lines %}{{ row.')).toEqual(['item', 'price']);
    expect(labels('liquid', '{% for row in facts.lines %}{{ ')).toEqual(['row', 'facts', 'note']);
  });
});
