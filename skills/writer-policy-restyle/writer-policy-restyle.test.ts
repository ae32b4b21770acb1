import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { compareDocx } from '@cua-forge/gates/file/compare-docx';
import { rehearsalModels } from '@cua-forge/models/rehearsal';
import { readDocx } from '@cua-forge/nodes/data/read-docx';
import { writeDocx } from '@cua-forge/preparers/write-docx';
import { findAnswerLeaks } from '@cua-forge/spec/answer-leaks';
import { GraphDocument } from '@cua-forge/spec/document';
import { parseDocument } from '@cua-forge/spec/document-io';
import { kinds } from '@cua-forge/spec/kinds';
import { HiddenAnswers, TaskPackage, TaskSpecification } from '@cua-forge/spec/task';
import { papers } from '@cua-forge/spec/text-document';
import { validateDocument } from '@cua-forge/spec/validate-document';
import { FileValue } from '@cua-forge/spec/value';
import { runGraph } from '@cua-forge/testing/run-graph';
import { MemoryFiles } from '@cua-forge/testing/run-kind';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { kindLoaders } from '../../apps/worker/src/kinds.generated.ts';
import { solve } from './second-solution.ts';

const office = resolve(import.meta.dirname, '../../../shared/data/office');
const source = readFileSync(resolve(import.meta.dirname, 'workflow.yaml'), 'utf8');
const sample = readFileSync(resolve(import.meta.dirname, 'sample.docx'));
const parsed = parseDocument(source, { file: 'workflow.yaml' });
const document = GraphDocument.parse(parsed.document);
const Headings = z.object({ sections: z.array(z.object({ heading: z.string() })) });

async function generate(name: string, bytes: Uint8Array, seed: number) {
  const files = new MemoryFiles();
  const given = files.put(name, 'application/vnd.openxmlformats-officedocument.wordprocessingml.document', bytes);
  const values = await runGraph(document, {
    seed,
    inputs: { document: given },
    kindOf: async (id, version) => {
      const load = kindLoaders[`${id}@${version}`];
      if (load === undefined) throw new Error(`no kind ${id}@${version}`);
      return load();
    },
    context: {
      skill: 'writer-policy-restyle',
      models: rehearsalModels(),
      files: {
        read: async (file) => files.get(file.hash),
        write: async (fileName, mediaType, content) => files.put(fileName, mediaType, content),
      },
    },
  });
  return {
    files,
    spec: TaskSpecification.parse(values.get('spec.spec')),
    hidden: HiddenAnswers.parse(values.get('spec.hidden')),
    headings: Headings.parse(values.get('outline.outline')).sections.map(({ heading }) => heading),
    prepared: FileValue.parse(values.get('file-opens.file')),
    instruction: String(values.get('instruction-holds.instruction')),
    pack: TaskPackage.parse(values.get('assemble.package')),
  };
}

type Generated = Awaited<ReturnType<typeof generate>>;

/** Solves the task again from the bytes that the user gets, and compares the result with what is expected. */
async function checkSolution({ files, spec, hidden, headings, prepared }: Generated, label: string) {
  const expected = hidden.expected[0];
  if (expected?.type !== 'docx') throw new Error('no document is expected');
  const before = readDocx(prepared.name, files.get(prepared.hash)).document;
  const added = spec.outcome.mentions.filter((mention) => !mention.endsWith(':'));
  const names = new Set([...headings, ...added]);
  const after = solve(spec.outcome, before, names);
  const failed = (bytes: Uint8Array) =>
    compareDocx(bytes, expected.content)
      .filter((check) => !check.ok)
      .map((check) => `${check.check}: ${check.detail}`);
  const told = `${label}: ${spec.outcome.requirements.map(({ text }) => text).join(' | ')}`;
  expect(failed(await writeDocx(after)), told).toEqual([]);
  // Nothing is done yet at the start.
  expect(failed(files.get(prepared.hash)), told).not.toEqual([]);
}

async function generateMany(name: string, bytes: Uint8Array, count: number) {
  const made: Generated[] = [];
  for (let seed = 7; seed < 7 + count; seed += 1) {
    const task = await generate(name, bytes, seed);
    await checkSolution(task, `${name}, seed ${seed}, ${task.spec.outcome.kind}`);
    expect(
      findAnswerLeaks(task.instruction, task.hidden.answers, task.spec.outcome.mentions),
      task.instruction,
    ).toEqual([]);
    made.push(task);
  }
  return made;
}

const masked = (task: Generated, names: readonly string[]) =>
  names.map((name) => `${name}=${task.spec.traits[name]}`.replace(/\d+/g, '#')).join(';');

describe('the shipped document', () => {
  it('is valid', () => {
    expect(parsed.findings).toEqual([]);
    expect(validateDocument(document, kinds)).toEqual([]);
  });
});

describe('forty seeds on the sample', () => {
  it('give packages with right solutions that differ in outcome, structure and layout', async () => {
    const made = await generateMany('sample.docx', sample, 40);
    expect(new Set(made.map(({ prepared }) => prepared.hash)).size).toBe(40);
    expect(new Set(made.map(({ instruction }) => instruction)).size).toBe(40);
    expect(new Set(made.map(({ pack }) => pack.manifest.id)).size).toBe(40);
    expect(new Set(made.map(({ spec }) => spec.outcome.kind)).size).toBeGreaterThanOrEqual(20);
    const combined = made.map((task) => masked(task, ['changes', 'structure', 'numbering', 'edges', 'look']));
    expect(new Set(combined).size).toBeGreaterThanOrEqual(36);
  }, 300_000);

  it('give the same package again for the same seed', async () => {
    const [first, second] = [await generate('sample.docx', sample, 3), await generate('sample.docx', sample, 3)];
    expect(second.prepared.hash).toBe(first.prepared.hash);
    expect(second.pack).toEqual(first.pack);
  }, 60_000);
});

describe.skipIf(!existsSync(office))('real documents (when the shared data lies beside the project)', () => {
  const names = [
    'Policy_L2_04',
    'Policy_L3_04',
    'Policy_L3_09',
    'Guide_L3_05',
    'Guide_L3_10',
    'RemotePolicy_L2_12',
    'Proposal_L3_07',
  ];
  it.each(names)(
    '%s gives ten tasks with right solutions',
    async (name) => {
      const made = await generateMany(`${name}.docx`, readFileSync(resolve(office, `${name}.docx`)), 10);
      expect(new Set(made.map(({ prepared }) => prepared.hash)).size).toBe(10);
    },
    240_000,
  );
});

describe('documents that cannot be used', () => {
  it('fail with an error that says why', async () => {
    const page = { ...papers.A4, top: 72, right: 72, bottom: 72, left: 72 };
    const bytes = await writeDocx({
      page,
      styles: {},
      header: [],
      footer: [],
      blocks: [{ type: 'paragraph', style: 'Normal', runs: [{ text: 'Only a line.' }] }],
    });
    await expect(generate('note.docx', bytes, 1)).rejects.toThrow(/fewer than two headings with text below them/);
    await expect(generate('note.txt', new TextEncoder().encode('hello'), 1)).rejects.toThrow(
      /note.txt is no text document/,
    );
  });
});
