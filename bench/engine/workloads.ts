import type { GraphDocument } from '@cua-forge/spec/document';
import { GraphDocument as Schema } from '@cua-forge/spec/document';
import type { Kind } from '@cua-forge/spec/kind';
import { defineKind, manyInput, output, policies } from '@cua-forge/spec/kind';
import { z } from 'zod';

/** What one step computes, on both sides of the comparison. */
export const stepText = (runId: string, step: number, inputs: readonly string[]): string =>
  `${runId}:${step}(${inputs.map((text) => text.length).join(',')})`.padEnd(200, '.');

const step = (id: string, policy: Kind['policy']): Kind =>
  defineKind({
    id,
    version: 1,
    title: 'Step',
    doc: 'Makes a text of 200 bytes that no other step makes.',
    params: z.strictObject({ step: z.number().int() }),
    inputs: { value: manyInput('text', z.string(), 'What came before.') },
    outputs: { value: output('text', z.string(), 'The text.') },
    policy,
    example: { params: { step: 0 }, inputs: {} },
    execute: async ({ params, inputs, context }) => ({ value: stepText(context.runId, params.step, inputs.value) }),
  });

export const benchKinds: readonly Kind[] = [step('bench.remote', policies.pure), step('bench.cheap', policies.cheap)];

function documentOf(
  id: string,
  kind: string,
  count: number,
  edges: [number, number][],
  sources: number[],
): GraphDocument {
  return Schema.parse({
    forge: 1,
    id,
    title: id,
    inputs: { first: { type: 'text' } },
    nodes: Array.from({ length: count }, (_, index) => ({
      id: `n${index}`,
      kind,
      version: 1,
      params: { step: index },
    })),
    edges: [
      ...sources.map((to) => ({ from: '$inputs.first', to: `n${to}.value` })),
      ...edges.map(([from, to]) => ({ from: `n${from}.value`, to: `n${to}.value` })),
    ],
    outputs: { last: `n${count - 1}.value` },
  });
}

export const chain = (kind: string, length: number): GraphDocument =>
  documentOf(
    'chain',
    kind,
    length,
    Array.from({ length: length - 1 }, (_, index) => [index, index + 1]),
    [0],
  );
export const layer = (kind: string, width: number): GraphDocument =>
  documentOf(
    'layer',
    kind,
    width,
    [],
    Array.from({ length: width }, (_, index) => index),
  );
/** The same ten-node graph for every item of a list, side by side in one run. */
export const diamonds = (kind: string): GraphDocument => {
  const { nodes, edges } = diamond(kind);
  return Schema.parse({
    forge: 1,
    id: 'diamonds',
    title: 'diamonds',
    inputs: { first: { type: 'list' } },
    nodes: [{ id: 'each', kind: 'flow.map', version: 1, params: { graph: 'diamond', window: 200, slice: 50 } }],
    edges: [{ from: '$inputs.first', to: 'each.items' }],
    outputs: { all: 'each.results' },
    graphs: {
      diamond: {
        inputs: { item: { type: 'text' } },
        nodes,
        edges: edges.map(({ from, to }) => ({ from: from === '$inputs.first' ? '$inputs.item' : from, to })),
        outputs: { last: 'n9.value' },
      },
    },
  });
};

/** 1 → 4 → 4 → 1. */
export const diamond = (kind: string): GraphDocument =>
  documentOf(
    'diamond',
    kind,
    10,
    [0, 1, 2, 3].flatMap((column): [number, number][] => [
      [0, 1 + column],
      [1 + column, 5 + column],
      [5 + column, 9],
    ]),
    [0],
  );
