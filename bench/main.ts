import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import type { Benchmark } from './benchmark.ts';

const benchmarks: Record<string, () => Promise<Benchmark>> = {
  sandbox: async () => (await import('./sandbox/sandbox.bench.ts')).sandboxBenchmark,
  gates: async () => (await import('./gates/gates.bench.ts')).gatesBenchmark,
  generate: async () => (await import('./generate/generate.bench.ts')).generateBenchmark,
  studio: async () => (await import('./studio/studio.bench.ts')).studioBenchmark,
  proof: async () => (await import('./proof/proof.bench.ts')).proofBenchmark,
  engine: async () => (await import('./engine/engine.bench.ts')).engineBenchmark,
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    json: { type: 'boolean' },
    pairs: { type: 'string' },
    only: { type: 'string', default: '' },
    examples: { type: 'string' },
  },
});
const [name] = positionals;
const load = name === undefined ? undefined : benchmarks[name];
const wished = values.pairs === undefined ? undefined : Number(values.pairs);
if (!load || (wished !== undefined && (!Number.isInteger(wished) || wished < 1))) {
  process.stderr.write(
    `${load ? '--pairs takes a whole number from 1' : name === undefined ? 'Name a benchmark' : `There is no benchmark '${name}'`}. There are: ${Object.keys(benchmarks).join(', ')}.\nUsage: npm run bench -- <name> [--json] [--pairs 5] [--only TEXT] [--examples FILE.jsonl]\n`,
  );
  process.exit(2);
}
const benchmark = await load();
const pairs = wished ?? benchmark.pairs ?? 5;
const results = await benchmark.run((line) => process.stderr.write(`${line}\n`), {
  pairs,
  only: values.only,
  examples: values.examples,
});
const rounded = results.map((result) => ({
  ...result,
  value: round(result.value),
  against: result.against === null ? null : round(result.against),
  ratio: result.ratio === null ? null : round(result.ratio),
}));
if (values.json)
  process.stdout.write(
    `${JSON.stringify({ name: benchmark.name, cores: cpus().length, node: process.version, results: rounded }, null, 2)}\n`,
  );
else
  for (const { metric, value, unit, against, ratio, aim } of rounded)
    process.stdout.write(
      `${metric.padEnd(24)} ${String(value).padStart(10)} ${unit.padEnd(10)} against ${against ?? '–'}, ratio ${ratio ?? '–'} (aim ${aim})\n`,
    );
process.exit(0);

function round(value: number): number {
  return Number(value.toPrecision(4));
}
