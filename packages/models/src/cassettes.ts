import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ForgeError } from '@cua-forge/spec/errors';
import { canonicalJson } from '@cua-forge/spec/json';
import { type ModelPort, type ModelRequest, Usage } from '@cua-forge/spec/model-port';
import { z } from 'zod';

/** One recorded answer; the file's name is the hash of the request. It holds no key: requests never do. */
const Cassette = z.strictObject({
  format: z.literal(1),
  identity: z.string(),
  request: z.record(z.string(), z.unknown()),
  result: z.strictObject({
    text: z.string(),
    provider: z.string(),
    model: z.string(),
    usage: Usage,
    usd: z.number().nullable(),
    milliseconds: z.number(),
    finish: z.enum(['stop', 'length']),
  }),
});

/** What of a request decides its answer. */
function essence(identity: string, { purpose: _purpose, rehearsal: _rehearsal, ...rest }: ModelRequest) {
  return { identity, request: rest };
}

export function cassetteName(identity: string, request: ModelRequest): string {
  return `${createHash('sha256')
    .update(canonicalJson(essence(identity, request)))
    .digest('hex')}.json`;
}

/** Passes calls on and writes each answer into the folder. */
export function recordingModels(port: ModelPort, folder: string): ModelPort {
  return {
    rehearsed: port.rehearsed,
    identity: (model) => port.identity(model),
    async complete(request, signal, onFailedTry) {
      const result = await port.complete(request, signal, onFailedTry);
      const identity = port.identity(request.model);
      const file = join(folder, cassetteName(identity, request));
      const cassette = Cassette.parse({ format: 1, ...essence(identity, request), result });
      await mkdir(folder, { recursive: true });
      const temporary = `${file}.${randomUUID()}`;
      await writeFile(temporary, `${JSON.stringify(cassette, null, 2)}\n`);
      await rename(temporary, file);
      return result;
    },
  };
}

/**
 * Answers from recordings and never calls out. Its results are labelled `replay:` and cost nothing, since no model was asked;
 * what the recorded call cost stands in the cassette.
 * @throws ForgeError `model.no-recording` that names the request
 */
export function replayingModels(identity: ModelPort['identity'], folder: string): ModelPort {
  return {
    rehearsed: false,
    identity,
    async complete(request, signal) {
      if (signal.aborted) throw new ForgeError('node.cancelled', 'The work was cancelled.');
      const name = cassetteName(identity(request.model), request);
      const { result } = await readCassette(folder, name, request);
      return {
        ...result,
        provider: `replay:${result.provider}`,
        usage: { input: 0, cached: 0, output: 0 },
        usd: 0,
        milliseconds: 0,
      };
    },
  };
}

async function readCassette(folder: string, name: string, request: ModelRequest): Promise<z.infer<typeof Cassette>> {
  const wanted = `the ${request.purpose} request ${name.slice(0, 12)}`;
  let text: string;
  try {
    text = await readFile(join(folder, name), 'utf8');
  } catch (cause) {
    const last = request.messages.at(-1)?.content.slice(0, 80) ?? '';
    throw new ForgeError('model.no-recording', `${folder} has no recording for ${wanted} (“${last}”).`, {
      fix: 'Record it once with FORGE_CASSETTES=record:FOLDER and a real provider.',
      cause,
    });
  }
  try {
    return Cassette.parse(JSON.parse(text));
  } catch (cause) {
    throw new ForgeError('model.no-recording', `The recording ${join(folder, name)} for ${wanted} is damaged.`, {
      fix: 'Delete the file and record the request again.',
      cause,
    });
  }
}
