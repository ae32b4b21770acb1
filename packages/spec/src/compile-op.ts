import { z } from 'zod';
import type { GraphNode } from './document.ts';
import { ForgeError } from './errors.ts';
import type { JsonObject } from './json.ts';
import type { FlowOp, KindMeta } from './kind.ts';
import type { Op } from './plan.ts';

const SubgraphParams = z.object({ graph: z.string() });
const MapParams = z.object({
  graph: z.string(),
  window: z.number().int().min(1).default(16),
  slice: z.number().int().min(1).default(200),
  maxItems: z.number().int().min(1).default(2000),
  onItemFailure: z.enum(['fail', 'tolerate']).default('fail'),
  tolerated: z.number().int().nonnegative().default(0),
});
const RepeatParams = z.object({
  graph: z.string(),
  maxRounds: z.number().int().min(1).default(10),
  onLimit: z.enum(['fail', 'accept']).default('fail'),
});
const ApprovalParams = z.object({
  timeoutMs: z.number().int().positive().nullable().default(null),
  onTimeout: z.enum(['approve', 'reject', 'fail']).default('fail'),
});
const DelayParams = z.object({ milliseconds: z.number().int().nonnegative() });

const lower: Record<FlowOp, (params: JsonObject) => Op> = {
  merge: () => ({ type: 'merge' }),
  subgraph: (params) => ({ type: 'subgraph', scope: SubgraphParams.parse(params).graph }),
  map: (params) => {
    const { graph, ...rest } = MapParams.parse(params);
    return { type: 'map', scope: graph, ...rest };
  },
  repeat: (params) => {
    const { graph, ...rest } = RepeatParams.parse(params);
    return { type: 'repeat', scope: graph, ...rest };
  },
  approval: (params) => ({ type: 'approval', ...ApprovalParams.parse(params) }),
  delay: (params) => ({ type: 'delay', ...DelayParams.parse(params) }),
};

/**
 * What the interpreter does with a node. Params left out take the defaults of the kind's schema.
 * @throws ForgeError `params.invalid` when a flow kind's schema lets params through that the interpreter cannot use
 */
export function opOf(node: GraphNode, kind: KindMeta): Op {
  if (kind.flow === undefined) return { type: 'execute' };
  try {
    return lower[kind.flow]({ ...defaultsOf(kind), ...node.params });
  } catch (thrown) {
    if (!(thrown instanceof z.ZodError)) throw thrown;
    const issue = thrown.issues[0];
    throw new ForgeError('params.invalid', `Node "${node.id}": param "${issue?.path.join('.')}": ${issue?.message}`, {
      fix: `Correct the params of the ${node.kind} node.`,
      place: { node: node.id },
      cause: thrown,
    });
  }
}

const PropertyDefaults = z.record(z.string(), z.unknown());

function defaultsOf(kind: KindMeta): JsonObject {
  const properties = PropertyDefaults.safeParse(kind.params.properties);
  const defaults: JsonObject = {};
  for (const [name, schema] of Object.entries(properties.data ?? {})) {
    const value = z.object({ default: z.json() }).safeParse(schema);
    if (value.success) defaults[name] = value.data.default;
  }
  return defaults;
}
