import { z } from 'zod';
import type { Plan } from './plan.ts';
import { NodeStatus, NodeView } from './store-port.ts';

const whole = z.number().int().nonnegative();

/** Items of a map that stand alike. `failureCode` is that of the first failed node, by code; null where none failed. */
export const ItemCount = z.strictObject({ status: NodeStatus, failureCode: z.string().nullable(), count: whole });
export type ItemCount = z.infer<typeof ItemCount>;

/** An item of a map that has begun. `troubled` are the states of its nodes that failed unhandled or wait for a decision. */
export const ItemView = z.strictObject({
  index: whole,
  status: NodeStatus,
  failureCode: z.string().nullable(),
  troubled: z.array(NodeView),
});
export type ItemView = z.infer<typeof ItemView>;

/** Which items of a map; `handled` are nodes inside (paths without items and iterations) whose failures an edge handles. */
export interface ItemFilter {
  map: string;
  handled?: readonly string[];
  status?: NodeStatus;
  failureCode?: string;
}

/** Nodes inside a scope, composites' insides included, whose failures do not make an item fail. Paths from the scope on. */
export function handledNodes(plan: Plan, scope: string): string[] {
  const handled: string[] = [];
  const visit = (id: string, prefix: string, around: boolean): void => {
    for (const node of plan.scopes[id]?.nodes ?? []) {
      const path = `${prefix}${node.id}`;
      const here = around || node.handlesError;
      if (here) handled.push(path);
      const { op } = node;
      if (op.type === 'subgraph' || op.type === 'repeat') visit(op.scope, `${path}/`, here);
    }
  };
  visit(scope, '', false);
  return handled;
}
