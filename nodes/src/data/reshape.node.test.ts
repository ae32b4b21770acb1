import { Workbook } from '@cua-forge/spec/task';
import { runKind } from '@cua-forge/testing/run-kind';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { reshape } from './reshape.node.ts';
import { observationsOf, Source } from './summary/source.ts';

async function reshaped(seed: number, outcome = 'totals') {
  const outputs = await runKind(reshape, { seed, inputs: { ...reshape.example.inputs, outcome } });
  return {
    workbook: Workbook.parse(outputs.workbook),
    source: Source.parse(outputs.source),
    traits: z.record(z.string(), z.string()).parse(outputs.traits),
  };
}

describe('data.reshape', () => {
  it('keeps the data whatever the structure', async () => {
    for (let seed = 0; seed < 60; seed += 1) {
      const { workbook, source, traits } = await reshaped(seed);
      const seen = observationsOf(workbook, source).map(
        (each) => `${each.period} ${each.categories.Region} ${each.values.Amount}`,
      );
      expect(seen.sort(), JSON.stringify(traits)).toEqual([
        '2024-01 North 10',
        '2024-01 South 20',
        '2024-02 North 30',
        '2024-03 South 40',
      ]);
    }
  });

  it('varies structure and layout by the seed, and gives the same for the same seed', async () => {
    const traits = await Promise.all(Array.from({ length: 40 }, async (_, seed) => (await reshaped(seed)).traits));
    for (const name of [
      'sheets',
      'time',
      'column order',
      'derived column',
      'heading',
      'first column',
      'header',
      'amounts',
    ]) {
      expect(new Set(traits.map((each) => each[name])).size, name).toBeGreaterThan(1);
    }
    expect(new Set(traits.map((each) => JSON.stringify(each))).size).toBeGreaterThan(35);
    expect(await reshaped(3)).toEqual(await reshaped(3));
  });

  it('refuses a profile of another workbook', async () => {
    const { profile, ...rest } = reshape.example.inputs;
    const other = { ...z.record(z.string(), z.json()).parse(profile), sheet: 'Elsewhere' };
    await expect(runKind(reshape, { inputs: { ...rest, profile: other } })).rejects.toThrow(/no sheet “Elsewhere”/);
  });
});
