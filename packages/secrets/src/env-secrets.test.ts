import { expect, it } from 'vitest';
import { chainedSecrets } from './chained-secrets.ts';
import { envSecrets } from './env-secrets.ts';

const environment = envSecrets({
  FORGE_SECRET_TOKEN: 'abc',
  FORGE_SECRET_EMPTY: '',
  FORGE_SECRET_low: 'x',
  PATH: '/bin',
});
const other = { description: 'a drawer', find: async () => 'from the drawer', names: async () => ['TOKEN', 'MORE'] };

it('takes secrets from variables with the prefix and a well-formed name, empty ones left out', async () => {
  expect(await environment.names()).toEqual(['TOKEN']);
  expect(await environment.find('TOKEN')).toBe('abc');
  expect(await environment.find('EMPTY')).toBeNull();
  expect(await environment.find('low')).toBeNull();
});

it('asks one source after the other', async () => {
  expect(await chainedSecrets([environment, other]).get('TOKEN')).toBe('abc');
  expect(await chainedSecrets([environment, other]).get('MORE')).toBe('from the drawer');
});

it('says which secret is missing, where it was looked for, and nothing of the others', async () => {
  const missing = chainedSecrets([environment]).get('OTHER');
  await expect(missing).rejects.toMatchObject({
    code: 'secret.missing',
    message: 'There is no secret named OTHER. Looked in: environment (FORGE_SECRET_<NAME>).',
    fix: expect.stringContaining('FORGE_SECRET_OTHER'),
  });
});
