import { ForgeError } from '@cua-forge/spec/errors';
import type { Json } from '@cua-forge/spec/json';
import { JsonObject } from '@cua-forge/spec/json';
import { defineKind, output, policies } from '@cua-forge/spec/kind';
import { z } from 'zod';
import { seedOfRound } from '../llm/conversation.ts';
import { drawNamed } from './draw-value.ts';
import { contradictionIn, Draw, type ValueDraw } from './draws.ts';
import { compileExpression } from './expression.ts';
import { PortMap } from './transform.node.ts';

const SampleParams = z
  .strictObject({
    draws: z.array(Draw).min(1).max(200),
    inputs: PortMap.default({}).describe('Ports whose values the draws can take their options from.'),
    eachRound: z
      .boolean()
      .default(false)
      .describe('Draw other values in each repair round, for gates that send what was drawn back.'),
  })
  .superRefine((params, check) => {
    const seen = new Set<string>();
    params.draws.forEach((draw, index) => {
      const message = seen.has(draw.name) ? `the name ${draw.name} is taken` : contradictionIn(draw);
      seen.add(draw.name);
      if (message !== undefined)
        check.addIssue({ code: 'custom', path: ['draws', index], message: `${draw.name}: ${message}` });
    });
  });

async function listFrom(expression: string, name: string, inputs: JsonObject): Promise<Json[]> {
  const list = await compileExpression(expression).evaluate(inputs);
  const options = Array.isArray(list) ? list : list === null ? [] : [list];
  if (options.length > 0) return options;
  throw new ForgeError(
    'input.invalid',
    `The draw ${name} has nothing to choose from: ${expression} gave an empty list.`,
    {
      fix: 'Correct the expression in from, or connect an input that holds such a list.',
    },
  );
}

/**
 * Draws seeded values: persons, companies, dates, amounts, choices, tables. Each draw has a seed of its own, made of the
 * node's seed and the draw's name, so that adding, removing or moving draws leaves the others as they were.
 */
export const sample = defineKind({
  id: 'data.sample',
  version: 1,
  title: 'Sample',
  doc: 'Draws seeded random values, the same for the same seed on every machine.',
  params: SampleParams,
  inputs: {},
  outputs: { values: output('json', JsonObject, 'Name of the draw → what was drawn.') },
  inputsFromParam: 'inputs',
  policy: { ...policies.cheap, seeded: true },
  example: {
    params: {
      draws: [
        { name: 'person', type: 'person' },
        { name: 'company', type: 'company' },
        { name: 'month', type: 'choice', from: 'months' },
        { name: 'tone', type: 'choice', options: ['brief', 'friendly'], weights: [3, 1] },
        {
          name: 'orders',
          type: 'table',
          minRows: 3,
          maxRows: 6,
          columns: [
            { name: 'Order', value: { type: 'sequence', prefix: 'A-' } },
            { name: 'Date', value: { type: 'date', min: '2024-01-01', max: '2024-12-31' } },
            { name: 'Amount', value: { type: 'amount', min: 5, max: 400 } },
          ],
        },
      ],
      inputs: { months: 'list' },
    },
    inputs: { months: ['January', 'February', 'March'] },
  },
  async execute({ params, extra, context }) {
    const lists = new Map<Draw | ValueDraw, readonly Json[]>();
    const prepare = async (draw: Draw | ValueDraw, name: string) => {
      if ('from' in draw && draw.from !== undefined) lists.set(draw, await listFrom(draw.from, name, extra));
      else if ('options' in draw) lists.set(draw, draw.options ?? []);
    };
    for (const draw of params.draws) {
      await prepare(draw, draw.name);
      if (draw.type === 'table')
        for (const column of draw.columns) await prepare(column.value, `${draw.name}/${column.name}`);
    }
    const seed = params.eachRound ? seedOfRound(context.seed, context.round) : context.seed;
    const values: JsonObject = {};
    for (const draw of params.draws) values[draw.name] = drawNamed(draw, seed, (each) => lists.get(each) ?? []);
    return { values };
  },
});
