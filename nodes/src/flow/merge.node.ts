import { ForgeError } from '@cua-forge/spec/errors';
import { Json } from '@cua-forge/spec/json';
import { defineKind, optionalInput, output, policies } from '@cua-forge/spec/kind';
import { z } from 'zod';

/** Joins alternative branches: of the live inputs the first in the order a, b, c, … goes on; the others are dropped. */
export const merge = defineKind({
  id: 'flow.merge',
  version: 1,
  title: 'Merge',
  doc: 'Passes on the first live one of its inputs.',
  params: z.strictObject({}),
  inputs: {
    a: optionalInput('any', Json, 'First choice.'),
    b: optionalInput('any', Json, 'Taken when a is dead.'),
    c: optionalInput('any', Json, 'Taken when a and b are dead.'),
    d: optionalInput('any', Json, 'Taken when a to c are dead.'),
    e: optionalInput('any', Json, 'Taken when a to d are dead.'),
    f: optionalInput('any', Json, 'Taken when a to e are dead.'),
    g: optionalInput('any', Json, 'Taken when a to f are dead.'),
    h: optionalInput('any', Json, 'Taken when a to g are dead.'),
  },
  outputs: { value: output('any', Json, 'The value of the first live input.') },
  policy: policies.cheap,
  flow: 'merge',
  example: { params: {}, inputs: { b: 'second choice' } },
  async execute() {
    throw new ForgeError('internal', 'flow.merge is carried out by the interpreter.');
  },
});
