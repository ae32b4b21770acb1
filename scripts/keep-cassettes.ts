import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import {
  type KeptRecording,
  keptRecordings,
  outcomeOf,
  recordingsFolder,
  servicesReplaying,
} from '../tests/support/kept-recordings.ts';

const usage = `Usage: npm run cassettes -- --skill SKILL --model NAME --recording FILE.jsonl [--seed 1] [--count 10]
       npm run cassettes -- --again      when the same answers make other packages`;

const { values } = parseArgs({
  options: {
    skill: { type: 'string' },
    model: { type: 'string' },
    recording: { type: 'string' },
    seed: { type: 'string', default: '1' },
    count: { type: 'string', default: '10' },
    again: { type: 'boolean', default: false },
  },
});

async function replaced(name: string, content: string | Uint8Array): Promise<void> {
  const path = join(recordingsFolder, name);
  await writeFile(`${path}.new`, content);
  await rename(`${path}.new`, path);
}

/** Replays a kept recording and writes down what comes of each seed: what tests/models/recordings.test.ts expects. */
async function keepOutcomes(skill: string, model: string, seeds: readonly number[]): Promise<void> {
  const kept: KeptRecording = { skill, model, outcomes: [] };
  const services = await servicesReplaying(skill, model);
  try {
    for (const seed of seeds) {
      kept.outcomes.push(await outcomeOf(services, skill, seed));
      process.stderr.write(`${skill}: ${kept.outcomes.length} of ${seeds.length}\n`);
    }
  } finally {
    await services.stop();
  }
  await replaced(`${skill}.json`, `${JSON.stringify(kept, null, 2)}\n`);
  const packages = kept.outcomes.filter((outcome) => 'files' in outcome).length;
  process.stdout.write(`${skill}: ${packages} packages of ${seeds.length} runs\n`);
}

const { skill, model, recording } = values;
if (values.again) {
  for (const kept of keptRecordings())
    await keepOutcomes(
      kept.skill,
      kept.model,
      kept.outcomes.map(({ seed }) => seed),
    );
} else if (skill && model && recording) {
  await mkdir(recordingsFolder, { recursive: true });
  await replaced(`${skill}.jsonl.gz`, gzipSync(await readFile(recording), { level: 9 }));
  const first = Number.parseInt(values.seed, 10);
  const seeds = Array.from({ length: Number.parseInt(values.count, 10) }, (_, index) => first + index);
  await keepOutcomes(skill, model, seeds);
} else {
  process.stderr.write(`${usage}\n`);
  process.exitCode = 2;
}
