import type { Plan } from '@cua-forge/spec/plan';

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
