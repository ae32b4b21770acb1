import { Json } from '@cua-forge/spec/json';
import { defineKind, input, output, policies } from '@cua-forge/spec/kind';
import { PortType } from '@cua-forge/spec/port-type';
import { z } from 'zod';
import { compileExpression, ExpressionText, isTruthy } from '../data/expression.ts';

const CaseName = z.string().regex(/^[a-z][A-Za-z0-9_-]{0,63}$/);

/**
 * With `condition` the value leaves by `yes` or `no`. With `cases` (port → expression) it leaves by the first case, in
 * alphabetical order of the ports, that holds, else by `no`. Conditions see the value as their input. All other ports are dead.
 */
export const branch = defineKind({
  id: 'flow.branch',
  version: 1,
  title: 'Branch',
  doc: 'Sends a value down the port whose condition holds.',
  params: z
    .strictObject({
      condition: ExpressionText.optional().describe('Condition for yes; otherwise no.'),
      cases: z
        .record(CaseName, ExpressionText)
        .optional()
        .describe('Port → condition, tried in alphabetical order; none: no.'),
      ports: z.record(CaseName, PortType).default({}).describe('The ports of the cases and their types.'),
    })
    .superRefine((params, check) => {
      if ((params.condition === undefined) === (params.cases === undefined)) {
        check.addIssue({ code: 'custom', message: 'give either a condition or cases' });
      }
      const cases = new Set(Object.keys(params.cases ?? {}));
      const ports = new Set(Object.keys(params.ports));
      for (const name of ports)
        if (!cases.has(name))
          check.addIssue({ code: 'custom', path: ['ports', name], message: `port ${name} has no case` });
      for (const name of cases)
        if (!ports.has(name))
          check.addIssue({
            code: 'custom',
            path: ['cases', name],
            message: `case ${name} has no port: add it to ports`,
          });
    }),
  inputs: { value: input('any', Json, 'What the conditions look at and what is passed on.') },
  outputs: {
    yes: output('any', Json, 'The value, when the condition holds.'),
    no: output('any', Json, 'The value, when neither the condition nor a case holds.'),
  },
  outputsFromParam: 'ports',
  policy: policies.cheap,
  example: { params: { condition: 'amount > 100' }, inputs: { value: { amount: 250 } } },
  async execute({ params, inputs }) {
    const holds = async (expression: string) => isTruthy(await compileExpression(expression).evaluate(inputs.value));
    if (params.condition !== undefined) return { [(await holds(params.condition)) ? 'yes' : 'no']: inputs.value };
    for (const name of Object.keys(params.ports).sort()) {
      const expression = params.cases?.[name];
      if (expression !== undefined && (await holds(expression))) return { [name]: inputs.value };
    }
    return { no: inputs.value };
  },
});
