import { parseArgs } from 'node:util';
import { BatchOffice } from './lib/batch-office.ts';
import { skillNames, taskGenerator } from './lib/generate-task.ts';
import { ListeningOffices } from './lib/listening-offices.ts';
import { contentProblems } from './lib/prove-task.ts';
import { solutionProblems } from './lib/run-solution.ts';
import { sensitivityProblems } from './lib/sensitivity.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { count: { type: 'string', default: '20' }, seed: { type: 'string', default: '7' } },
});
const skills = positionals.length > 0 ? positionals : skillNames();
const [count, first] = [Number.parseInt(values.count, 10), Number.parseInt(values.seed, 10)];

/** Tasks that are worked on at the same time, so that their conversions go together. */
const together = 5;
const office = new BatchOffice('soffice');
const listening = new ListeningOffices();
let failed = 0;
try {
  for (const skill of skills) {
    const generate = taskGenerator(skill);
    const started = Date.now();
    const seeds = Array.from({ length: count }, (_, index) => first + index);
    let [done, right] = [0, 0];
    const work = async () => {
      for (let seed = seeds.shift(); seed !== undefined; seed = seeds.shift()) {
        const task = await generate(seed);
        const problems = [
          ...(await contentProblems(task, office)),
          ...(await solutionProblems(task, office, listening)),
          ...(await sensitivityProblems(task, office)),
        ];
        done += 1;
        if (problems.length === 0) right += 1;
        const seconds = (Date.now() - started) / 1000;
        const left = Math.round((seconds / done) * (count - done));
        process.stderr.write(`${skill}: ${done} of ${count}, ${(done / seconds).toFixed(2)}/s, ${left} s left\n`);
        for (const problem of problems) process.stdout.write(`${skill}, seed ${seed}: ${problem}\n`);
      }
    };
    await Promise.all(Array.from({ length: together }, work));
    process.stdout.write(`${skill}: ${right} of ${count} solutions are right, with all mutants and cheats\n`);
    failed += count - right;
  }
} finally {
  await listening.stop();
}
process.exitCode = failed === 0 ? 0 : 1;
