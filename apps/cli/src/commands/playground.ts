import { readFile } from 'node:fs/promises';
import type { ApiClient } from '@cua-forge/api-client/api-client';
import { ForgeError } from '@cua-forge/spec/errors';
import { Json, JsonObject } from '@cua-forge/spec/json';
import type { PlayResult } from '@cua-forge/spec/models-view';
import pc from 'picocolors';
import { exitCodes } from './exit-code.ts';
import { parseJson } from './given-inputs.ts';
import { type Output, printResult, tableText } from './output.ts';

export interface PlaygroundOptions {
  document: string;
  node: string;
  run: string | undefined;
  /** Port → JSON, or a plain text. */
  input: ReadonlyMap<string, string>;
  /** A JSON object of values by port, or a file that holds one. */
  inputs: string | undefined;
  params: string | undefined;
  models: readonly string[];
  seed: number;
}

/** Executes one node with several models and shows what each made. Exit code 1 when none made a valid answer. */
export async function playgroundCommand(options: PlaygroundOptions, api: ApiClient, output: Output): Promise<number> {
  const { document, node, run, models, seed } = options;
  const inputs = await inputsOf(options);
  const params = options.params === undefined ? undefined : objectOf('--params', options.params);
  output.reporter.update(`${node}: asking ${models.join(', ')}`);
  const result = await api.playNode({
    documentId: document,
    node,
    ...(run === undefined ? {} : { run }),
    ...(params === undefined ? {} : { params }),
    inputs,
    models: [...models],
    seed,
  });
  printResult(output, result, playText);
  return result.results.some(({ valid }) => valid) ? exitCodes.done : exitCodes.failed;
}

async function inputsOf({ input, inputs }: PlaygroundOptions): Promise<Record<string, Json[]>> {
  const whole = inputs === undefined ? {} : objectOf('--inputs', await textOf(inputs));
  const single = Object.fromEntries([...input].map(([port, text]) => [port, loose(text)]));
  return Object.fromEntries(Object.entries({ ...whole, ...single }).map(([port, value]) => [port, [value]]));
}

async function textOf(given: string): Promise<string> {
  if (given.trimStart().startsWith('{')) return given;
  return readFile(given, 'utf8').catch((cause: unknown) => {
    throw new ForgeError('file.unreadable', `The file ${given} cannot be read.`, {
      fix: 'Give a JSON object, or the path of a file that holds one.',
      place: { file: given },
      cause,
    });
  });
}

function objectOf(what: string, text: string): JsonObject {
  const parsed = JsonObject.safeParse(parseJson(what, text));
  if (parsed.success) return parsed.data;
  throw new ForgeError('input.invalid', `${what} must be a JSON object.`);
}

function loose(text: string): Json {
  try {
    return Json.parse(JSON.parse(text));
  } catch {
    return text;
  }
}

export function playText({ node, kind, label, results }: PlayResult): string {
  const rows = results.map(({ model, valid, rehearsed, calls, usage, usd, seconds }) => [
    model,
    valid ? 'yes' : 'NO',
    String(calls.length),
    String(usage.input),
    String(usage.cached),
    String(usage.output),
    usd === null ? 'not known' : usd.toFixed(6),
    seconds.toFixed(1),
    rehearsed ? 'rehearsed, no model asked' : '',
  ]);
  const head = ['model', 'valid', 'calls', 'tokens in', 'cached', 'out', 'US$', 'seconds', ''];
  const answers = results.map(({ model, outputs, hidden, failure, calls }) => {
    const lines = Object.entries(outputs).map(([port, value]) => `${port}: ${shown(value)}`);
    const kept = hidden.map((port) => `${port}: (hidden)`);
    const last = calls.at(-1)?.text ?? null;
    const failed =
      failure === null
        ? []
        : [`${failure.code}: ${failure.message}`, ...(last === null ? [] : [`last answer: ${last.slice(0, 2_000)}`])];
    return [pc.bold(model), ...lines, ...kept, ...failed].join('\n');
  });
  return [`${node} (${kind}), ${label}: nothing of this is part of a run`, tableText(head, rows), ...answers].join(
    '\n\n',
  );
}

const shown = (value: Json): string => (typeof value === 'string' ? value : JSON.stringify(value, null, 2));
