import type { ModelPort, ModelRequest, ModelResult } from '@cua-forge/spec/model-port';
import { costOf, type Price, priceOf } from '../prices.ts';
import { namedModel } from '../provider-router.ts';
import { grammarSchema } from './grammar-schema.ts';
import { localName, requireLocal } from './places.ts';
import { type Runner, startRunner } from './runner.ts';

export interface LocalOptions {
  /** Folder that holds weights and runtime. */
  cacheFolder: string;
  /** Model of requests that name none: a name under which weights were pulled, or the path of a .gguf file. */
  model?: string | undefined;
  /** Tokens of prompt and answer together. */
  context: number;
  threads: number;
  /** What it costs is known only where the user's own prices say so. */
  prices: readonly Price[];
}

/**
 * A model of this machine, in a process of its own: one is loaded at a time, and calls are answered one after the other. Answers
 * under a schema are decoded under its grammar.
 * @throws ForgeError `tool.missing` when weights or runtime are not here; `model.unavailable`, `model.prompt-too-large`
 */
export function localModels(options: LocalOptions): ModelPort {
  let loaded: { weights: string; runner: Runner } | null = null;
  let last: Promise<unknown> = Promise.resolve();

  async function runnerFor(model: string): Promise<Runner> {
    const { entry, weights } = await requireLocal(options.cacheFolder, model);
    if (loaded?.weights === weights && loaded.runner.alive) return loaded.runner;
    loaded?.runner.stop();
    const { context, threads } = options;
    loaded = { weights, runner: startRunner({ entry, weights, context, threads, name: localName(model) }) };
    return loaded.runner;
  }

  async function answer(request: ModelRequest, model: string, signal: AbortSignal): Promise<ModelResult> {
    const runner = await runnerFor(model);
    const startedAt = Date.now();
    const { system, messages, schema, maxOutputTokens, temperature, seed } = request;
    const { text, finish, input, cached, output } = await runner.ask(
      {
        messages,
        maxTokens: maxOutputTokens,
        temperature,
        seed: seed >>> 0,
        ...(system === undefined ? {} : { system }),
        ...(schema === undefined ? {} : { schema: grammarSchema(schema) }),
      },
      signal,
    );
    const usage = { input, cached, output };
    const name = localName(model);
    const usd = costOf(priceOf(options.prices, { provider: 'local', host: '', model: name, at: startedAt }), usage);
    return { text, provider: 'local', model: name, usage, usd, milliseconds: Date.now() - startedAt, finish };
  }

  return {
    rehearsed: false,
    identity: (model) => `local:${localName(model ?? options.model ?? 'unnamed')}`,
    complete(request, signal) {
      const work = async () => answer(request, namedModel('local', request.model ?? options.model), signal);
      const mine = last.then(work, work);
      last = mine.catch(() => undefined);
      return mine;
    },
  };
}
