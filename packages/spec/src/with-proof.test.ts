import { describe, expect, it } from 'vitest';
import { GraphDocument } from './document.ts';
import { kinds } from './kinds.ts';
import { validateDocument } from './validate-document.ts';
import { provingDocument, withProof } from './with-proof.ts';

const document = GraphDocument.parse({
  forge: 1,
  id: 'given',
  title: 'Given',
  inputs: { package: { type: 'package' } },
  nodes: [{ id: 'prove', kind: 'gate.prove', version: 1 }],
  edges: [{ from: '$inputs.package', to: 'prove.package' }],
  outputs: { package: 'prove.package', proof: 'prove.proof' },
});

describe('withProof', () => {
  it('puts a proof that needs a sandbox behind whatever gives a package', () => {
    const assembling = GraphDocument.parse({
      ...document,
      nodes: [{ id: 'prove', kind: 'package.assemble', version: 2 }],
      edges: [],
      outputs: { package: 'prove.package' },
      layout: { $main: { prove: { x: 10, y: 20 } } },
    });
    const made = withProof(assembling, kinds);
    expect(made.nodes[1]).toMatchObject({ id: 'prove-2', kind: 'gate.prove', params: { required: true } });
    expect(made.edges).toEqual([{ from: 'prove.package', to: 'prove-2.package' }]);
    expect(made.outputs).toEqual({ package: 'prove-2.package' });
    expect(made.layout.$main?.['prove-2']).toEqual({ x: 290, y: 20 });
    expect(assembling.nodes).toHaveLength(1);
  });

  it('requires proofs that are there and adds no second one', () => {
    const made = withProof(document, kinds);
    expect(made.nodes).toHaveLength(1);
    expect(made.nodes[0]?.params).toEqual({ required: true });
    expect(made.outputs).toEqual(document.outputs);
  });

  it('has a document for packages that are there already', () => {
    expect(validateDocument(GraphDocument.parse(provingDocument), kinds)).toEqual([]);
  });
});
