import { canonicalJson } from '@cua-forge/spec/canonical-json';
import { ClaimScope } from '@cua-forge/spec/claims-port';
import { ForgeError } from '@cua-forge/spec/errors';
import { Json } from '@cua-forge/spec/json';
import { defineKind, input, output, policies, Verdict } from '@cua-forge/spec/kind';
import { z } from 'zod';
import { compileExpression, ExpressionText } from './expression.ts';
import { asRead, signatureOf } from './unique/signature.ts';

const places: Record<ClaimScope, string> = { batch: 'batch', skill: 'skill', document: 'document' };

/**
 * Lets a value through that no other run has, and claims it for this one. A repeat of the same execution is granted its own claim again;
 * a repair round that brings another value gives the old one back.
 */
export const unique = defineKind({
  id: 'data.unique',
  version: 1,
  title: 'Unique value',
  doc: 'Claims a value for this run and asks for another one when a run of the same batch, skill or document has it already.',
  params: z.strictObject({
    scope: ClaimScope.default('batch').describe('Within what no other run may have it; a run in no batch is its own.'),
    key: ExpressionText.optional().describe(
      'What of the value must differ (JSONata over the value); left out, all of it.',
    ),
    match: z
      .enum(['exact', 'text', 'near'])
      .default('text')
      .describe('exact: equal JSON; text: equal but for case, spaces and punctuation; near: alike.'),
    alike: z
      .number()
      .min(0.3)
      .max(1)
      .default(0.8)
      .describe('For near: share of three-letter pieces in common from which on values count as equal.'),
    name: z
      .string()
      .min(1)
      .max(100)
      .optional()
      .describe('Values of different names do not meet; left out, the path of the node.'),
    whenTaken: z
      .enum(['repair', 'fail'])
      .default('repair')
      .describe('repair: the target of the repair rule makes another; fail: the node fails with value.taken.'),
  }),
  inputs: { value: input('json', Json, 'What must differ.') },
  outputs: {
    verdict: output('json', Verdict, 'Whether the value was free.'),
    value: output('json', Json, 'The value, when it is this run’s own.'),
  },
  policy: { ...policies.pure, effects: 'external', cacheable: false },
  gate: true,
  example: { params: { scope: 'skill', key: 'customer' }, inputs: { value: { customer: 'Alder & Finch', total: 12 } } },
  async execute({ params, inputs: { value }, context }) {
    const key = params.key === undefined ? value : await compileExpression(params.key).evaluate(value);
    if (key === null)
      throw new ForgeError('input.invalid', 'There is nothing to compare: the key of the value is empty.', {
        fix: params.key === undefined ? 'Connect a value.' : 'Correct the expression in the param key.',
        place: { port: 'value' },
      });
    const text = typeof key === 'string' ? key : canonicalJson(key);
    const read = asRead(text);
    // A value of nothing but punctuation is compared as it is.
    const claimed = params.match === 'exact' || read === '' ? canonicalJson(key) : read;
    const answer = await context.claims.claim({
      scope: params.scope,
      name: params.name ?? context.key.replaceAll(/\[\d+\]|#\d+/g, ''),
      value: claimed,
      ...(params.match === 'near' ? { near: { signature: signatureOf(claimed), atLeast: params.alike } } : {}),
    });
    const shown = text.length > 200 ? `${text.slice(0, 200)}…` : text;
    if (answer.granted) {
      const detail = `nothing ${params.match === 'near' ? 'alike' : 'equal'} is claimed in the ${places[params.scope]}`;
      const verdict: Verdict = { verdict: 'pass', evidence: [{ check: 'unique', ok: true, detail }] };
      return { verdict, value };
    }
    const who = answer.own ? 'another part of this run' : `another run of the ${places[params.scope]}`;
    const how = answer.alike === 1 ? 'the same value' : `a value that is ${Math.round(answer.alike * 100)} % the same`;
    if (params.whenTaken === 'fail')
      throw new ForgeError('value.taken', `${who.replace('another', 'Another')} has ${how} already.`, {
        fix: 'Run again with another seed, widen what values are drawn from, or set whenTaken to repair.',
        place: { port: 'value' },
      });
    const verdict: Verdict = {
      verdict: 'repair',
      evidence: [{ check: 'unique', ok: false, detail: `${who} has ${how}` }],
      feedback: `This is taken already, so make something clearly different: ${JSON.stringify(shown)}`,
    };
    return { verdict };
  },
});
