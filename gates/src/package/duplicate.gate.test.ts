import { judge } from '@cua-forge/testing/judge';
import { describe, expect, it } from 'vitest';
import { duplicate } from './duplicate.gate.ts';

const text =
  'Please give orders.xlsx a sheet Overview. It lists every month with its total. The data of 2024 stays as it is.';
const compare = (instruction: string, earlier: string[], params = {}) =>
  judge(duplicate, { params, inputs: { instruction, earlier } });

describe('gate.duplicate', () => {
  it('passes the first one and one that differs', async () => {
    expect(await judge(duplicate, { params: {}, inputs: { instruction: text } })).toMatchObject({
      verdict: 'pass',
      passed: ['instruction'],
    });
    expect((await compare(text, ['Sort members.csv by postcode and take out those who left the club.'])).verdict).toBe(
      'pass',
    );
  });

  it.each([
    ['the same', `  ${text.toUpperCase()} `, /not the same text: earlier instruction 2/],
    [
      'other names and numbers',
      text.replace('orders', 'ledger-2').replace('Overview', 'Digest').replace('2024', '2031'),
      /nearly the same text: .*100 %/,
    ],
    [
      'another order',
      text
        .split(/(?<=\.)\s/)
        .reverse()
        .join(' '),
      /another order: earlier instruction 2/,
    ],
  ])('asks to repair one that has %s', async (_, instruction, message) => {
    const { verdict, failed, passed } = await compare(instruction, ['Draw a chart.', text]);
    expect({ verdict, passed }).toEqual({ verdict: 'repair', passed: [] });
    expect(failed.join('\n')).toMatch(message);
  });

  it('is as strict as it is asked to be', async () => {
    const near = text.replace('lists every month with its total', 'names each quarter beside its sum');
    expect((await compare(near, [text], { most: 0.9 })).verdict).toBe('pass');
    expect((await compare(near, [text], { most: 0.2 })).verdict).toBe('repair');
  });
});
