import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { eventually, type RunningServices, startServices } from './services.ts';

/** What a run made of a model's answers: the package's files, path → SHA-256, or why there is none. */
const Outcome = z.union([
  z.strictObject({ seed: z.number().int(), files: z.record(z.string(), z.string()) }),
  z.strictObject({
    seed: z.number().int(),
    failure: z.strictObject({ code: z.string(), node: z.string().nullable() }),
  }),
]);
export type Outcome = z.infer<typeof Outcome>;

/** What comes of a recording of a model's answers, `<skill>.jsonl.gz` beside it. */
export const KeptRecording = z.strictObject({
  skill: z.string(),
  /** Name of the local model that answered. */
  model: z.string(),
  outcomes: z.array(Outcome),
});
export type KeptRecording = z.infer<typeof KeptRecording>;

export const recordingsFolder = join(import.meta.dirname, '../fixtures/recordings');

export const keptRecordings = (): KeptRecording[] =>
  readdirSync(recordingsFolder)
    .filter((name) => name.endsWith('.json'))
    .map((name) => KeptRecording.parse(JSON.parse(readFileSync(join(recordingsFolder, name), 'utf8'))));

/** Files that name when or with what a package was made, or the hash of another file. */
const left = new Set(['task.json', 'setup/setup.json']);

/** Office files are archives, whose bytes depend on the compression of the Node that wrote them; their contents stand in the hidden answers. */
const isCompared = (path: string): boolean => !left.has(path) && /\.(?:md|json|sh|csv|txt|py)$/.test(path);

/** A server and a worker that know a recording's answers and no model. */
export const servicesReplaying = (skill: string, model: string): Promise<RunningServices> =>
  startServices({
    env: {
      FORGE_MODEL_PROVIDER: 'local',
      FORGE_MODEL: model,
      // Whoever asked the model would fail here.
      FORGE_CACHE: join(recordingsFolder, 'nothing-here'),
      FORGE_CASSETTES: `replay:${join(recordingsFolder, `${skill}.jsonl.gz`)}`,
    },
  });

/** Runs a skill once and says what came of it. */
export async function outcomeOf({ api }: RunningServices, skill: string, seed: number): Promise<Outcome> {
  const { id } = await api.startRun({ documentId: skill, seed, mode: 'batch' });
  const { run } = await eventually(
    `seed ${seed} ends`,
    async () => {
      const view = await api.run(id);
      return ['succeeded', 'failed'].includes(view.run.state) ? view : null;
    },
    120_000,
  );
  if (run.failure !== null) return { seed, failure: { code: run.failure.code, node: run.failure.place?.node ?? null } };
  const made = await api.packages({ runId: id });
  const { package: one } = await api.package(made.packages[0]?.id ?? '');
  const compared = one.files.filter(({ path }) => isCompared(path)).sort((a, b) => (a.path < b.path ? -1 : 1));
  return { seed, files: Object.fromEntries(compared.map(({ path, file }) => [path, file.hash])) };
}
