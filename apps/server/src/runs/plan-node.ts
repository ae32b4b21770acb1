import type { Plan, PlanNode } from '@cua-forge/spec/plan';

/** One part of a node path: id of the node, and the map item or repeat iteration that the path goes into. */
const Part = /^([a-z][a-z0-9-]*)(?:\[\d+\]|#\d+)?$/;

/** The plan's node at a path (`draft`, `files[3]/draft`, `polish#2/judge`); null where there is none. */
export function planNodeAt(plan: Plan, key: string): PlanNode | null {
  let scope = plan.scopes[plan.root];
  let found: PlanNode | null = null;
  const parts = key.split('/');
  for (const [index, part] of parts.entries()) {
    const id = Part.exec(part)?.[1];
    const node = scope?.nodes.find((candidate) => candidate.id === id);
    if (node === undefined) return null;
    found = node;
    if (index === parts.length - 1) break;
    const { op } = node;
    scope = op.type === 'subgraph' || op.type === 'map' || op.type === 'repeat' ? plan.scopes[op.scope] : undefined;
  }
  return found;
}
