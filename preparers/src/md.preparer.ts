import { defineKind, input, output, policies } from '@cua-forge/spec/kind';
import { baseName, mediaTypeOf, requiredFile } from '@cua-forge/spec/required-file';
import { type MarkdownContent, TaskSpecification } from '@cua-forge/spec/task';
import { FileValue } from '@cua-forge/spec/value';
import { gfmToMarkdown } from 'mdast-util-gfm';
import { toMarkdown } from 'mdast-util-to-markdown';
import { z } from 'zod';
import { exampleSpec } from './example-spec.ts';
import { markdownTree } from './markdown-tree.ts';

/** A Markdown document (GitHub's flavour: tables, task lists); line ends `\n`, one at the end. */
export function markdownText(content: MarkdownContent): string {
  return toMarkdown(markdownTree(content), { extensions: [gfmToMarkdown()], bullet: '-', rule: '-', fences: true });
}

/** Makes the Markdown file that a specification requires. Equal specifications give equal bytes. */
export const md = defineKind({
  id: 'preparer.md',
  version: 1,
  title: 'Prepare Markdown file',
  doc: 'Writes required headings, paragraphs, lists, tables and code as a Markdown file.',
  params: z.strictObject({ file: z.string().min(1).describe('Id of the required file.') }),
  inputs: { spec: input('spec', TaskSpecification, 'The shared specification.') },
  outputs: { file: output('file', FileValue, 'The .md file, named as in its path.') },
  policy: policies.pure,
  example: { params: { file: 'report' }, inputs: { spec: exampleSpec } },
  async execute({ params, inputs, context }) {
    const wanted = requiredFile(inputs.spec, params.file, 'md');
    const bytes = new TextEncoder().encode(markdownText(wanted.content));
    return { file: await context.files.write(baseName(wanted.path), mediaTypeOf.md, bytes) };
  },
});
