import { z } from 'zod';
import { Finding } from '../document.ts';
import { Failure } from '../errors.ts';

/** What an error is answered with, whatever was asked. */
export const ApiError = z.strictObject({ error: Failure, findings: z.array(Finding).optional() });
export type ApiError = z.infer<typeof ApiError>;
