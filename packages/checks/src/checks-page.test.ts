import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Check } from '@cua-forge/spec/check';
import { checkProblems } from '@cua-forge/spec/check-compile';
import { noOffice } from '@cua-forge/testing/execute-context';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { evaluateCheck } from './evaluate.ts';
import { memoryReader } from './file-readers.ts';
import { Looker } from './look.ts';

const page = readFileSync(join(import.meta.dirname, '../../../docs/authoring/checks.md'), 'utf8');
const Example = z.union([
  z.strictObject({ files: z.record(z.string(), z.string()), check: Check, ok: z.boolean() }),
  z.strictObject({ check: Check, refused: z.string() }),
]);
const examples = [...page.matchAll(/^```yaml\n([\s\S]*?)^```$/gm)].map((match) => Example.parse(parse(match[1] ?? '')));

describe('the examples of docs/authoring/checks.md', () => {
  it('show checks that hold, that do not, and that are refused', () => {
    expect(examples.map((one) => ('ok' in one ? one.ok : 'refused'))).toEqual([
      true,
      false,
      true,
      'refused',
      'refused',
    ]);
  });

  it.each(examples)('are as the page says: %j', async (example) => {
    const problems = checkProblems(example.check);
    if ('refused' in example) return void expect(problems.join('; ')).toContain(example.refused);
    expect(problems).toEqual([]);
    const files = new Map(Object.entries(example.files).map(([path, text]) => [path, new TextEncoder().encode(text)]));
    const looker = new Looker({ reader: memoryReader(files), office: noOffice, signal: new AbortController().signal });
    const { ok, evidence } = await evaluateCheck(example.check, looker);
    expect(ok, JSON.stringify(evidence)).toBe(example.ok);
  });
});
