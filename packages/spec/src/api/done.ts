import { z } from 'zod';

/** POST /api/runs/:id/cancel and /approve answer with this. */
export const Done = z.strictObject({ ok: z.literal(true) });
