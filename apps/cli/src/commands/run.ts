import { randomUUID } from 'node:crypto';
import { access } from 'node:fs/promises';
import { dirname, resolve, sep } from 'node:path';
import type { ApiClient } from '@cua-forge/api-client/api-client';
import { ApiFailure } from '@cua-forge/api-client/api-error';
import type { Budget } from '@cua-forge/spec/budget';
import type { GraphDocument } from '@cua-forge/spec/document';
import { ForgeError } from '@cua-forge/spec/errors';
import type { JsonObject } from '@cua-forge/spec/json';
import type { KindMeta } from '@cua-forge/spec/kind';
import type { RunRecord, Selection } from '@cua-forge/spec/store-port';
import { exitCodes } from './exit-code.ts';
import { givenInputs, parseJson, uploadFile } from './given-inputs.ts';
import { type Output, printResult } from './output.ts';
import { readDocumentFile } from './read-document-file.ts';
import { runText } from './run-text.ts';
import { waitForRun } from './wait-for-run.ts';

export interface RunOptions {
  /** Id of a stored document, or path of a file. */
  target: string;
  /** The document, where the target is a file. */
  local: GraphDocument | null;
  inputs: ReadonlyMap<string, string>;
  /** `node.param` → JSON (or plain text) that replaces it for this run. */
  set: ReadonlyMap<string, string>;
  seed: number;
  selection: Selection;
  baseRun: string | null;
  wait: boolean;
  budget?: Budget;
}

async function isFile(path: string): Promise<boolean> {
  if (/\.(ya?ml|json)$/i.test(path) || path.includes(sep)) return true;
  return access(path).then(
    () => true,
    () => false,
  );
}

/**
 * Reads the document when the target is a file of this machine; null when it is the id of a stored one.
 * @throws ApiFailure `document.invalid` with findings, `file.unreadable`
 */
export async function readTarget(target: string, kinds: readonly KindMeta[]): Promise<GraphDocument | null> {
  if (!(await isFile(target))) return null;
  const { document, findings } = await readDocumentFile(target, kinds);
  const errors = findings.filter((finding) => finding.severity === 'error');
  if (document !== null && errors.length === 0) return document;
  const count = errors.length === 1 ? 'an error' : `${errors.length} errors`;
  throw new ApiFailure({ code: 'document.invalid', message: `${target} has ${count}.` }, findings);
}

async function storedDocument(id: string, api: ApiClient): Promise<GraphDocument> {
  const { document, findings } = await api.document(id);
  if (document !== null) return document;
  throw new ApiFailure({ code: 'document.invalid', message: `The document "${id}" cannot be read.` }, findings);
}

/**
 * Replaces params of top-level nodes: `draft.temperature`, `draft.options.0.name`.
 * @throws ForgeError `input.invalid`
 */
export function setParams(document: GraphDocument, set: ReadonlyMap<string, string>): GraphDocument {
  const changed = structuredClone(document);
  for (const [path, text] of set) {
    const [id, ...steps] = path.split('.');
    const node = changed.nodes.find((candidate) => candidate.id === id);
    const last = steps.pop();
    if (node === undefined || last === undefined) {
      throw new ForgeError('input.invalid', `--set ${path}: there is no such param.`, {
        fix: 'Write --set node.param=value, with a node of the top level.',
      });
    }
    let at: unknown = node.params;
    for (const step of steps) at = isContainer(at) && Object.hasOwn(at, step) ? at[step] : undefined;
    if (!isContainer(at))
      throw new ForgeError('input.invalid', `--set ${path}: there is nothing at ${steps.join('.')}.`, {
        fix: 'Name a param that the node has.',
      });
    at[last] = plainOrJson(text);
  }
  return changed;
}

/** Arrays too are reached by their keys. */
const isContainer = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

function plainOrJson(text: string): unknown {
  return /^[[{"\d-]|^(true|false|null)$/.test(text) ? parseJson('The value', text) : text;
}

/** File inputs of a document of this machine default to files beside it, which the server cannot see. */
async function defaultFiles(
  api: ApiClient,
  document: GraphDocument,
  file: string,
  given: JsonObject,
): Promise<JsonObject> {
  const values: JsonObject = {};
  for (const [name, input] of Object.entries(document.inputs)) {
    if (input.type !== 'file' || typeof input.default !== 'string' || Object.hasOwn(given, name)) continue;
    values[name] = await uploadFile(api, resolve(dirname(file), input.default));
  }
  return values;
}

const succeeded = (run: RunRecord): boolean => run.state === 'succeeded';

/** Starts a run and prints it; with `wait`, follows it to its end. Exit code 1 when it ended otherwise than succeeded. */
export async function runCommand(
  options: RunOptions,
  api: ApiClient,
  output: Output,
  signal: AbortSignal,
): Promise<number> {
  const { local, target, set } = options;
  const found = local ?? (await storedDocument(target, api));
  const document = set.size === 0 ? found : setParams(found, set);
  const given = await givenInputs(api, document, options.inputs);
  const inputs = local === null ? given : { ...given, ...(await defaultFiles(api, document, target, given)) };
  const run = await api.startRun({
    ...(local === null && set.size === 0 ? { documentId: document.id } : { document }),
    inputs,
    seed: options.seed,
    selection: options.selection,
    baseRun: options.baseRun,
    ...(options.budget === undefined ? {} : { budget: options.budget }),
    idempotencyKey: randomUUID(),
  });
  if (!options.wait) {
    printResult(output, run, (started) => `Run ${started.id} is started. \`forge runs show ${started.id}\` shows it.`);
    return exitCodes.done;
  }
  const view = await waitForRun(api, run.id, output.reporter, signal);
  const text = output.json ? '' : await runText(view, api);
  printResult(output, view, () => text);
  return succeeded(view.run) ? exitCodes.done : exitCodes.failed;
}
