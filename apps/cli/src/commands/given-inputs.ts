import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import type { ApiClient } from '@cua-forge/api-client/api-client';
import type { GraphDocument } from '@cua-forge/spec/document';
import { ForgeError } from '@cua-forge/spec/errors';
import { Json, type JsonObject } from '@cua-forge/spec/json';
import type { FileValue } from '@cua-forge/spec/value';

/**
 * `name=value` arguments by name; the value may hold further `=`.
 * @throws ForgeError `input.invalid`
 */
export function parsePairs(option: string, pairs: readonly string[]): Map<string, string> {
  const parsed = new Map<string, string>();
  for (const pair of pairs) {
    const at = pair.indexOf('=');
    if (at < 1)
      throw new ForgeError('input.invalid', `${option} ${pair} is not of the form name=value.`, {
        fix: `Write ${option} name=value.`,
      });
    parsed.set(pair.slice(0, at), pair.slice(at + 1));
  }
  return parsed;
}

/** @throws ForgeError `input.invalid` */
export function parseJson(what: string, text: string): Json {
  try {
    return Json.parse(JSON.parse(text));
  } catch (cause) {
    throw new ForgeError('input.invalid', `${what} is not JSON: ${text}`, {
      fix: 'Write text in double quotes inside single ones: \'"text"\'.',
      cause,
    });
  }
}

/** Puts a file of this machine into the server's store. @throws ForgeError `file.unreadable` */
export async function uploadFile(api: ApiClient, path: string): Promise<FileValue> {
  const bytes = await readFile(path).catch((cause: unknown) => {
    throw new ForgeError('file.unreadable', `The file ${path} cannot be read.`, {
      fix: 'Check its path and permissions.',
      place: { file: path },
      cause,
    });
  });
  return api.uploadFile(new Uint8Array(bytes), { name: basename(path) });
}

/**
 * Turns `--input` texts into the values that a document's inputs take: files are uploaded, texts are taken as they are, the rest is JSON.
 * @throws ForgeError `input.invalid` naming the input
 */
export async function givenInputs(
  api: ApiClient,
  document: GraphDocument,
  given: ReadonlyMap<string, string>,
): Promise<JsonObject> {
  const values: JsonObject = {};
  for (const [name, text] of given) {
    const input = Object.hasOwn(document.inputs, name) ? document.inputs[name] : undefined;
    if (input === undefined) {
      const known = Object.keys(document.inputs).join(', ');
      throw new ForgeError('input.invalid', `"${document.id}" has no input "${name}".`, {
        fix: known === '' ? 'It takes no inputs.' : `Its inputs are: ${known}.`,
      });
    }
    if (input.type === 'file') values[name] = await uploadFile(api, text);
    else if (input.type === 'text') values[name] = text;
    else if (input.type === 'any') values[name] = looseJson(text);
    else values[name] = parseJson(`Input "${name}" (${input.type})`, text);
  }
  return values;
}

function looseJson(text: string): Json {
  try {
    return Json.parse(JSON.parse(text));
  } catch {
    return text;
  }
}
