import { ForgeError } from '@cua-forge/spec/errors';
import { defineKind, input, output, policies, Verdict } from '@cua-forge/spec/kind';
import { baseName } from '@cua-forge/spec/required-file';
import { type RequiredFile, TaskSpecification } from '@cua-forge/spec/task';
import { FileValue } from '@cua-forge/spec/value';
import { z } from 'zod';
import { compareDocx } from './compare-docx.ts';
import { compareJson } from './compare-json.ts';
import { compareMarkdown } from './compare-markdown.ts';
import { comparePdf } from './compare-pdf.ts';
import { compareCsv, compareText } from './compare-text.ts';
import { type Check, compareWorkbook } from './compare-workbook.ts';

async function compare(bytes: Uint8Array, wanted: RequiredFile, signal: AbortSignal): Promise<Check[]> {
  switch (wanted.type) {
    case 'xlsx':
      return compareWorkbook(bytes, wanted.content);
    case 'csv':
      return compareCsv(bytes, wanted.content);
    case 'text':
      return compareText(bytes, wanted.content);
    case 'docx':
      return compareDocx(bytes, wanted.content);
    case 'pdf':
      return comparePdf(bytes, wanted.content, signal);
    case 'md':
      return compareMarkdown(bytes, wanted.content);
    case 'json':
      return compareJson(bytes, wanted.content);
  }
}

/** Reads a prepared file again and compares it with the specification, cell by cell or paragraph by paragraph. Rejects at any difference. */
export const matchesSpec = defineKind({
  id: 'gate.matches-spec',
  version: 2,
  title: 'File matches specification',
  doc: 'Checks that a prepared file holds exactly what the specification says.',
  params: z.strictObject({ file: z.string().min(1).describe('Id of the required file.') }),
  inputs: {
    file: input('file', FileValue, 'The prepared file.'),
    spec: input('spec', TaskSpecification, 'The shared specification.'),
  },
  outputs: {
    verdict: output('json', Verdict, 'What was compared and what was found.'),
    file: output('file', FileValue, 'The file, when it matches.'),
  },
  policy: policies.pure,
  migrations: { 1: (params) => params },
  gate: true,
  example: {
    params: { file: 'note' },
    inputs: {
      file: { name: 'note.txt', mediaType: 'text/plain', text: 'Call the office.\n' },
      spec: {
        skill: 'example-skill',
        domain: 'documents',
        applications: ['text-editor'],
        outcome: {
          kind: 'edit',
          summary: 'The note has a second line.',
          requirements: [{ id: 'line', text: 'A second line is there.', must: true }],
          mentions: ['note.txt'],
        },
        scenario: { person: 'Dana Reyes', role: 'office manager', company: 'Alder & Finch', motive: 'a call is due' },
        files: [{ id: 'note', path: '/home/user/note.txt', type: 'text', content: 'Call the office.' }],
        preconditions: [],
        constraints: [],
        traits: {},
      },
    },
  },
  async execute({ params, inputs, context }) {
    const wanted = inputs.spec.files.find((candidate) => candidate.id === params.file);
    if (wanted === undefined) {
      throw new ForgeError('input.invalid', `The specification has no required file "${params.file}".`, {
        fix: `Set the param file to one of: ${inputs.spec.files.map((candidate) => candidate.id).join(', ')}.`,
      });
    }
    const name = baseName(wanted.path);
    const evidence: Check[] = [
      { check: 'name', ok: inputs.file.name === name, detail: `expected ${name}; found ${inputs.file.name}` },
      ...(await compare(await context.files.read(inputs.file), wanted, context.signal)),
    ];
    const passed = evidence.every((check) => check.ok);
    const verdict: Verdict = { verdict: passed ? 'pass' : 'reject', evidence };
    return passed ? { verdict, file: inputs.file } : { verdict };
  },
});
