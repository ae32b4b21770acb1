import { HiddenAnswers, RequiredFile, TaskSpecification } from '@cua-forge/spec/task';
import { blockText, TextDocument } from '@cua-forge/spec/text-document';
import { runKind } from '@cua-forge/testing/run-kind';
import { describe, expect, it } from 'vitest';
import { outline } from './outline.node.ts';
import { exampleDocument } from './restyle/example-document.ts';
import { Outline } from './restyle/outline.ts';
import { changeIds } from './restyle/restyle.ts';
import { restyle } from './restyle.node.ts';

describe('data.outline', () => {
  it('finds headings by style and by number, and leaves out blanks, numbers and what stands twice', async () => {
    const outputs = await runKind(outline);
    expect(outputs.outline).toEqual({
      title: 'Key policy',
      subtitle: ['Version 2'],
      sections: [
        { heading: 'Purpose', paragraphs: ['This policy says who holds keys.'] },
        { heading: 'Loss', paragraphs: ['Employees report a lost key at once.'] },
      ],
      chosen: '“Key policy”, a document with the sections Purpose, Loss.',
    });
    expect(outputs.changes).toEqual(changeIds);
  });

  it('refuses a document without headings', async () => {
    const document = TextDocument.parse(exampleDocument);
    const bare = { ...document, blocks: document.blocks.slice(0, 2) };
    await expect(runKind(outline, { inputs: { document: bare } })).rejects.toMatchObject({ code: 'input.invalid' });
  });
});

const long = Outline.parse({
  title: 'Travel rules',
  subtitle: ['In force from January 5, 2024'],
  sections: Array.from({ length: 5 }, (_, index) => ({
    heading: `Part ${'ABCDE'.charAt(index)}`,
    paragraphs: [
      `The employees of unit ${index} ask their manager before the trip. Employees keep the receipt.`,
      `The manager of unit ${index} signs the form on the same day. The team keeps a copy of it.`,
    ],
  })),
  chosen: 'Travel rules',
});

async function make(change: string, seed: number) {
  const inputs = { outline: long, change, company: 'Alder & Finch', path: '/home/user/Documents/rules.docx' };
  const outputs = await runKind(restyle, { inputs, seed });
  const file = RequiredFile.parse(outputs.file);
  const hidden = HiddenAnswers.parse(outputs.hidden);
  const solved = hidden.expected[0];
  if (file.type !== 'docx' || solved?.type !== 'docx') throw new Error('no document');
  return {
    outcome: TaskSpecification.shape.outcome.parse(outputs.outcome),
    given: file.content,
    solved: solved.content,
    hidden,
  };
}

describe('data.restyle', () => {
  it.each(changeIds)('makes a task about %s whose start is not its end', async (change) => {
    let hits = 0;
    for (let seed = 1; seed <= 6; seed += 1) {
      const { outcome, given, solved } = await make(change, seed);
      expect(given).not.toEqual(solved);
      expect(outcome.requirements.length).toBeGreaterThanOrEqual(2);
      expect(new Set(outcome.requirements.map(({ id }) => id)).size).toBe(outcome.requirements.length);
      expect(outcome.mentions[0]).toBe('rules.docx');
      if (outcome.kind.startsWith(change)) hits += 1;
    }
    expect(hits).toBeGreaterThanOrEqual(3);
  });

  it('keeps the wording but for what is asked', async () => {
    const { given, solved } = await make('title style', 4);
    const words = (document: TextDocument) =>
      document.blocks
        .map(blockText)
        .join(' ')
        .match(/Part [A-E]/g);
    expect(words(given)).toEqual(words(solved));
  });

  it('keeps the right figures out of what is asked', async () => {
    const { outcome, hidden } = await make('figures', 2);
    expect(hidden.answers.length).toBeGreaterThanOrEqual(2);
    const told = outcome.requirements.map(({ text }) => text).join(' ');
    for (const { value } of hidden.answers) expect(told).not.toContain(String(value));
  });

  it('refuses a change that it does not know', async () => {
    await expect(make('colour of the sky', 1)).rejects.toThrow(/no change called "colour of the sky"/);
  });
});
