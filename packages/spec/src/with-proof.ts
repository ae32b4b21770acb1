import { type GraphDocument, MAIN_GRAPH } from './document.ts';
import type { KindMeta } from './kind.ts';
import { kinds as allKinds } from './kinds.ts';

const proving = 'gate.prove';
/** The newest that this build has. */
const version = Math.max(...allKinds.flatMap((kind) => (kind.id === proving ? [kind.version] : [])));

/** An id for a node that the document does not have yet. */
function freeId(document: GraphDocument, wanted: string): string {
  const taken = new Set(document.nodes.map(({ id }) => id));
  let id = wanted;
  for (let count = 2; taken.has(id); count += 1) id = `${wanted}-${count}`;
  return id;
}

/**
 * The document with a proof in front of each package that it gives: an output that is a package comes from a `gate.prove` that requires a sandbox. Proofs that are there
 * already become required. What it means otherwise, and its ids, stay as they are.
 */
export function withProof(document: GraphDocument, kinds: readonly KindMeta[]): GraphDocument {
  const nodes = document.nodes.map((node) =>
    node.kind === proving ? { ...node, params: { ...node.params, required: true } } : node,
  );
  let made: GraphDocument = { ...document, nodes };
  for (const [output, from] of Object.entries(document.outputs)) {
    const [id = '', port = ''] = from.split('.');
    const node = document.nodes.find((one) => one.id === id);
    if (node === undefined || node.kind === proving) continue;
    const kind = kinds.find((one) => one.id === node.kind && one.version === node.version);
    if (kind?.outputs[port]?.type !== 'package') continue;
    const proof = freeId(made, 'prove');
    const place = made.layout[MAIN_GRAPH]?.[id];
    made = {
      ...made,
      nodes: [
        ...made.nodes,
        { id: proof, kind: proving, version, title: 'Package proves itself', params: { required: true } },
      ],
      edges: [...made.edges, { from, to: `${proof}.package` }],
      outputs: { ...made.outputs, [output]: `${proof}.package` },
      ...(place === undefined
        ? {}
        : {
            layout: {
              ...made.layout,
              [MAIN_GRAPH]: { ...made.layout[MAIN_GRAPH], [proof]: { x: place.x + 280, y: place.y } },
            },
          }),
    };
  }
  return made;
}

/** Proves a package that is there already: it comes out with its verdict, whatever that is. */
export const provingDocument: GraphDocument = {
  forge: 1,
  id: 'prove-package',
  title: 'Prove a package',
  inputs: { package: { type: 'package', doc: 'A finished task package.' } },
  nodes: [{ id: 'prove', kind: proving, version, title: 'Package proves itself', params: { failed: 'mark' } }],
  edges: [{ from: '$inputs.package', to: 'prove.package' }],
  outputs: { package: 'prove.package' },
  graphs: {},
  layout: {},
};
