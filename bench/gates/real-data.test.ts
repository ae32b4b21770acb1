import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { duplicate } from '@cua-forge/gates/package/duplicate.gate';
import { language } from '@cua-forge/gates/text/language.gate';
import { personalData } from '@cua-forge/gates/text/personal-data.gate';
import { judge } from '@cua-forge/testing/judge';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';

const folder = join(import.meta.dirname, '../../../shared/data/osworld');
const Line = z.looseObject({ instruction: z.string() });

/** Requests that people wrote for real tasks. */
const instructions = () =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.jsonl'))
    .flatMap((name) => readFileSync(join(folder, name), 'utf8').trim().split('\n'))
    .map((line) => Line.parse(JSON.parse(line)).instruction);

describe.skipIf(!existsSync(folder))('requests of people (when the shared data lies beside the project)', () => {
  it('are clean messages to gate.language, but for a few', async () => {
    const texts = instructions();
    const refused: string[] = [];
    for (const instruction of texts) {
      const { verdict } = await judge(language, { params: { minWords: 1 }, inputs: { instruction } });
      if (verdict !== 'pass') refused.push(instruction);
    }
    expect(texts.length).toBeGreaterThan(200);
    expect(refused.length / texts.length, refused.join('\n')).toBeLessThanOrEqual(0.02);
  });

  it('hold no personal data to gate.personal-data where they hold no address and no password', async () => {
    const texts = instructions().filter((text) => !/@|password/i.test(text));
    const refused: string[] = [];
    for (const value of texts) {
      const { verdict } = await judge(personalData, { params: {}, inputs: { value } });
      if (verdict !== 'pass') refused.push(value);
    }
    expect(refused.length / texts.length, refused.join('\n')).toBeLessThanOrEqual(0.02);
  });

  it('are no duplicates of each other to gate.duplicate, but for a few', async () => {
    const texts = [...new Set(instructions())].slice(0, 80);
    const refused: string[] = [];
    for (const [index, instruction] of texts.entries()) {
      const { verdict } = await judge(duplicate, {
        params: {},
        inputs: { instruction, earlier: texts.slice(0, index) },
      });
      if (verdict !== 'pass') refused.push(instruction);
    }
    expect(refused.length / texts.length, refused.join('\n')).toBeLessThanOrEqual(0.05);
  });
});
