import { Json } from '@cua-forge/spec/json';
import { z } from 'zod';

export const PreviewRequest = z.strictObject({
  id: z.number(),
  language: z.enum(['jsonata', 'liquid']),
  source: z.string(),
  /** What the expression or template sees. */
  input: Json,
});
export type PreviewRequest = z.infer<typeof PreviewRequest>;

export const PreviewAnswer = z.union([
  z.strictObject({ id: z.number(), value: Json }),
  z.strictObject({ id: z.number(), error: z.string() }),
]);
export type PreviewAnswer = z.infer<typeof PreviewAnswer>;
