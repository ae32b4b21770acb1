import { cpus } from 'node:os';
import type { Benchmark } from './benchmark.ts';

const benchmarks: Record<string, () => Promise<Benchmark>> = {
  engine: async () => (await import('./engine/engine.bench.ts')).engineBenchmark,
};

const [name, ...flags] = process.argv.slice(2);
const load = name === undefined ? undefined : benchmarks[name];
if (!load) {
  process.stderr.write(
    `${name === undefined ? 'Name a benchmark' : `There is no benchmark '${name}'`}. There are: ${Object.keys(benchmarks).join(', ')}.\nUsage: npm run bench -- <name> [--json]\n`,
  );
  process.exit(2);
}
const benchmark = await load();
const results = await benchmark.run((line) => process.stderr.write(`${line}\n`));
const rounded = results.map((result) => ({
  ...result,
  value: round(result.value),
  against: result.against === null ? null : round(result.against),
  ratio: result.ratio === null ? null : round(result.ratio),
}));
if (flags.includes('--json'))
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
