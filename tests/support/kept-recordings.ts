import { z } from 'zod';

/** Which packages a recording of a model's answers makes. */
export const KeptRecording = z.strictObject({
  skill: z.string(),
  /** Name of the local model that answered. */
  model: z.string(),
  packages: z.array(z.strictObject({ seed: z.number().int(), files: z.record(z.string(), z.string()) })),
});
export type KeptRecording = z.infer<typeof KeptRecording>;
