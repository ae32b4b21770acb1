import { ForgeError } from '@cua-forge/spec/errors';
import type { SecretSource } from '@cua-forge/spec/secrets-port';

const service = 'cua-forge';
/** On Linux the keyring of the desktop alone: the kernel's forgets everything when the machine stops. */
const options = { linux: { store: 'secret-service' as const } };

/** Secrets in the keyring of the operating system. */
export interface Keyring extends SecretSource {
  set(name: string, value: string): Promise<void>;
  /** Answers whether it was there. */
  remove(name: string): Promise<boolean>;
}

/** @throws ForgeError `input.invalid` that says why there is no keyring */
async function library() {
  try {
    return await import('@napi-rs/keyring');
  } catch (cause) {
    throw new ForgeError(
      'input.invalid',
      'The keyring of the operating system cannot be used: its library is not installed.',
      {
        fix: 'Install @napi-rs/keyring (npm ci does, unless optional packages are left out), or keep secrets in the file.',
        cause,
      },
    );
  }
}

/** @throws ForgeError `input.invalid` with what the keyring itself said */
async function use<T>(work: (keyring: Awaited<ReturnType<typeof library>>) => Promise<T>): Promise<T> {
  const keyring = await library();
  try {
    return await work(keyring);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new ForgeError('input.invalid', `The keyring of the operating system does not work here: ${why}`, {
      fix: 'It needs a desktop session with an unlocked keyring. Without one, keep secrets in the file or the environment.',
      cause,
    });
  }
}

export function keyringSecrets(): Keyring {
  return {
    description: 'keyring of the operating system',
    find: (name) => use(async ({ AsyncEntry }) => (await new AsyncEntry(service, name, options).getPassword()) ?? null),
    names: () =>
      use(async ({ findCredentialsAsync }) =>
        (await findCredentialsAsync(service)).map(({ account }) => account).sort(),
      ),
    set: (name, value) => use(({ AsyncEntry }) => new AsyncEntry(service, name, options).setPassword(value)),
    remove: (name) => use(({ AsyncEntry }) => new AsyncEntry(service, name, options).deletePassword()),
  };
}
