import { createHash } from 'node:crypto';
import { canonicalJson } from '@cua-forge/spec/canonical-json';
import { ForgeError } from '@cua-forge/spec/errors';
import type { ModelPort, ModelRequest } from '@cua-forge/spec/model-port';
import { Cassette } from './cassette.ts';
import { type CassetteShelf, cassetteShelf } from './cassette-shelf.ts';

const withoutServer = (identity: string) => identity.replace(/@[^@]*$/, '');

/** What of a request decides its answer. */
function essence(identity: string, { purpose: _purpose, rehearsal: _rehearsal, model: _model, ...rest }: ModelRequest) {
  return { identity: withoutServer(identity), request: rest };
}

/** Name of the recording of a request: a hash of provider, model, messages, schema, limits and seed. */
export function cassetteName(identity: string, request: ModelRequest): string {
  return createHash('sha256')
    .update(canonicalJson(essence(identity, request)))
    .digest('hex');
}

/** Passes calls on and keeps each answer at a place: a folder, or a file that ends in `.jsonl`. */
export function recordingModels(port: ModelPort, place: string): ModelPort {
  const shelf = cassetteShelf(place);
  return {
    rehearsed: port.rehearsed,
    identity: (model) => port.identity(model),
    async complete(request, signal, onFailedTry, beforeTry) {
      const result = await port.complete(request, signal, onFailedTry, beforeTry);
      const identity = port.identity(request.model);
      const cassette = Cassette.parse({ format: 1, ...essence(identity, request), result });
      await shelf.put(cassetteName(identity, request), cassette);
      return result;
    },
  };
}

/**
 * Answers from recordings and never calls out. Its results are labelled `replay:` and cost nothing, since no model was asked;
 * what the recorded call cost stands in the recording.
 * @throws ForgeError `model.no-recording` that names the request
 */
export function replayingModels(identity: ModelPort['identity'], place: string): ModelPort {
  const shelf = cassetteShelf(place);
  return {
    rehearsed: false,
    identity,
    async complete(request, signal) {
      if (signal.aborted) throw new ForgeError('node.cancelled', 'The work was cancelled.');
      const { result } = await recorded(shelf, place, cassetteName(identity(request.model), request), request);
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

async function recorded(shelf: CassetteShelf, place: string, name: string, request: ModelRequest): Promise<Cassette> {
  const wanted = `the ${request.purpose} request ${name.slice(0, 12)}`;
  let found: unknown;
  try {
    found = await shelf.get(name);
  } catch (cause) {
    throw damaged(`${place} cannot be read`, wanted, cause);
  }
  if (found === undefined) {
    const last = request.messages.at(-1)?.content.slice(0, 80) ?? '';
    throw new ForgeError('model.no-recording', `${place} has no recording for ${wanted} (“${last}”).`, {
      fix: 'Record it once with FORGE_CASSETTES=record:FOLDER and a real provider.',
    });
  }
  const cassette = Cassette.safeParse(found);
  if (!cassette.success) throw damaged(`The recording in ${place} is damaged`, wanted, cassette.error);
  return cassette.data;
}

const damaged = (what: string, wanted: string, cause: unknown) =>
  new ForgeError('model.no-recording', `${what}, so there is no answer for ${wanted}.`, {
    fix: 'Delete it and record the request again; a file that is damaged is recorded as a whole.',
    cause,
  });
