import { z } from 'zod';
import { Json } from './json.ts';
import { PortType } from './port-type.ts';

/** Newest version of the document format that this build reads and writes. */
export const DOCUMENT_FORMAT = 1;

export const NodeId = z
  .string()
  .regex(/^[a-z][a-z0-9-]{0,63}$/, 'lower-case letters, digits and hyphens, starting with a letter');
export const PortName = z
  .string()
  .regex(/^[a-z][A-Za-z0-9_-]{0,63}$/, 'letters, digits, _ and -, starting with a lower-case letter');

/** `node.port`, or `$inputs.name` for an input of the graph the edge stands in. */
export const EdgeEnd = z
  .string()
  .regex(/^(?:[a-z][a-z0-9-]*|\$inputs)\.[a-z][A-Za-z0-9_-]*$/, 'node.port or $inputs.name');

export const GraphInput = z.strictObject({
  type: PortType,
  title: z.string().optional(),
  doc: z.string().optional(),
  /** Used when a run gives no value; an input without one must be given. A `file` input's default is a path beside the document. */
  default: Json.optional(),
});
export type GraphInput = z.infer<typeof GraphInput>;

export const RepairRule = z.strictObject({
  /** Ancestor in the same graph that runs again with the feedback. */
  target: NodeId,
  /** Repairs allowed after the first try. */
  rounds: z.number().int().min(1).max(10),
});

export const GraphNode = z.strictObject({
  id: NodeId,
  kind: z.string(),
  version: z.number().int().min(1),
  title: z.string().max(200).optional(),
  params: z.record(z.string(), Json).default({}),
  /** For gates only. */
  repair: RepairRule.optional(),
  /** Overrides of the kind's policy. */
  policy: z
    .strictObject({
      timeoutMs: z.number().int().positive().optional(),
      attempts: z.number().int().min(1).max(100).optional(),
    })
    .optional(),
  notes: z.string().optional(),
});
export type GraphNode = z.infer<typeof GraphNode>;

export const GraphEdge = z.strictObject({ from: EdgeEnd, to: EdgeEnd });
export type GraphEdge = z.infer<typeof GraphEdge>;

/** One graph: the top level of a document, or one of its named subgraphs. */
export const Graph = z.strictObject({
  inputs: z.record(PortName, GraphInput).default({}),
  nodes: z.array(GraphNode),
  edges: z.array(GraphEdge).default([]),
  /** Output name → `node.port` (or `$inputs.name`). */
  outputs: z.record(PortName, EdgeEnd).default({}),
});
export type Graph = z.infer<typeof Graph>;

export const Position = z.strictObject({
  x: z.number(),
  y: z.number(),
  width: z.number().positive().optional(),
  height: z.number().positive().optional(),
});
/** Where things stand on the canvas: never part of what a document means. Graph name (`$main` for the top level) → node id → position. */
export const Layout = z.record(z.string(), z.record(z.string(), Position));

export const annotationTones = ['plain', 'blue', 'green', 'amber', 'red'] as const;

/** A note, or a frame around cards: for people alone. A frame's members are the cards whose middle lies in it. */
export const Annotation = z.strictObject({
  type: z.enum(['note', 'frame']),
  /** Words of the note; title of the frame. */
  text: z.string().max(10_000),
  tone: z.enum(annotationTones).optional(),
  x: z.number(),
  y: z.number(),
  width: z.number().positive(),
  height: z.number().positive(),
});
export type Annotation = z.infer<typeof Annotation>;
/** Graph name (`$main` for the top level) → id → note or frame. Never part of what a document means. */
export const Annotations = z.record(z.string(), z.record(NodeId, Annotation));

/** A workflow as people draw it, store it and diff it. */
export const GraphDocument = z.strictObject({
  forge: z.literal(DOCUMENT_FORMAT),
  id: NodeId,
  title: z.string().min(1).max(200),
  description: z.string().optional(),
  /** Skill of the taxonomy that this workflow generates tasks for. */
  skill: z.string().optional(),
  ...Graph.shape,
  /** Named subgraphs for flow.subgraph, flow.map and flow.repeat. */
  graphs: z.record(NodeId, Graph).default({}),
  layout: Layout.default({}),
  annotations: Annotations.optional(),
});
export type GraphDocument = z.infer<typeof GraphDocument>;

export const MAIN_GRAPH = '$main';

/** One thing that is wrong with a document. */
export const Finding = z.strictObject({
  code: z.string(),
  severity: z.enum(['error', 'warning']),
  message: z.string(),
  fix: z.string(),
  graph: z.string().optional(),
  node: z.string().optional(),
  port: z.string().optional(),
  param: z.string().optional(),
  line: z.number().int().optional(),
});
export type Finding = z.infer<typeof Finding>;
