import { z } from 'zod';
import { Role } from './api-route.ts';

/** Name of a user, as the audit trail shows it. */
export const UserName = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/, 'letters, digits, dots, dashes and underscores, at most 64');

/** The file that FORGE_TOKENS names: who may use the server. It holds no token, only the SHA-256 of each. */
export const UserFile = z.strictObject({
  users: z.array(
    z.strictObject({
      name: UserName,
      role: Role,
      /** SHA-256 of the token, in hexadecimal. */
      hash: z.string().regex(/^[0-9a-f]{64}$/),
      createdAt: z.iso.datetime(),
    }),
  ),
});
export type UserFile = z.infer<typeof UserFile>;
