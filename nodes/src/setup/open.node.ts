import { launcherOf } from '@cua-forge/desktop/setup-script';
import { ForgeError } from '@cua-forge/spec/errors';
import { defineKind, input, output, policies } from '@cua-forge/spec/kind';
import { SetupOperation, TaskSpecification } from '@cua-forge/spec/task';
import { z } from 'zod';
import { exampleSpecification } from '../spec/example-specification.ts';
import { fileOfSpec } from './file-of-spec.ts';

export const open = defineKind({
  id: 'setup.open',
  version: 1,
  title: 'Open an application',
  doc: 'Makes the operation that opens an application, usually with a file of the specification.',
  params: z.strictObject({
    application: z.string().min(1).optional().describe('Left out, the first application of the specification.'),
    file: z.string().min(1).optional().describe('Id of the file to open; left out, the application opens empty.'),
  }),
  inputs: { spec: input('spec', TaskSpecification, 'Names the applications and the files.') },
  outputs: { operation: output('operation', SetupOperation, 'The operation, for setup.script.') },
  policy: policies.cheap,
  example: { params: { application: 'libreoffice-calc', file: 'book' }, inputs: { spec: exampleSpecification } },
  async execute({ params, inputs: { spec } }) {
    const application = params.application ?? spec.applications[0] ?? '';
    if (!spec.applications.includes(application)) {
      throw new ForgeError('params.invalid', `The specification does not use the application ${application}.`, {
        fix: `Set the param application to one of ${spec.applications.join(', ')}.`,
      });
    }
    launcherOf(application);
    const path = params.file === undefined ? {} : { path: fileOfSpec(spec, params.file).path };
    return { operation: { op: 'open' as const, application, ...path } };
  },
});
