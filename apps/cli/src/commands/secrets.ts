import { changeSecretFile } from '@cua-forge/secrets/file-secrets';
import { keyringSecrets } from '@cua-forge/secrets/keyring-secrets';
import { type SecretSettings, secretSources } from '@cua-forge/secrets/secret-settings';
import { ForgeError, toForgeError } from '@cua-forge/spec/errors';
import { SecretName } from '@cua-forge/spec/secrets-port';
import type { Environment } from '../bootstrap/environment.ts';
import { exitCodes } from './exit-code.ts';
import { type Output, printResult, tableText } from './output.ts';

export type WritablePlace = 'file' | 'keyring';

/** The shortest value that is masked wherever something is written down. */
const shortest = 6;

function nameOf(text: string): string {
  const name = SecretName.safeParse(text);
  if (name.success) return name.data;
  throw new ForgeError('input.invalid', `"${text}" cannot be a name of a secret.`, {
    fix: 'Use capital letters, digits and underscores, a letter first, at most 64.',
  });
}

/** Keeps a secret under its name. @throws ForgeError `input.invalid` */
export async function setSecret(
  { place, name, value, file }: { place: WritablePlace; name: string; value: string; file: string },
  output: Output,
): Promise<number> {
  const valid = nameOf(name);
  if (value.length < shortest) {
    throw new ForgeError(
      'input.invalid',
      `A secret of fewer than ${shortest} characters could not be masked in logs.`,
      {
        fix: 'Use a longer one. The value is read from standard input.',
      },
    );
  }
  if (place === 'keyring') await keyringSecrets().set(valid, value);
  else await changeSecretFile(file, valid, value);
  printResult(
    output,
    { name: valid, place },
    () => `${valid} is kept in the ${place}. Documents use it as {{secret:${valid}}}.`,
  );
  return exitCodes.done;
}

/** Names of secrets by the place they lie in, in the order in which the worker asks; never values. */
export async function listSecrets(settings: SecretSettings, env: Environment, output: Output): Promise<number> {
  const found: { name: string; place: string }[] = [];
  const problems: string[] = [];
  for (const source of secretSources(settings, env)) {
    try {
      for (const name of await source.names()) found.push({ name, place: source.description });
    } catch (thrown) {
      const { message, fix } = toForgeError(thrown);
      problems.push([message, fix].join(' ').trim());
    }
  }
  printResult(output, { secrets: found, problems }, () =>
    [
      found.length === 0
        ? 'There are no secrets.'
        : tableText(
            ['secret', 'place'],
            found.map(({ name, place }) => [name, place]),
          ),
      ...problems,
    ].join('\n'),
  );
  return problems.length === 0 ? exitCodes.done : exitCodes.failed;
}

/** @throws ForgeError `not-found` */
export async function removeSecret(
  { place, name, file }: { place: WritablePlace; name: string; file: string },
  output: Output,
): Promise<number> {
  const valid = nameOf(name);
  const removed =
    place === 'keyring' ? await keyringSecrets().remove(valid) : await changeSecretFile(file, valid, null);
  if (!removed) {
    throw new ForgeError('not-found', `The ${place} has no secret ${valid}.`, {
      fix: '`forge secrets list` shows where it is.',
    });
  }
  printResult(output, { removed: valid, place }, () => `${valid} is gone from the ${place}.`);
  return exitCodes.done;
}
