import { Json } from '@cua-forge/spec/json';
import { defineKind, output, policies } from '@cua-forge/spec/kind';
import { PortType } from '@cua-forge/spec/port-type';
import { z } from 'zod';
import { compileExpression, ExpressionText } from './expression.ts';

/** Name of a port that a param declares → its type. */
export const PortMap = z.record(z.string().regex(/^[a-z][A-Za-z0-9_-]{0,63}$/), PortType);

/**
 * Evaluates a JSONata expression over the inputs. Without declared outputs the result is `value`; with them the
 * result must be an object, whose members go to the ports (a missing or null member leaves its port dead).
 */
export const transform = defineKind({
  id: 'data.transform',
  version: 1,
  title: 'Transform',
  doc: 'Computes a value from its inputs with a JSONata expression.',
  params: z.strictObject({
    expression: ExpressionText,
    inputs: PortMap.default({}),
    outputs: PortMap.default({}),
  }),
  inputs: {},
  outputs: { value: output('json', Json, 'What the expression gives.') },
  inputsFromParam: 'inputs',
  outputsFromParam: 'outputs',
  policy: policies.cheap,
  example: {
    params: { expression: '{ "total": $sum(orders.amount), "count": $count(orders) }', inputs: { orders: 'list' } },
    inputs: { orders: [{ amount: 12.5 }, { amount: 7.5 }] },
  },
  async execute({ params, extra }) {
    const value = await compileExpression(params.expression).evaluate(extra);
    const ports: Record<string, Json> = {};
    for (const port of Object.keys(params.outputs)) {
      const member = typeof value === 'object' && value !== null && !Array.isArray(value) ? value[port] : undefined;
      if (member !== undefined && member !== null) ports[port] = member;
    }
    return { ...ports, value };
  },
});
