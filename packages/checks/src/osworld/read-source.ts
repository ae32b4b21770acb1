import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { ForgeError } from '@cua-forge/spec/errors';

/** The files of tasks, .json or .jsonl, that `source` is or that lie below it. @throws ForgeError `input.invalid` */
export async function readOsworldSource(source: string): Promise<{ name: string; text: string }[]> {
  const facts = await stat(source).catch((cause: unknown) => {
    throw new ForgeError('input.invalid', `There is no ${source}.`, { cause });
  });
  const names = facts.isDirectory()
    ? (await readdir(source, { recursive: true })).filter((name) => /\.jsonl?$/.test(name)).sort()
    : [source];
  if (names.length === 0)
    throw new ForgeError('input.invalid', `${source} has no .json or .jsonl file.`, {
      fix: 'Name a file of tasks, or the folder that they lie in.',
    });
  return Promise.all(
    names.map(async (name) => ({
      name,
      text: await readFile(facts.isDirectory() ? join(source, name) : name, 'utf8'),
    })),
  );
}
