import type { JsonObject } from '@cua-forge/spec/json';
import { Table } from '@cua-forge/spec/task';
import { testContext } from '@cua-forge/testing/execute-context';
import { runKind } from '@cua-forge/testing/run-kind';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { sample } from './sample.node.ts';

async function draw(draws: JsonObject[], seed = 1, inputs: JsonObject = {}, ports: JsonObject = {}) {
  const outputs = await runKind(sample, { params: { draws, inputs: ports }, inputs, seed });
  return z.record(z.string(), z.json()).parse(outputs.values);
}

describe('data.sample', () => {
  it('gives the same for the same seed, on every machine', async () => {
    const draws = [
      { name: 'n', type: 'integer', min: 1, max: 1_000_000 },
      { name: 'who', type: 'person' },
      { name: 'firm', type: 'company' },
      { name: 'day', type: 'date', min: '2024-01-01', max: '2024-12-31' },
      { name: 'order', type: 'shuffle', options: ['a', 'b', 'c', 'd'] },
    ];
    expect(await draw(draws, 42)).toEqual(await draw(draws, 42));
    expect(await draw(draws, 42)).not.toEqual(await draw(draws, 43));
    expect(await draw(draws, 42)).toMatchInlineSnapshot(`
      {
        "day": "2024-02-21",
        "firm": "Raynor and Sons",
        "n": 934336,
        "order": [
          "d",
          "a",
          "c",
          "b",
        ],
        "who": {
          "email": "coty.padberg@example.com",
          "firstName": "Coty",
          "fullName": "Coty Padberg",
          "lastName": "Padberg",
        },
      }
    `);
  });

  it('makes each draw independent of the others and of their order', async () => {
    const a = { name: 'a', type: 'person' };
    const b = { name: 'b', type: 'amount', min: 1, max: 100 };
    const c = { name: 'c', type: 'product' };
    const all = await draw([a, b, c], 9);
    expect(await draw([c, a], 9)).toEqual({ c: all.c, a: all.a });
    expect(all.a).not.toEqual((await draw([{ ...a, name: 'other' }], 9)).other);
  });

  it('stays within bounds and follows weights', async () => {
    const counts = { rare: 0, common: 0 };
    for (let seed = 0; seed < 400; seed += 1) {
      const values = await draw(
        [
          { name: 'kind', type: 'choice', options: ['rare', 'common', 'never'], weights: [1, 9, 0] },
          { name: 'amount', type: 'amount', min: 10, max: 20 },
          { name: 'some', type: 'subset', options: [1, 2, 3, 4], min: 2, max: 3 },
          { name: 'x', type: 'number', min: -1, max: 1, decimals: 3 },
        ],
        seed,
      );
      counts[z.enum(['rare', 'common']).parse(values.kind)] += 1;
      expect(values.amount).toBeGreaterThanOrEqual(10);
      expect(values.amount).toBeLessThanOrEqual(20);
      expect([2, 3]).toContain(z.array(z.number()).parse(values.some).length);
      expect(Math.abs(z.number().parse(values.x))).toBeLessThanOrEqual(1);
    }
    expect(counts.rare).toBeGreaterThan(15);
    expect(counts.rare).toBeLessThan(80);
  });

  it('draws tables with typed columns', async () => {
    const { orders } = await draw([
      {
        name: 'orders',
        type: 'table',
        minRows: 20,
        maxRows: 30,
        columns: [
          { name: 'Id', value: { type: 'sequence', prefix: 'X', start: 5, digits: 3 } },
          { name: 'When', value: { type: 'date', min: '2024-02-01', max: '2024-02-29' } },
          { name: 'Where', value: { type: 'choice', options: ['North', 'South'] } },
        ],
      },
    ]);
    const table = Table.parse(orders);
    expect(table.columns.map((column) => column.type)).toEqual(['text', 'date', 'text']);
    expect(table.rows.length).toBeGreaterThanOrEqual(20);
    expect(table.rows.slice(0, 2).map((row) => row[0])).toEqual(['X005', 'X006']);
    expect(table.rows.every((row) => String(row[1]).startsWith('2024-02-'))).toBe(true);
  });

  it('takes options from an input and refuses an empty list', async () => {
    const draws = [{ name: 'month', type: 'choice', from: 'profile.months[$ != "May"]' }];
    expect((await draw(draws, 1, { profile: { months: ['May', 'June'] } }, { profile: 'json' })).month).toBe('June');
    await expect(draw(draws, 1, { profile: { months: [] } }, { profile: 'json' })).rejects.toThrow(
      /month has nothing to choose from/,
    );
  });

  it('refuses contradictions, naming the draw', () => {
    const refuse = (...draws: JsonObject[]) => sample.params.safeParse({ draws }).error?.message ?? 'accepted';
    expect(refuse({ name: 'a', type: 'integer', min: 3, max: 1 })).toContain('a: min is above max');
    expect(refuse({ name: 'a', type: 'choice' })).toContain('either options or from');
    expect(refuse({ name: 'a', type: 'choice', options: [1], weights: [1, 2] })).toContain(
      'one weight for each option',
    );
    expect(refuse({ name: 'a', type: 'boolean' }, { name: 'a', type: 'person' })).toContain('the name a is taken');
  });
});

it('draws the same in every repair round, unless it is asked to draw anew', async () => {
  const draw = async (round: number, eachRound: boolean) => {
    const params = sample.params.parse({ draws: [{ name: 'n', type: 'integer', min: 0, max: 1e6 }], eachRound });
    return sample.execute({ params, inputs: {}, extra: {}, context: testContext({ round, seed: 3 }) });
  };
  expect(await draw(2, false)).toEqual(await draw(1, false));
  expect(await draw(1, true)).toEqual(await draw(1, false));
  expect(await draw(2, true)).not.toEqual(await draw(1, true));
  expect(await draw(2, true)).toEqual(await draw(2, true));
});
