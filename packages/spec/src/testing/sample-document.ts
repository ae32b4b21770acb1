import { createHash } from 'node:crypto';
import type { z } from 'zod';
import { GraphDocument } from '../document.ts';

export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

export type Loose = Partial<z.input<typeof GraphDocument>>;
export type LooseNode = NonNullable<Loose['nodes']>[number];

/** A document with the parts given; `edges` may be written `a.x > b.y`. */
export function documentOf({ edges = [], ...rest }: Omit<Loose, 'edges'> & { edges?: string[] }): GraphDocument {
  return GraphDocument.parse({ forge: 1, id: 'sample', title: 'Sample', nodes: [], ...rest, edges: edgesOf(edges) });
}

export function edgesOf(edges: readonly string[]): { from: string; to: string }[] {
  return edges.map((edge) => {
    const [from = '', to = ''] = edge.split(' > ');
    return { from, to };
  });
}

/** A data.transform node with these input ports, all of type `any` unless said otherwise. */
export function transform(id: string, inputs: readonly string[] | Record<string, string> = []): LooseNode {
  const ports = Array.isArray(inputs) ? Object.fromEntries(inputs.map((name) => [name, 'any'])) : inputs;
  return { id, kind: 'data.transform', version: 1, params: { expression: '$', inputs: { ...ports } } };
}
