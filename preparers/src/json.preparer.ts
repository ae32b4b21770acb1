import { defineKind, input, output, policies } from '@cua-forge/spec/kind';
import { baseName, mediaTypeOf, requiredFile } from '@cua-forge/spec/required-file';
import { TaskSpecification } from '@cua-forge/spec/task';
import { FileValue } from '@cua-forge/spec/value';
import { z } from 'zod';
import { exampleSpec } from './example-spec.ts';

/** Makes the JSON file that a specification requires: UTF-8, members in the order of the specification, one line end at the end. */
export const json = defineKind({
  id: 'preparer.json',
  version: 1,
  title: 'Prepare JSON file',
  doc: 'Writes a required value as a JSON file.',
  params: z.strictObject({
    file: z.string().min(1).describe('Id of the required file.'),
    indent: z.number().int().min(0).max(8).default(2).describe('Spaces of each level; 0 writes one line.'),
  }),
  inputs: { spec: input('spec', TaskSpecification, 'The shared specification.') },
  outputs: { file: output('file', FileValue, 'The .json file, named as in its path.') },
  policy: policies.pure,
  example: { params: { file: 'settings' }, inputs: { spec: exampleSpec } },
  async execute({ params, inputs, context }) {
    const wanted = requiredFile(inputs.spec, params.file, 'json');
    const bytes = new TextEncoder().encode(`${JSON.stringify(wanted.content, null, params.indent)}\n`);
    return { file: await context.files.write(baseName(wanted.path), mediaTypeOf.json, bytes) };
  },
});
