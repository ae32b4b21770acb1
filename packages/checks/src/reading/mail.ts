import { ForgeError } from '@cua-forge/spec/errors';
import type { StateReader } from '@cua-forge/spec/state-reader';
import PostalMime, { type Email } from 'postal-mime';

const MOST_MESSAGES = 5_000;
/** Thunderbird's mark for messages that are deleted and not yet compacted away. */
const EXPUNGED = 0x0008;

/** Messages of an mbox file. */
export function splitMbox(bytes: Uint8Array): string[] {
  // One byte is one character, so that messages keep their own encodings.
  const text = Buffer.from(bytes).toString('latin1');
  const starts = [...text.matchAll(/^From .*\r?\n/gm)].filter(
    ({ index }) => index === 0 || /\r?\n\r?\n$/.test(text.slice(Math.max(0, index - 4), index)),
  );
  return starts.flatMap((start, at) => {
    const message = text
      .slice(start.index + start[0].length, starts[at + 1]?.index ?? text.length)
      .replace(/^>(>*From )/gm, '$1');
    const status = /^X-Mozilla-Status: ([0-9a-f]{4})\r?$/im.exec(message.split(/\r?\n\r?\n/, 1)[0] ?? '')?.[1];
    return status !== undefined && (Number.parseInt(status, 16) & EXPUNGED) !== 0 ? [] : [message];
  });
}

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
  return bytes === null ? null : splitMbox(bytes).map((message) => new Uint8Array(Buffer.from(message, 'latin1')));
}
