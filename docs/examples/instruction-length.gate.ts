import { defineKind, input, output, policies, Verdict } from '@cua-forge/spec/kind';
import { z } from 'zod';

/** Sends an instruction back to its writer when it is shorter or longer than wanted. */
export const instructionLength = defineKind({
  id: 'gate.instruction-length',
  version: 1,
  title: 'Instruction has its length',
  doc: 'Checks that an instruction has no fewer and no more words than wanted.',
  params: z
    .strictObject({
      minWords: z.number().int().min(1).default(15),
      maxWords: z.number().int().min(1).default(160),
    })
    .refine(({ minWords, maxWords }) => minWords <= maxWords, { error: 'minWords is above maxWords' }),
  inputs: { instruction: input('text', z.string(), 'The instruction.') },
  outputs: {
    verdict: output('json', Verdict, 'How many words there are, and how many may be.'),
    instruction: output('text', z.string(), 'The instruction, when its length is right.'),
  },
  policy: policies.cheap,
  gate: true,
  example: {
    params: { minWords: 3 },
    inputs: { instruction: 'Please add a sheet with the total of each month to orders.xlsx.' },
  },
  async execute({ params: { minWords, maxWords }, inputs: { instruction } }) {
    const words = instruction.split(/\s+/).filter((word) => word !== '').length;
    const ok = words >= minWords && words <= maxWords;
    const detail = `${words} words; ${minWords} to ${maxWords} are wanted`;
    const evidence = [{ check: 'length', ok, detail }];
    if (ok) {
      const verdict: Verdict = { verdict: 'pass', evidence };
      return { verdict, instruction };
    }
    const wish = words < minWords ? `at least ${minWords}` : `at most ${maxWords}`;
    const feedback = `The instruction has ${words} words. Write ${wish}.`;
    const verdict: Verdict = { verdict: 'repair', evidence, feedback };
    return { verdict };
  },
});
