import { chmod, mkdir, open, readFile, rename, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { parseEnv } from 'node:util';
import { ForgeError } from '@cua-forge/spec/errors';
import { SecretName, type SecretSource } from '@cua-forge/spec/secrets-port';
import { z } from 'zod';

const Secrets = z.record(SecretName, z.string().min(1));
type Secrets = z.infer<typeof Secrets>;

const isJson = (file: string): boolean => file.endsWith('.json');
const isMissing = (thrown: unknown): boolean => thrown instanceof Error && 'code' in thrown && thrown.code === 'ENOENT';

/**
 * Secrets by name from a file: a JSON object where it ends with .json, else lines `NAME=value`. A file that is not there has none.
 * @throws ForgeError `input.invalid` when others than its owner may read it, or it is not such a file; the message holds no value
 */
export async function readSecretFile(file: string): Promise<Secrets> {
  let text: string;
  try {
    const { mode } = await stat(file);
    if (process.platform !== 'win32' && (mode & 0o077) !== 0) {
      throw new ForgeError('input.invalid', `Others than its owner may read the file of secrets ${file}.`, {
        fix: `Run: chmod 600 ${file}`,
      });
    }
    text = await readFile(file, 'utf8');
  } catch (thrown) {
    if (isMissing(thrown)) return {};
    throw thrown;
  }
  let content: unknown;
  try {
    content = isJson(file) ? JSON.parse(text) : parseEnv(text);
  } catch {
    content = undefined;
  }
  const parsed = Secrets.safeParse(content);
  if (parsed.success) return parsed.data;
  throw new ForgeError(
    'input.invalid',
    `The file of secrets ${file} is not one: it needs ${isJson(file) ? 'a JSON object of texts' : 'lines NAME=value'}.`,
    {
      fix: 'Names are capital letters, digits and underscores. Write it with `forge secrets set NAME`.',
    },
  );
}

/** Secrets of a file, read again for every use, so that a changed one counts at once. */
export function fileSecrets(file: string): SecretSource {
  return {
    description: `file ${file}`,
    find: async (name) => (await readSecretFile(file))[name] ?? null,
    names: async () => Object.keys(await readSecretFile(file)).sort(),
  };
}

/**
 * Sets a secret in a JSON file, or removes it with null; the file is readable to its owner alone, and never half written.
 * Answers whether the name was there before.
 * @throws ForgeError `input.invalid`
 */
export async function changeSecretFile(file: string, name: string, value: string | null): Promise<boolean> {
  if (!isJson(file)) {
    throw new ForgeError('input.invalid', `Secrets are written into files that end with .json; ${file} does not.`, {
      fix: 'Change the file by hand, or set FORGE_SECRETS to another.',
    });
  }
  const { [name]: before, ...others } = await readSecretFile(file);
  const after = value === null ? others : { ...others, [name]: value };
  const text = `${JSON.stringify(Object.fromEntries(Object.entries(after).sort()), null, 2)}\n`;
  await mkdir(dirname(file), { recursive: true });
  await writePrivate(file, text);
  return before !== undefined;
}

/** Writes a file that only its owner may read, under another name first. */
export async function writePrivate(file: string, text: string): Promise<void> {
  const fresh = `${file}.${process.pid}.new`;
  const handle = await open(fresh, 'w', 0o600);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await chmod(fresh, 0o600);
  await rename(fresh, file);
}
