import { parseArgs } from 'node:util';
import { type ProofRecord, proofSteps } from '@cua-forge/spec/proof';
import { skillNames, taskGenerator } from './lib/generate-task.ts';
import { PackageProver } from './lib/package-prover.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    count: { type: 'string', default: '20' },
    seed: { type: 'string', default: '1' },
    together: { type: 'string', default: '2' },
  },
});
const [count, first, together] = [values.count, values.seed, values.together].map((text) => Number.parseInt(text, 10));
if (count === undefined || first === undefined || together === undefined || !(count > 0 && together > 0 && first >= 0))
  throw new Error('--count, --seed and --together take whole numbers');
const skills = positionals.length > 0 ? positionals : skillNames();

const median = (numbers: readonly number[]): number =>
  [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN;
const secondsOf = (records: readonly ProofRecord[], step: string): number =>
  median(records.flatMap(({ steps }) => steps.flatMap((one) => (one.step === step ? [one.seconds] : []))));

const prover = new PackageProver({ warm: together, together });
const lacking = await prover.missing();
if (lacking !== null) throw lacking;
const began = Date.now();
const total = skills.length * count;
let [done, proven] = [0, 0];
try {
  for (const skill of skills) {
    const generate = taskGenerator(skill);
    const seeds = Array.from({ length: count }, (_, index) => first + index);
    const records: ProofRecord[] = [];
    const work = async () => {
      for (let seed = seeds.shift(); seed !== undefined; seed = seeds.shift()) {
        const { pack, read } = await generate(seed);
        const record = await prover.prove({ package: pack, read }, `${skill} ${seed}`);
        records.push(record);
        done += 1;
        if (record.verdict !== 'proven')
          process.stdout.write(`${skill}, seed ${seed}: ${record.verdict}: ${record.reason}\n`);
        const seconds = (Date.now() - began) / 1000;
        const left = Math.round((seconds / done) * (total - done));
        process.stderr.write(
          `${done} of ${total} (${skill}, seed ${seed}): ${record.verdict}, ${record.seconds} s; ${((60 * done) / seconds).toFixed(1)}/min, ${left} s left\n`,
        );
      }
    };
    await Promise.all(Array.from({ length: together }, work));
    const good = records.filter(({ verdict }) => verdict === 'proven');
    proven += good.length;
    const steps = proofSteps.map((step) => `${step} ${secondsOf(good, step)}`).join(', ');
    process.stdout.write(
      `${skill}: ${good.length} of ${count} proven, median ${median(records.map(({ seconds }) => seconds))} s (${steps})\n`,
    );
  }
} finally {
  await prover.close();
}
process.exitCode = proven === total ? 0 : 1;
