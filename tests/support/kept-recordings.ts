import { z } from 'zod';

/** Which packages a recording of a model's answers makes. */
export const KeptRecording = z.strictObject({
  skill: z.string(),
  /** Name of the local model that answered. */
  model: z.string(),
  packages: z.array(z.strictObject({ seed: z.number().int(), files: z.record(z.string(), z.string()) })),
});
export type KeptRecording = z.infer<typeof KeptRecording>;

/** Files that name when or with what a package was made, or the hash of another file. */
const left = new Set(['task.json', 'setup/setup.json']);

/** Office files are archives, whose bytes depend on the compression of the Node that wrote them; their contents stand in the hidden answers. */
export const isCompared = (path: string): boolean => !left.has(path) && /\.(?:md|json|sh|csv|txt)$/.test(path);
