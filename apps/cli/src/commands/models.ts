import type { ApiClient } from '@cua-forge/api-client/api-client';
import { runtimeVersion } from '@cua-forge/models/local/places';
import { knownWeights } from '@cua-forge/models/weights/catalogue';
import { ForgeError } from '@cua-forge/spec/errors';
import type { ModelsView, ModelTest } from '@cua-forge/spec/models-view';
import pc from 'picocolors';
import { cacheFolderOf } from '../bootstrap/environment.ts';
import type { Settings } from '../bootstrap/settings.ts';
import { installRuntime } from '../models/install-runtime.ts';
import { pullWeights } from '../models/pull-weights.ts';
import { exitCodes } from './exit-code.ts';
import { type Output, printResult, tableText } from './output.ts';

export async function listModels(api: ApiClient, output: Output): Promise<number> {
  printResult(
    output,
    { ...(await api.models()), known: knownWeights.map(({ wheels: _wheels, ...one }) => one) },
    (view) => [modelsText(view), knownText(view)].join('\n\n'),
  );
  return exitCodes.done;
}

const dollars = (value: number | null | undefined): string => (typeof value === 'number' ? String(value) : '–');

export function modelsText({ providers, cassettes }: ModelsView): string {
  const mark = (ready: boolean) => (ready ? pc.green('✓') : pc.yellow('–'));
  const heads = providers.map(({ name, isDefault, model, address, key, ready, detail }) => {
    const used = isDefault ? ` (default${model === null ? '' : `, model ${model}`})` : '';
    const parts = [address, key === 'not needed' ? null : `key ${key}`, detail].filter((part) => part);
    return `${mark(ready)} ${name}${used}${parts.length === 0 ? '' : `: ${parts.join('; ')}`}`;
  });
  const rows = providers.flatMap(({ name, models }) =>
    models.map(({ name: model, price }) => [
      `${name}:${model}`,
      ...[price?.input, price?.cached, price?.cacheWrite, price?.output].map(dollars),
      price?.validFrom ?? 'price not known',
    ]),
  );
  return [
    ...heads,
    ...(cassettes === null ? [] : [`Recordings: ${cassettes}`]),
    '',
    tableText(['model', 'input', 'cached', 'cache write', 'output', 'US$ per million tokens, from'], rows),
  ].join('\n');
}

function knownText({ providers }: ModelsView): string {
  const here = new Set(providers.find(({ name }) => name === 'local')?.models.map(({ name }) => name));
  const rows = knownWeights.map(({ name, bytes, about }) => [
    name,
    `${Math.round(bytes / 1e6)} MB`,
    here.has(name) ? 'here' : 'not here',
    about,
  ]);
  return `${tableText(['weights', 'size', '', ''], rows)}\nforge models pull NAME gets them.`;
}

/** Asks one tiny thing. Exit code 1 when it did not work, with what was wrong and what to do. */
export async function testModel(api: ApiClient, output: Output, model: string | undefined): Promise<number> {
  const test = await api.testModel(model === undefined ? {} : { model });
  printResult(output, test, testText);
  return test.ok ? exitCodes.done : exitCodes.failed;
}

export function testText({ model, ok, provider, answeredBy, milliseconds, usage, usd, failure }: ModelTest): string {
  const who = `${provider}${answeredBy === '' || answeredBy === provider ? '' : `:${answeredBy}`}`;
  const took = `${(milliseconds / 1000).toFixed(1)} s, ${usage.input} tokens in (${usage.cached} cached), ${usage.output} out, ${usd === null ? 'price not known' : `US$ ${usd.toFixed(6)}`}`;
  if (ok) return `${pc.green('ok')} ${who}: ${took}${provider === 'rehearsal' ? '; no model was asked' : ''}`;
  const lines = [`${pc.red('failed')} ${model ?? who}: ${failure?.code ?? ''}: ${failure?.message ?? ''}`];
  return [...lines, ...(failure?.fix === undefined ? [] : [`    ${failure.fix}`])].join('\n');
}

export interface PullCommand {
  name: string | undefined;
  from: string | undefined;
  sha256: string | undefined;
  runtimeOnly: boolean;
  signal: AbortSignal;
}

/** Gets weights into this machine's cache folder, and what runs them. */
export async function pullModel(
  { name, from, sha256, runtimeOnly, signal }: PullCommand,
  { root, env }: Settings,
  output: Output,
): Promise<number> {
  const cacheFolder = cacheFolderOf(env);
  if (name === undefined && !runtimeOnly)
    throw new ForgeError('input.invalid', 'Which weights?', {
      fix: `Name one of ${knownWeights.map((one) => one.name).join(', ')}, or give --runtime to get what runs them alone.`,
    });
  const { reporter } = output;
  const weights =
    name === undefined ? null : await pullWeights({ name, from, sha256, cacheFolder, env, reporter, signal });
  const installed = await installRuntime({ root, cacheFolder, env, reporter });
  const result = { weights, runtime: { version: runtimeVersion, installed } };
  printResult(output, result, () =>
    [
      ...(weights === null
        ? []
        : [`${weights.name} ${weights.fetched ? 'is ready' : 'was there already'}: ${weights.file}`]),
      `node-llama-cpp ${runtimeVersion} ${installed ? 'is installed' : 'was there already'}.`,
      ...(weights === null
        ? []
        : [`Use it with FORGE_MODEL_PROVIDER=local FORGE_MODEL=${weights.name}, or as local:${weights.name}.`]),
    ].join('\n'),
  );
  return exitCodes.done;
}
