import { chmod, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { chainedSecrets } from './chained-secrets.ts';
import { changeSecretFile, fileSecrets } from './file-secrets.ts';
import { secretSettings, secretSources, withSecretVariables } from './secret-settings.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'forge-secrets-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

it('keeps secrets in a file that only its owner may read', async () => {
  const file = join(folder, 'new', 'secrets.json');
  expect(await fileSecrets(file).names()).toEqual([]);
  expect(await changeSecretFile(file, 'B', 'two')).toBe(false);
  expect(await changeSecretFile(file, 'A', 'one')).toBe(false);
  expect(await changeSecretFile(file, 'B', 'three')).toBe(true);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(await fileSecrets(file).names()).toEqual(['A', 'B']);
  expect(await fileSecrets(file).find('B')).toBe('three');
  expect(await changeSecretFile(file, 'B', null)).toBe(true);
  expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({ A: 'one' });
});

it('refuses a file that others may read, and one that is none, without telling a value', async () => {
  const file = join(folder, 'secrets.json');
  await changeSecretFile(file, 'A', 'the-value');
  await chmod(file, 0o644);
  await expect(fileSecrets(file).find('A')).rejects.toMatchObject({
    code: 'input.invalid',
    fix: `Run: chmod 600 ${file}`,
  });
  for (const text of ['{"A": "the-value"', '{"a": "the-value"}', '["the-value"]']) {
    await writeFile(file, text);
    await chmod(file, 0o600);
    const thrown: unknown = await fileSecrets(file)
      .find('A')
      .catch((error: unknown) => error);
    expect(thrown).toMatchObject({ code: 'input.invalid' });
    expect(String(thrown)).not.toContain('the-value');
  }
});

it('reads lines NAME=value, and leaves their writing to people', async () => {
  const file = join(folder, 'secrets.env');
  await writeFile(file, '# mine\nA=one\nB="two words"\n', { mode: 0o600 });
  expect(await fileSecrets(file).find('B')).toBe('two words');
  await expect(changeSecretFile(file, 'A', 'x')).rejects.toMatchObject({ code: 'input.invalid' });
});

it('asks the places in the order of the settings, and fills variables that name a secret', async () => {
  const env = {
    FORGE_SECRETS: join(folder, 's.json'),
    FORGE_SECRETS_FROM: 'file, env',
    FORGE_SECRET_A: 'of the environment',
    FORGE_OPENAI_API_KEY: 'secret:A',
  };
  await changeSecretFile(env.FORGE_SECRETS, 'A', 'of the file');
  const settings = secretSettings(env, folder);
  const secrets = chainedSecrets(secretSources(settings, env));
  expect(await withSecretVariables(env, secrets)).toMatchObject({ FORGE_OPENAI_API_KEY: 'of the file' });
  await expect(withSecretVariables({ X: 'secret:NONE' }, secrets)).rejects.toMatchObject({ code: 'secret.missing' });
  await expect(withSecretVariables({ X: 'secret:low' }, secrets)).rejects.toMatchObject({ code: 'input.invalid' });
  expect(secretSettings({}, '/data')).toEqual({ places: ['env', 'file'], file: '/data/secrets.json' });
  expect(() => secretSettings({ FORGE_SECRETS_FROM: 'vault' }, '/data')).toThrow(/vault/);
});
