import { NodeId } from '@cua-forge/spec/document';
import { ForgeError } from '@cua-forge/spec/errors';
import { Json } from '@cua-forge/spec/json';
import { defineKind, input, output, policies } from '@cua-forge/spec/kind';
import { z } from 'zod';

/** Most items that a map may be allowed. */
export const MAP_ITEM_LIMIT = 10_000;

export const MapParams = z.strictObject({
  graph: NodeId.describe('Graph that runs for each item; it has an input named item.'),
  window: z.number().int().min(1).max(200).default(16).describe('Items in progress at once.'),
  slice: z.number().int().min(1).max(1_000).default(200).describe('Items that one child workflow takes.'),
  maxItems: z.number().int().min(1).max(MAP_ITEM_LIMIT).default(2_000),
  onItemFailure: z.enum(['fail', 'tolerate']).default('fail'),
  tolerated: z.number().int().nonnegative().default(0).describe('Failed items allowed when failures are tolerated.'),
});

/**
 * The items of a map's input list.
 * @throws ForgeError `input.invalid` unless it is a list
 */
export function splitItems(list: Json): Json[] {
  if (Array.isArray(list)) return list;
  const seen = list === null ? 'null' : typeof list === 'object' ? 'an object' : `a ${typeof list}`;
  throw new ForgeError('input.invalid', `flow.map needs a list on its port items and got ${seen}.`, {
    fix: 'Connect a port that gives a list, or make one with data.transform.',
    place: { port: 'items' },
  });
}

/** Runs a graph once for each item of a list. The other inputs of that graph become inputs of this node, given to every item. */
export const map = defineKind({
  id: 'flow.map',
  version: 1,
  title: 'Map',
  doc: 'Runs a named graph for each item of a list and collects what it gives.',
  params: MapParams,
  inputs: { items: input('list', Json, 'The list; each member goes to the input item of the graph.') },
  outputs: {
    results: output(
      'list',
      z.array(Json),
      'Output object of the graph for each item that succeeded, in the order of the items.',
    ),
    failures: output(
      'list',
      z.array(Json),
      'Index and failure of each item that failed, where failures are tolerated.',
    ),
  },
  policy: { ...policies.cheap, cacheable: false },
  flow: 'map',
  example: { params: { graph: 'body' }, inputs: { items: [1, 2, 3] } },
  async execute() {
    throw new ForgeError('internal', 'flow.map is carried out by the interpreter.');
  },
});
