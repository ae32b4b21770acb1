import { Usage } from '@cua-forge/spec/model-port';
import { z } from 'zod';

/** One recorded answer. It holds no key: requests never do. */
export const Cassette = z.strictObject({
  format: z.literal(1),
  /** Provider and model; not which server was asked, so that a recording made at one replays everywhere. */
  identity: z.string(),
  /** What was asked; left out in a file of many, where the name alone tells. */
  request: z.record(z.string(), z.unknown()).optional(),
  result: z.strictObject({
    text: z.string(),
    provider: z.string(),
    model: z.string(),
    usage: Usage,
    usd: z.number().nullable(),
    milliseconds: z.number(),
    finish: z.enum(['stop', 'length']),
  }),
});
export type Cassette = z.infer<typeof Cassette>;
