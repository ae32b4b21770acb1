import { Json } from '@cua-forge/spec/json';
import { defineKind, input, output, policies, Verdict } from '@cua-forge/spec/kind';
import { z } from 'zod';
import { check, verdictOf } from '../evidence.ts';
import {
  bankAccounts,
  identityNumbers,
  mailAddresses,
  networkAddresses,
  paymentCards,
  phoneNumbers,
  secrets,
  withoutAccounts,
} from './personal-data.ts';

/** Texts of a value with where they stand: members, keys, and numbers that are long enough to be a card. */
function textsOf(value: Json, path: string): { path: string; text: string }[] {
  if (typeof value === 'string') return [{ path, text: value }];
  if (typeof value === 'number') return Number.isInteger(value) && value >= 1e13 ? [{ path, text: String(value) }] : [];
  if (Array.isArray(value)) return value.flatMap((member, index) => textsOf(member, `${path}[${index}]`));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) => [
    { path: `${path}: key`, text: key },
    ...textsOf(member, path === '' ? key : `${path}.${key}`),
  ]);
}

/** Sends back whatever may belong to a real person or open a real door. Evidence tells where, and shows ends only. */
export const personalData = defineKind({
  id: 'gate.personal-data',
  version: 1,
  title: 'No real personal data',
  doc: 'Checks that a value holds no secrets, and that e-mail addresses, phone, card, account and identity numbers are reserved ones.',
  params: z.strictObject({
    allowedDomains: z
      .array(z.string().min(3))
      .default([])
      .describe('Domains whose e-mail addresses may occur, beside the reserved ones.'),
  }),
  inputs: { value: input('any', Json, 'Whatever is to be looked through: a text, a table, a specification.') },
  outputs: {
    verdict: output('json', Verdict, 'What was looked for, and where something was found.'),
    value: output('any', Json, 'The value, when nothing was found.'),
  },
  policy: policies.pure,
  gate: true,
  example: { params: {}, inputs: { value: { note: 'Write to dana.reyes@example.com or call (212) 555-0143.' } } },
  async execute({ params, inputs: { value } }) {
    const texts = textsOf(value, '');
    const looked = `${texts.length} texts looked through`;
    const look = (name: string, find: (text: string) => string[], advice: string) =>
      check(
        name,
        texts.flatMap(({ path, text }) => find(text).map((found) => (path === '' ? found : `${found} at ${path}`))),
        looked,
        (problem) => `${advice}: ${problem}.`,
      );
    const verdict = verdictOf([
      look('no secrets', secrets, 'Leave secrets out'),
      look(
        'e-mail addresses are reserved ones',
        (text) => mailAddresses(text, params.allowedDomains),
        'Use addresses of example.com, example.org or a domain that ends with .example',
      ),
      look(
        'phone numbers are reserved ones',
        (text) => phoneNumbers(withoutAccounts(text)),
        'Use numbers that are kept free, such as (212) 555-0143',
      ),
      look('payment cards are test numbers', paymentCards, 'Use a test number, such as 4111 1111 1111 1111'),
      look(
        'bank accounts are examples',
        bankAccounts,
        'Use an account of the IBAN registry, such as GB82 WEST 1234 5698 7654 32',
      ),
      look('identity numbers are reserved ones', identityNumbers, 'Leave numbers of persons out, or begin them with 9'),
      look('network addresses are reserved ones', networkAddresses, 'Use an address of 192.0.2.0/24'),
    ]);
    return verdict.verdict === 'pass' ? { verdict, value } : { verdict };
  },
});
