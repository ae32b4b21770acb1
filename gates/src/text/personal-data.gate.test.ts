import { judge } from '@cua-forge/testing/judge';
import { describe, expect, it } from 'vitest';
import { personalData } from './personal-data.gate.ts';

const look = (value: unknown, params = {}) => judge(personalData, { params, inputs: { value } });

describe('gate.personal-data', () => {
  it('passes reserved addresses and numbers and hands the value on', async () => {
    expect(
      await look({ mail: 'a@example.com', phone: '(212) 555-0143', card: '4111 1111 1111 1111', ip: '192.0.2.1' }),
    ).toMatchObject({
      verdict: 'pass',
      passed: ['value'],
    });
  });

  it.each([
    ['a secret', { deep: [{ text: `${'AKIA'}4XQ7ZP2MN6RT3WVB` }] }, 'no secrets: an access key at deep[0].text'],
    ['an address', 'dana@gmail.com', 'e-mail addresses are reserved ones: dan…om'],
    ['a phone number', ['+49 30 901820'], 'phone numbers are reserved ones: +49…20 at [0]'],
    ['a card', 4539148803436467, 'payment cards are test numbers: 453…67'],
    ['an account', 'DE32 6005 0101 7846 2931 05', 'bank accounts are examples: DE3…05'],
    ['a number of a person', 'SSN 536-90-4399', 'identity numbers are reserved ones: 536…99'],
    ['a network address', 'ssh 81.169.145.68', 'network addresses are reserved ones: 81.…68'],
  ])('asks to repair %s, without repeating it', async (_, value, message) => {
    const { verdict, failed, passed, feedback } = await look(value);
    expect({ verdict, passed, failed }).toEqual({ verdict: 'repair', passed: [], failed: [message] });
    expect(feedback).not.toContain('4XQ7ZP2MN6RT3WVB');
  });

  it('lets domains through that are allowed, with those below them', async () => {
    const params = { allowedDomains: ['alderfinch.com'] };
    expect((await look('dana@mail.alderfinch.com', params)).verdict).toBe('pass');
    expect((await look('dana@notalderfinch.com', params)).verdict).toBe('repair');
  });
});
