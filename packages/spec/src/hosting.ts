import type { Plan } from './plan.ts';

/** Nodes of a run that may be hosted, and of all runs of a host. */
const NODES_OF_RUN = 50;
const NODES_OF_HOST = 500;
const RUNS_OF_HOST = 50;
/** Bodies inside bodies, at most. */
const DEPTH = 8;

/** How many runs of a plan one workflow may host; 0 where each needs a workflow of its own. */
export function runsInHost(plan: Plan): number {
  const nodes = cheapNodes(plan, plan.root, DEPTH);
  return nodes > NODES_OF_RUN ? 0 : Math.min(RUNS_OF_HOST, Math.floor(NODES_OF_HOST / Math.max(1, nodes)));
}

/** Nodes of a scope and the bodies in it; infinitely many where one of them is not cheap. */
function cheapNodes(plan: Plan, scope: string, depth: number): number {
  const nodes = plan.scopes[scope]?.nodes;
  if (nodes === undefined || depth === 0) return Number.POSITIVE_INFINITY;
  let count = 0;
  for (const { op, region } of nodes) {
    if (op.type === 'subgraph') count += 1 + cheapNodes(plan, op.scope, depth - 1);
    else if (op.type === 'merge' || (op.type === 'execute' && region !== null)) count += 1;
    else return Number.POSITIVE_INFINITY;
  }
  return count;
}
