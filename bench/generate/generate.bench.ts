import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createApiClient } from '@cua-forge/api-client/api-client';
import { withServices } from '@cua-forge/cli/bootstrap/embedded';
import { silentReporter } from '@cua-forge/cli/bootstrap/progress';
import { loadSettings } from '@cua-forge/cli/bootstrap/settings';
import { generate } from '@cua-forge/cli/commands/generate';
import { openStore } from '@cua-forge/store/open-store';
import type { Benchmark, BenchmarkResult } from '../benchmark.ts';
import { type TokenCount, tokensOfRun } from './count-tokens.ts';

const root = join(import.meta.dirname, '../..');
const tokensAim = 20_000;

interface Measured {
  skill: string;
  accepted: number;
  requested: number;
  seconds: number;
  tokens: TokenCount;
}

/**
 * What making packages costs: packages a minute, and the tokens of all model calls for each accepted package. Runs the product as
 * `forge generate` does, with the model that the environment names; without one it rehearses, and the tokens of the very prompts and
 * answers are counted with a tokenizer. A run whose package is not accepted costs its tokens all the same.
 */
export const generateBenchmark: Benchmark = {
  name: 'generate',
  async run(report, { pairs, only }) {
    const count = pairs * 2;
    const skills = (await skillNames()).filter((name) => name.includes(only));
    const folder = await mkdtemp(join(tmpdir(), 'forge-bench-'));
    const { FORGE_URL: _url, ...env } = process.env;
    const settings = loadSettings(root, { ...env, FORGE_DATA: folder, FORGE_STORE: join(folder, 'store') });
    const provider = env.FORGE_MODEL_PROVIDER || 'rehearsal';
    const real = provider !== 'rehearsal';
    try {
      const measured: Measured[] = [];
      const began = new Map<string, number>();
      await withServices({ settings, reporter: silentReporter }, async ({ url, token }) => {
        const api = createApiClient({ url, token, patienceMs: 60_000 });
        const make = (skill: string, packages: number, seed: number) =>
          generate(
            { skill, count: packages, seed, out: join(folder, 'out', skill), inputs: new Map() },
            api,
            silentReporter,
          );
        for (const skill of skills) {
          report(`${skill}: one to warm up`);
          await make(skill, 1, 1_000_000);
          began.set(skill, Date.now());
          const { accepted, requested, seconds } = await make(skill, count, 1);
          report(`${skill}: ${accepted} of ${requested} accepted in ${seconds.toFixed(1)} s`);
          measured.push({ skill, accepted, requested, seconds, tokens: { input: 0, output: 0, calls: 0, failed: 0 } });
        }
      });
      const store = await openStore({ folder: join(folder, 'store') });
      try {
        for (const one of measured) one.tokens = await tokensSince(store, one.skill, began.get(one.skill) ?? 0, real);
      } finally {
        await store.meta.close();
      }
      const how = real ? `usage of ${provider}:${env.FORGE_MODEL}` : 'o200k_base over the exact prompts and answers';
      for (const { skill, tokens, requested } of measured)
        report(
          `${skill}: ${tokens.calls} calls (${tokens.failed} failed) for ${requested} runs, ${tokens.input} tokens in, ${tokens.output} out, by ${how}`,
        );
      return results(measured, how);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
};

async function skillNames(): Promise<string[]> {
  const entries = await readdir(join(root, 'skills'), { withFileTypes: true });
  return entries
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort();
}

async function tokensSince(
  store: Awaited<ReturnType<typeof openStore>>,
  skill: string,
  since: number,
  real: boolean,
): Promise<TokenCount> {
  const total: TokenCount = { input: 0, output: 0, calls: 0, failed: 0 };
  const runs = await store.meta.listRuns({ documentId: skill, limit: 1_000 });
  for (const { id, createdAt } of runs) {
    if (createdAt < since) continue;
    const one = await tokensOfRun(store, id, real);
    for (const key of ['input', 'output', 'calls', 'failed'] as const) total[key] += one[key];
  }
  return total;
}

function results(measured: readonly Measured[], how: string): BenchmarkResult[] {
  const plain = { against: null, ratio: null };
  const perMinute = (accepted: number, seconds: number) => (accepted * 60) / seconds;
  const sum = (of: (one: Measured) => number) => measured.reduce((total, one) => total + of(one), 0);
  const speed = measured.map(({ skill, accepted, seconds }) => ({
    metric: `packages.per.minute.${skill}`,
    value: perMinute(accepted, seconds),
    unit: 'accepted packages/min',
    ...plain,
    aim: 'as many as this machine can',
  }));
  const tokens = measured.map(({ skill, accepted, tokens: { input, output } }) => ({
    metric: `tokens.per.accepted.${skill}`,
    value: (input + output) / accepted,
    unit: `tokens (${how})`,
    ...plain,
    aim: `at most ${tokensAim}`,
  }));
  const all = {
    metric: 'packages.per.minute',
    value: perMinute(
      sum(({ accepted }) => accepted),
      sum(({ seconds }) => seconds),
    ),
    unit: 'accepted packages/min',
    ...plain,
    aim: 'as many as this machine can',
  };
  return [all, ...speed, ...tokens];
}
