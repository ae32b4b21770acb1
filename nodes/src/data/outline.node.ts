import { defineKind, input, output, policies } from '@cua-forge/spec/kind';
import { TextDocument } from '@cua-forge/spec/text-document';
import { z } from 'zod';
import { exampleDocument } from './restyle/example-document.ts';
import { Outline, outlineOf } from './restyle/outline.ts';
import { changeIds } from './restyle/restyle.ts';

export const outline = defineKind({
  id: 'data.outline',
  version: 1,
  title: 'Find the outline',
  doc: 'Finds title, headings and paragraphs of a text document, and what such a document can be asked to be changed in.',
  params: z.strictObject({}),
  inputs: { document: input('json', TextDocument, 'A text document as data.file reads it.') },
  outputs: {
    outline: output('json', Outline, 'Title, sections and the document in a sentence.'),
    changes: output('list', z.array(z.string()), 'Kinds of changes that data.restyle knows.'),
  },
  policy: policies.cheap,
  example: { params: {}, inputs: { document: exampleDocument } },
  execute: async ({ inputs }) => ({ outline: outlineOf(inputs.document), changes: [...changeIds] }),
});
