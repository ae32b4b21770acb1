import { ForgeError } from '@cua-forge/spec/errors';
import { describe, expect, it } from 'vitest';
import { chainedSecrets } from './chained-secrets.ts';
import { envSecrets } from './env-secrets.ts';
import { Redactor, redactedSecrets, redactorFor, secretsInEnvironment } from './redactor.ts';

const secret = 'ca"nary/+4711?';
const redactor = new Redactor([secret, 'short']);

describe('the redactor', () => {
  it('masks a secret in texts, however it is written', () => {
    const forms = [secret, JSON.stringify(secret), encodeURIComponent(secret)];
    for (const form of forms)
      expect(redactor.text(`before ${form} after`), form).toMatch(/^before "?\[secret\]"? after$/);
    for (const before of ['', 'a', 'ab', 'user:'])
      for (const after of ['', 'z', 'yz'])
        for (const encoding of ['base64', 'base64url'] as const) {
          const text = redactor.text(Buffer.from(`${before}${secret}${after}`).toString(encoding));
          expect(text, `${before}|${after}`).toContain('[secret]');
          expect(Buffer.from(text.replace('[secret]', '')).length).toBeLessThan(
            before.length * 2 + after.length * 2 + 8,
          );
        }
  });

  it('leaves short secrets and everything else alone', () => {
    expect(redactor.text('a short text')).toBe('a short text');
    const data = { a: [1, 'b', null], c: { d: true } };
    expect(redactor.data(data)).toBe(data);
    const bytes = Buffer.from('nothing');
    expect(redactor.bytes(bytes)).toBe(bytes);
    const error = new Error('nothing');
    expect(redactor.error(error)).toBe(error);
  });

  it('masks names and texts in data, and bytes without changing their length', () => {
    expect(redactor.data({ [secret]: [`x${secret}`, 1] })).toEqual({ '[secret]': ['x[secret]', 1] });
    const bytes = Buffer.from(`<${secret}>`);
    expect(Buffer.from(redactor.bytes(bytes)).toString()).toBe(`<${'*'.repeat(secret.length)}>`);
    expect(bytes.toString()).toContain(secret);
  });

  it('masks errors with their causes, and keeps what they are', () => {
    const cause = new TypeError(`cause ${secret}`);
    const error = new ForgeError('http.failed', `bad ${secret}`, { fix: `not ${secret}`, place: { node: 'n' }, cause });
    const safe = redactor.error(error);
    expect(safe).toBeInstanceOf(ForgeError);
    expect(safe.toFailure()).toEqual({
      code: 'http.failed',
      message: 'bad [secret]',
      fix: 'not [secret]',
      place: { node: 'n' },
    });
    expect(safe.cause).toBeInstanceOf(TypeError);
    expect(`${safe.stack}${String(safe.cause)}${safe.cause instanceof Error ? safe.cause.stack : ''}`).not.toContain(
      '4711',
    );
  });

  it('learns a secret when it is handed out', async () => {
    const learning = new Redactor();
    const secrets = redactedSecrets(chainedSecrets([envSecrets({ FORGE_SECRET_KEY: secret })]), learning);
    expect(learning.text(secret)).toBe(secret);
    expect(await secrets.get('KEY')).toBe(secret);
    expect(learning.text(secret)).toBe('[secret]');
  });

  it('knows the credentials of an environment, and of the sources that can be read', async () => {
    const env = {
      FORGE_OPENAI_API_KEY: 'key-of-a-model',
      OTHER_KEY: 'secret:OTHER',
      AWS_SECRET_ACCESS_KEY: 'aws-secret-key',
      DATABASE_URL: 'postgres://forge:p%40ssword@db/forge',
      FORGE_HOST: '127.0.0.1',
    };
    expect(secretsInEnvironment(env)).toEqual(['key-of-a-model', 'aws-secret-key', 'p%40ssword', 'p@ssword']);
    const broken = { description: 'x', names: () => Promise.reject(new Error('no')), find: async () => null };
    const known = await redactorFor(env, [broken, envSecrets({ FORGE_SECRET_A: 'from the source' })]);
    expect(known.text('key-of-a-model, from the source')).toBe('[secret], [secret]');
  });
});
