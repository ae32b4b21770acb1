import { z } from 'zod';

export const Hash = z.string().regex(/^[0-9a-f]{64}$/, 'a SHA-256 in lower-case hexadecimal');

/**
 * Reference to a JSON value in the artifact store. With `index`, it means that element of the list stored under `hash`.
 * `preview` (at most 120 characters) is for people; it is never set for hidden ports.
 */
export const ValueRef = z.strictObject({
  hash: Hash,
  /** Bytes of the stored JSON. */
  size: z.number().int().nonnegative(),
  index: z.number().int().nonnegative().optional(),
  /** Media type of the file, where the value is a file. */
  media: z.string().optional(),
  preview: z.string().max(120).optional(),
  /** Holds answers or secrets, or was made from such: never previewed. */
  hidden: z.literal(true).optional(),
});
export type ValueRef = z.infer<typeof ValueRef>;

/** Value of a `file` port: the bytes lie in the artifact store under `hash`. */
export const FileValue = z.strictObject({
  name: z.string().min(1).max(255),
  mediaType: z.string().min(1),
  hash: Hash,
  size: z.number().int().nonnegative(),
});
export type FileValue = z.infer<typeof FileValue>;

export const sameRef = (a: ValueRef, b: ValueRef): boolean => a.hash === b.hash && a.index === b.index;
