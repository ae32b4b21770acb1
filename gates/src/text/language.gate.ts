import { defineKind, input, output, policies, Verdict } from '@cua-forge/spec/kind';
import { z } from 'zod';
import { check, verdictOf } from '../evidence.ts';
import { languages, otherLanguage } from './detect-language.ts';
import { badCharacters, breaksOff, repetitions, talkAround } from './text-faults.ts';

/** Sends a text back to its writer when it is in another language, too short or long, broken, or more than the message. */
export const language = defineKind({
  id: 'gate.language',
  version: 1,
  title: 'Instruction is a clean message',
  doc: 'Checks that an instruction is in the wanted language and of the wanted length, whole, and nothing but the message.',
  params: z
    .strictObject({
      language: z.enum(languages).default('en').describe('Language of the instruction, as ISO 639-1 code.'),
      minWords: z.number().int().min(1).default(8).describe('Fewest words.'),
      maxWords: z.number().int().min(1).default(400).describe('Most words.'),
    })
    .refine(({ minWords, maxWords }) => minWords <= maxWords, { error: 'minWords is above maxWords' }),
  inputs: { instruction: input('text', z.string(), 'The message of the user.') },
  outputs: {
    verdict: output('json', Verdict, 'What was looked at, and what its author should change.'),
    instruction: output('text', z.string(), 'The instruction, when all passes.'),
  },
  policy: policies.cheap,
  gate: true,
  example: {
    params: {},
    inputs: { instruction: 'Please add a sheet with the total of each month to orders.xlsx and keep the data.' },
  },
  async execute({ params, inputs: { instruction } }) {
    const words = [...new Intl.Segmenter(params.language, { granularity: 'word' }).segment(instruction)].filter(
      ({ isWordLike }) => isWordLike === true,
    ).length;
    const others = otherLanguage(instruction, params.language);
    const broken = breaksOff(instruction);
    const verdict = verdictOf([
      check(
        'the language is right',
        others.map(({ language: found, part }) => `“${part.slice(0, 60)}…” is in ${found}`),
        `it is in ${params.language}`,
        (problem) => `Write all of it in the language ${params.language}; ${problem}.`,
      ),
      check(
        'the length is right',
        words >= params.minWords && words <= params.maxWords
          ? []
          : [`it has ${words} words; ${params.minWords} to ${params.maxWords} are wanted`],
        `${words} words`,
        (problem) => `Change the length: ${problem}.`,
      ),
      check(
        'it is the message alone',
        talkAround(instruction),
        'nothing stands around it',
        (problem) => `Give the message of the user alone; leave out ${problem}.`,
      ),
      check(
        'nothing is repeated',
        repetitions(instruction),
        'every sentence is said once',
        (problem) => `Say it once: ${problem}.`,
      ),
      check(
        'it does not break off',
        broken === undefined ? [] : [broken],
        'it ends',
        (problem) => `Finish the last sentence: ${problem}.`,
      ),
      check(
        'every character is sound',
        badCharacters(instruction),
        'all are',
        (problem) => `Write it anew, in clean characters: ${problem}.`,
      ),
    ]);
    return verdict.verdict === 'pass' ? { verdict, instruction } : { verdict };
  },
});
