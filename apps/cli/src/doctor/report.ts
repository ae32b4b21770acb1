import { z } from 'zod';

/** One part as `forge doctor` found it. */
export const PartReport = z.strictObject({
  id: z.string(),
  title: z.string(),
  purpose: z.string(),
  need: z.enum(['start', 'test', 'optional']),
  ok: z.boolean(),
  /** Version or state found; null when it is missing. */
  found: z.string().nullable(),
  where: z.string().nullable(),
  /** What to do when it is not ok, or what happens by itself. */
  fix: z.string().nullable(),
});
export type PartReport = z.infer<typeof PartReport>;

/** What `forge doctor --json` prints. `ok` is about what the asked-for use needs. */
export const DoctorReport = z.strictObject({
  ok: z.boolean(),
  parts: z.array(PartReport),
  /** The one command that brings all missing packages of this machine, or null when none is missing. */
  install: z.string().nullable(),
});
export type DoctorReport = z.infer<typeof DoctorReport>;
