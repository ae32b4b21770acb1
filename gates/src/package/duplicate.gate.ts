import { defineKind, input, optionalInput, output, policies, Verdict } from '@cua-forge/spec/kind';
import { z } from 'zod';
import { check, verdictOf } from '../evidence.ts';
import { likeness } from './text-likeness.ts';

/** Sends an instruction back that says what an earlier one of its batch says. */
export const duplicate = defineKind({
  id: 'gate.duplicate',
  version: 1,
  title: 'Instruction is a new one',
  doc: 'Checks that an instruction is not an earlier one with other names and numbers, a few other words, or another order.',
  params: z.strictObject({
    most: z
      .number()
      .min(0)
      .max(1)
      .default(0.75)
      .describe('Largest share of word triples in common, names and numbers masked.'),
  }),
  inputs: {
    instruction: input('text', z.string(), 'The message of the user.'),
    earlier: optionalInput(
      'list',
      z.array(z.string()),
      'Instructions that there are already, for example of the batch.',
    ),
  },
  outputs: {
    verdict: output('json', Verdict, 'How alike the most alike earlier instruction is.'),
    instruction: output('text', z.string(), 'The instruction, when it is new.'),
  },
  policy: policies.cheap,
  gate: true,
  example: {
    params: {},
    inputs: {
      instruction: 'Please give every column of team.xlsx a width that shows its texts in full.',
      earlier: ['Sort the addresses in members.csv by postcode and take out those who left the club.'],
    },
  },
  async execute({ params, inputs: { instruction, earlier = [] } }) {
    const compared = earlier.map((text, index) => ({ ...likeness(instruction, text), index }));
    const named = (index: number, share: number) =>
      `earlier instruction ${index + 1} (${Math.round(share * 100)} % in common)`;
    const closest = compared.reduce((most, { shared }) => Math.max(most, shared), 0);
    const good = `${earlier.length} compared; the closest has ${Math.round(closest * 100)} % in common`;
    const otherwise = (problem: string) =>
      `It is too close to ${problem}; ask for it in another way, with other words and another order of thoughts.`;
    const verdict = verdictOf([
      check(
        'it is not the same text',
        compared.filter(({ same }) => same).map(({ index }) => named(index, 1)),
        good,
        otherwise,
      ),
      check(
        'it is not nearly the same text',
        compared.filter(({ shared }) => shared > params.most).map(({ index, shared }) => named(index, shared)),
        good,
        otherwise,
      ),
      check(
        'it is not the same text in another order',
        compared
          .filter(({ sentences, reordered }) => reordered && sentences >= 0.6)
          .map(({ index, sentences }) => named(index, sentences)),
        good,
        otherwise,
      ),
    ]);
    return verdict.verdict === 'pass' ? { verdict, instruction } : { verdict };
  },
});
