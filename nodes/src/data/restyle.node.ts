import { defineKind, input, output, policies } from '@cua-forge/spec/kind';
import { HiddenAnswers, RequiredFile, SandboxPath, TaskSpecification } from '@cua-forge/spec/task';
import { z } from 'zod';
import { Outline } from './restyle/outline.ts';
import { restyleTask } from './restyle/restyle.ts';

/**
 * Lays a document out anew, puts faults into it and states as a task that they go. The document without the faults leaves by
 * `hidden` alone. Two to four kinds of change come together: the wished one, and drawn ones that go with it.
 */
export const restyle = defineKind({
  id: 'data.restyle',
  version: 2,
  title: 'Plan a restyling',
  doc: 'Makes a document with faults of style and content from an outline, and keeps the corrected one hidden.',
  params: z.strictObject({}),
  inputs: {
    outline: input('json', Outline, 'What the document says.'),
    change: input('text', z.string(), 'The change that the task is about, one of those of data.outline.'),
    company: input('text', z.string().min(1), 'Whose document it is.'),
    path: input('text', SandboxPath, 'Path of the document in the sandbox.'),
  },
  outputs: {
    outcome: output('json', TaskSpecification.shape.outcome, 'The end state that is asked for.'),
    file: output('json', RequiredFile, 'The document that the task starts with.'),
    hidden: output('hidden', HiddenAnswers, 'The corrected document.', true),
    traits: output('json', z.record(z.string(), z.string()), 'Labels of the changes, of structure and of layout.'),
  },
  policy: { ...policies.cheap, seeded: true },
  example: {
    params: {},
    inputs: {
      outline: {
        title: 'Key policy',
        subtitle: ['Version 2'],
        sections: [
          { heading: 'Purpose', paragraphs: ['This policy says who holds keys. All employees follow it.'] },
          { heading: 'Loss', paragraphs: ['Employees report a lost key at once. The desk has a list of keys.'] },
        ],
        chosen: '“Key policy”, a document with the sections Purpose, Loss.',
      },
      change: 'spaces',
      company: 'Alder & Finch',
      path: '/home/user/Documents/keys.docx',
    },
  },
  migrations: { 1: (params) => params },
  async execute({ inputs: { outline, change, path, company }, context }) {
    return { ...restyleTask(outline, change, path, company, context.seed) };
  },
});
