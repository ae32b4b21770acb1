import { z } from 'zod';
import { NodeId } from '../document.ts';
import { Hash } from '../value.ts';

export const limit = z.coerce.number<number>().int().min(1).max(1000);
export const cursor = z.string().optional();
export const eventCursor = z
  .string()
  .regex(/^\d{1,15}$/, 'not a cursor of this server')
  .optional();
export const whole = z.coerce.number<number>().int().nonnegative();
/** A day, which begins at midnight UTC, or a moment. */
export const Moment = z.union([z.iso.date(), z.iso.datetime({ offset: true })]);
export const ofDocument = { id: NodeId };
export const ofHash = { hash: Hash };

/** A name without folders and control characters. */
export const FileName = z
  .string()
  .min(1)
  .max(255)
  .refine((name) => name !== '.' && name !== '..' && !/[/\\]/.test(name), 'a file name without folders')
  .refine((name) => !/\p{Cc}/u.test(name), 'a file name without control characters');
