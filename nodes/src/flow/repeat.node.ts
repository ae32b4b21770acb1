import { NodeId } from '@cua-forge/spec/document';
import { ForgeError } from '@cua-forge/spec/errors';
import { Json } from '@cua-forge/spec/json';
import { defineKind, input, output, policies } from '@cua-forge/spec/kind';
import { z } from 'zod';
import { compileExpression, ExpressionText, isTruthy } from '../data/expression.ts';

export const RepeatParams = z.strictObject({
  graph: NodeId.describe('Graph that runs each round; it has an input and an output named value.'),
  maxRounds: z.number().int().min(1).max(1_000).default(10),
  until: ExpressionText.describe('Condition over the outputs of the graph; the rounds end once it holds.'),
  onLimit: z.enum(['fail', 'accept']).default('fail'),
});

/**
 * Whether the condition of a repeat holds for the outputs of its last round.
 * @throws ForgeError `expression.invalid`
 */
export async function untilHolds(expression: string, outputs: unknown): Promise<boolean> {
  return isTruthy(await compileExpression(expression).evaluate(outputs));
}

/** Runs a graph again on its own result until a condition holds, or the rounds are used up. */
export const repeat = defineKind({
  id: 'flow.repeat',
  version: 1,
  title: 'Repeat',
  doc: 'Runs a named graph on its own result until a condition holds.',
  params: RepeatParams,
  inputs: { value: input('any', Json, 'Input value of the first round.') },
  outputs: {
    value: output('any', Json, 'Output value of the last round.'),
    rounds: output('number', z.number().int(), 'Rounds that ran.'),
  },
  policy: { ...policies.cheap, cacheable: false },
  flow: 'repeat',
  example: { params: { graph: 'body', until: 'value >= 10' }, inputs: { value: 1 } },
  async execute() {
    throw new ForgeError('internal', 'flow.repeat is carried out by the interpreter.');
  },
});
