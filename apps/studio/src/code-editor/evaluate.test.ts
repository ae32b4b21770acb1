import { describe, expect, it } from 'vitest';
import { evaluate } from './evaluate.ts';

const input = { facts: { customer: 'Acme', lines: [{ price: 2 }, { price: 3 }] } };
const of = (language: 'jsonata' | 'liquid', source: string) => evaluate({ id: 7, language, source, input });

describe('the preview', () => {
  it('evaluates expressions and fills templates', async () => {
    expect(await of('jsonata', '$sum(facts.lines.price)')).toEqual({ id: 7, value: 5 });
    expect(await of('jsonata', 'facts.nothing')).toEqual({ id: 7, value: null });
    expect(await of('liquid', 'Dear {{ facts.customer }}: {{ facts.lines }}')).toEqual({
      id: 7,
      value: 'Dear Acme: [{"price":2},{"price":3}]',
    });
  });

  it('says what is wrong, and where', async () => {
    expect(await of('jsonata', '1 +\n+')).toMatchObject({ error: expect.stringMatching(/^Line 2, column \d/) });
    expect(await of('liquid', '{{ unknown }}')).toMatchObject({ error: expect.stringMatching(/undefined variable/) });
    expect(await of('jsonata', '$now()')).toMatchObject({ error: expect.stringMatching(/not deterministic/) });
  });
});
