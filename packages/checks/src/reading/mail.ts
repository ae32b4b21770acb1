import { ForgeError } from '@cua-forge/spec/errors';
import { splitMbox } from '@cua-forge/spec/mbox';
import type { StateReader } from '@cua-forge/spec/state-reader';
import PostalMime, { type Email } from 'postal-mime';

const MOST_MESSAGES = 5_000;
/** Messages of an mbox file or a maildir folder; null where there is neither. */
export async function readMail(reader: StateReader, path: string): Promise<Email[] | null> {
  const sources = await sourcesOf(reader, path);
  if (sources === null) return null;
  if (sources.length > MOST_MESSAGES)
    throw new ForgeError('input.invalid', `${path} holds more than ${MOST_MESSAGES} messages.`);
  return Promise.all(sources.map((source) => PostalMime.parse(source)));
}

async function sourcesOf(reader: StateReader, path: string): Promise<Uint8Array[] | null> {
  const found: Uint8Array[] = [];
  let isMaildir = false;
  for (const part of ['cur', 'new']) {
    const names = await reader.listFiles(`${path}/${part}`);
    if (names === null) continue;
    isMaildir = true;
    for (const name of names.slice(0, MOST_MESSAGES + 1)) {
      const bytes = await reader.readFile(`${path}/${part}/${name}`);
      if (bytes !== null) found.push(bytes);
    }
  }
  if (isMaildir) return found;
  const bytes = await reader.readFile(path);
  return bytes === null ? null : splitMbox(bytes);
}
