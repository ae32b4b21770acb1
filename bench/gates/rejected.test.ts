import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { language } from '@cua-forge/gates/text/language.gate';
import type { RejectedExample } from '@cua-forge/spec/review';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { judgeCorpus } from './measure.ts';
import { rejectedExamples } from './rejected.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'forge-rejected-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const example = (text: string, note: string): RejectedExample => ({
  ...{ packageId: 'p1', title: 'Sum', skill: 'sum', runId: 'r1', node: 'words', gate: 'gate.language' },
  ...{ reason: 'language', note, params: {}, inputs: { instruction: text } },
});

it('shows a gate what people rejected, and tells what it finds now', async () => {
  const file = join(folder, 'rejected.jsonl');
  const lines = [
    example('Bitte addiere alle Beträge der Spalte C und schreibe die Summe darunter.', 'not English'),
    example('Please add up all the amounts in column C and write the total below them.', ''),
  ];
  await writeFile(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  const byGate = await rejectedExamples(file);
  expect([...byGate.keys()]).toEqual(['gate.language']);
  const examples = byGate.get('gate.language') ?? [];
  expect(examples.map(({ name, fault }) => [name, fault?.kind])).toEqual([
    ['p1: not English', 'language'],
    ['p1', 'language'],
  ]);
  const judged = await judgeCorpus({ gate: language, examples: async () => examples });
  expect(judged.map(({ refused }) => refused)).toEqual([true, false]);
});
