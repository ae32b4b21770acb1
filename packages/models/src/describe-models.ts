import { readdir } from 'node:fs/promises';
import type { ModelsView, ProviderView } from '@cua-forge/spec/models-view';
import { isThere, runtimeEntry, runtimeVersion, weightsFolder } from './local/places.ts';
import type { ModelsConfig } from './models-config.ts';
import { officialHosts, type Price, type PricedProvider, priceOf } from './prices.ts';

/** What the configuration offers, without asking anybody. Keys are never part of it. `at` is the time that prices are shown for. */
export async function describeModels(config: ModelsConfig, at: number): Promise<ModelsView> {
  const { cassettes } = config;
  return {
    providers: [
      rehearsal(config),
      overHttp('openai', config.openAiUrl, config.openAiKey, config, at),
      overHttp('anthropic', config.anthropicUrl, config.anthropicKey, config, at),
      await local(config, at),
    ],
    cassettes: cassettes === null ? null : `${cassettes.mode}:${cassettes.place}`,
  };
}

const defaults = (name: ProviderView['name'], { provider, model }: ModelsConfig) => ({
  name,
  isDefault: provider === name,
  model: provider === name ? (model ?? null) : null,
});

function rehearsal(config: ModelsConfig): ProviderView {
  return {
    ...defaults('rehearsal', config),
    address: null,
    key: 'not needed',
    ready: true,
    detail: 'no model at all: answers from the workflow’s own examples, labelled rehearsal',
    models: [],
  };
}

function overHttp(
  provider: 'openai' | 'anthropic',
  address: string,
  key: string | undefined,
  config: ModelsConfig,
  at: number,
): ProviderView {
  const host = new URL(address).hostname;
  const official = host === officialHosts[provider];
  const variable = provider === 'openai' ? 'FORGE_OPENAI_API_KEY' : 'FORGE_ANTHROPIC_API_KEY';
  const ready = key !== undefined || !official;
  return {
    ...defaults(provider, config),
    address,
    key: key === undefined ? (official ? 'missing' : 'not needed') : 'set',
    ready,
    detail: ready ? '' : `set ${variable}`,
    models: priced(provider, host, config.prices, at),
  };
}

async function local(config: ModelsConfig, at: number): Promise<ProviderView> {
  const folder = weightsFolder(config.cacheFolder);
  const files = await readdir(folder).catch(() => []);
  const names = files.filter((name) => /^[^.].*\.gguf$/.test(name)).map((name) => name.replace(/\.gguf$/, ''));
  const runtime = await isThere(runtimeEntry(config.cacheFolder));
  const missing = [
    ...(runtime ? [] : [`no runtime (node-llama-cpp ${runtimeVersion})`]),
    ...(names.length === 0 ? [`no weights in ${folder}`] : []),
  ];
  return {
    ...defaults('local', config),
    address: null,
    key: 'not needed',
    ready: missing.length === 0,
    detail: missing.length === 0 ? '' : `${missing.join(', ')}: run forge models pull`,
    models: names.sort().map((name) => ({ name, price: shown('local', '', name, config.prices, at) })),
  };
}

function priced(provider: PricedProvider, host: string, prices: readonly Price[], at: number): ProviderView['models'] {
  const here = prices.filter((one) => one.provider === provider && (one.host ?? officialHosts[provider]) === host);
  return [...new Set(here.map(({ model }) => model))].map((name) => ({
    name,
    price: shown(provider, host, name, prices, at),
  }));
}

function shown(provider: PricedProvider, host: string, model: string, prices: readonly Price[], at: number) {
  const price = priceOf(prices, { provider, host, model, at });
  if (price === null) return null;
  const { validFrom, input, cached, cacheWrite = null, output } = price;
  return { validFrom, input, cached, cacheWrite, output };
}
