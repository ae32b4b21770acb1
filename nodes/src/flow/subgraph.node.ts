import { NodeId } from '@cua-forge/spec/document';
import { ForgeError } from '@cua-forge/spec/errors';
import { defineKind, policies } from '@cua-forge/spec/kind';
import { z } from 'zod';

/** Runs a named graph of the document in place. Its ports are the inputs and outputs of that graph. */
export const subgraph = defineKind({
  id: 'flow.subgraph',
  version: 1,
  title: 'Subgraph',
  doc: 'Runs a named graph of the same document as one node.',
  params: z.strictObject({ graph: NodeId.describe('Name of the graph.') }),
  inputs: {},
  outputs: {},
  policy: { ...policies.cheap, cacheable: false },
  flow: 'subgraph',
  example: { params: { graph: 'body' }, inputs: {} },
  async execute() {
    throw new ForgeError('internal', 'flow.subgraph is carried out by the interpreter.');
  },
});
