import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { modelsConfigFromEnv } from './models-config.ts';
import { costOf, listPrices, type Price, priceOf, withOwnPrices } from './prices.ts';

const price = (validFrom: string, input: number, more: Partial<Price> = {}): Price => ({
  provider: 'openai',
  model: 'm',
  validFrom,
  input,
  cached: 0,
  output: 0,
  ...more,
});
const official = { provider: 'openai', host: 'api.openai.com', model: 'm' } as const;

describe('priceOf', () => {
  it('takes the price of the day, of the model or of its dated snapshot', () => {
    const prices = [price('2025-03-01', 2), price('2025-01-01', 1)];
    const at = (day: string, model = 'm') =>
      priceOf(prices, { ...official, model, at: Date.parse(day) })?.input ?? null;
    expect([at('2024-12-31'), at('2025-02-28'), at('2025-03-01'), at('2026-01-01', 'm-2025-02-03')]).toEqual([
      null,
      1,
      2,
      2,
    ]);
    expect([at('2026-01-01', 'm-20250203'), at('2026-01-01', 'm-latest'), at('2026-01-01', 'other')]).toEqual([
      2,
      2,
      null,
    ]);
  });

  it('knows prices for the server they are for alone', () => {
    const prices = [price('2025-01-01', 1), price('2025-01-01', 9, { host: 'gateway.example' })];
    const at = Date.parse('2025-06-01');
    expect(priceOf(prices, { ...official, at })?.input).toBe(1);
    expect(priceOf(prices, { ...official, host: 'gateway.example', at })?.input).toBe(9);
    expect(priceOf(prices, { ...official, host: '127.0.0.1', at })).toBeNull();
    expect(priceOf(prices, { ...official, provider: 'anthropic', at })).toBeNull();
  });
});

describe('costOf', () => {
  it('counts what was cached, what was written into the cache and the rest apart', () => {
    const usage = { input: 1_000_000, cached: 300_000, cacheWrite: 200_000, output: 100_000 };
    const full = price('2025-01-01', 10, { cached: 1, cacheWrite: 12.5, output: 50 });
    expect(costOf(full, usage)).toBeCloseTo(5 + 0.3 + 2.5 + 5, 9);
    const { cacheWrite: _cacheWrite, ...without } = full;
    expect(costOf(without, usage)).toBeCloseTo(5 + 0.3 + 2 + 5, 9);
  });

  it('is null, never 0, where no price is known', () => {
    expect(costOf(null, { input: 5, cached: 0, output: 5 })).toBeNull();
  });
});

describe('the shipped list', () => {
  it('has one price for each model and day, and caches that are cheaper to read than the input', () => {
    const names = listPrices.map(({ provider, model, validFrom }) => `${provider} ${model} ${validFrom}`);
    expect(names).toEqual([...new Set(names)]);
    expect(listPrices.filter(({ cached, input, output }) => cached >= input || output <= input)).toEqual([]);
    expect(listPrices.filter((one) => one.provider === 'anthropic' && one.cacheWrite === undefined)).toEqual([]);
  });
});

describe('prices of the user', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'prices-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('come from a YAML file, before the shipped ones of the same model', async () => {
    const file = join(folder, 'prices.yaml');
    await writeFile(
      file,
      `- { provider: openai, model: gpt-5, validFrom: 2026-01-01, input: 1, cached: 0.1, output: 8 }
- { provider: local, model: small, validFrom: 2026-01-01, input: 0, cached: 0, output: 0 }
`,
    );
    const { prices } = modelsConfigFromEnv({ FORGE_MODEL_PRICES: file });
    const at = (day: string, model: string) => priceOf(prices, { ...official, model, at: Date.parse(day) });
    expect(at('2026-02-01', 'gpt-5')).toMatchObject({ input: 1, output: 8 });
    expect(at('2025-12-31', 'gpt-5')).toBeNull();
    expect(at('2026-02-01', 'gpt-5-mini')).toMatchObject({ input: 0.25 });
    const local = priceOf(prices, { provider: 'local', host: '', model: 'small', at: Date.parse('2026-02-01') });
    expect(costOf(local, { input: 5, cached: 0, output: 5 })).toBe(0);
  });

  it('are refused with their place when an entry is wrong', async () => {
    const file = join(folder, 'wrong.json');
    await writeFile(file, JSON.stringify([{ provider: 'openai', model: 'x', validFrom: 'soon', input: -1 }]));
    expect(() => modelsConfigFromEnv({ FORGE_MODEL_PRICES: file })).toThrow(/FORGE_MODEL_PRICES.*wrong\.json/s);
    expect(withOwnPrices([])).toEqual(listPrices);
  });
});
