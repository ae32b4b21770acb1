import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { isCompared, KeptRecording } from '../support/kept-recordings.ts';
import { eventually, type RunningServices, startServices } from '../support/services.ts';

const folder = join(import.meta.dirname, '../fixtures/recordings');
const recordings = readdirSync(folder)
  .filter((name) => name.endsWith('.json'))
  .map((name) => KeptRecording.parse(JSON.parse(readFileSync(join(folder, name), 'utf8'))));

let services: RunningServices | undefined;
afterEach(async () => {
  await services?.stop();
  services = undefined;
});

it('there are recordings', () => {
  expect(recordings.length).toBeGreaterThan(0);
  for (const { skill, packages } of recordings) expect(packages, skill).not.toHaveLength(0);
});

describe.each(recordings)('answers that $model gave for $skill', ({ skill, model, packages }) => {
  it('make the same packages again, with no model', async () => {
    services = await startServices({
      env: {
        FORGE_MODEL_PROVIDER: 'local',
        FORGE_MODEL: model,
        // Whoever asked the model would fail here.
        FORGE_CACHE: join(folder, 'nothing-here'),
        FORGE_CASSETTES: `replay:${join(folder, `${skill}.jsonl.gz`)}`,
      },
    });
    const { api } = services;
    for (const { seed, files } of packages) {
      const { id } = await api.startRun({ documentId: skill, seed, mode: 'batch' });
      const state = await eventually(`seed ${seed} ends`, async () => {
        const view = await api.run(id);
        return ['succeeded', 'failed'].includes(view.run.state) ? view : null;
      });
      expect(state.run.failure, `seed ${seed}`).toBeNull();
      expect(state.usage.providers).toEqual(['replay:local']);
      const made = await api.packages({ runId: id });
      const [record] = made.packages;
      const { package: one } = await api.package(record?.id ?? '');
      const hashes = Object.fromEntries(
        one.files.filter(({ path }) => isCompared(path)).map(({ path, file }) => [path, file.hash]),
      );
      expect(hashes, `seed ${seed}`).toEqual(files);
    }
  });
});
