import { randomBytes } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Role } from '@cua-forge/spec/api-route';
import type { Request } from 'express';
import { jwtVerify, SignJWT } from 'jose';
import { z } from 'zod';

export const sessionCookie = 'forge_session';
export const loginCookie = 'forge_login';
const sessionHours = 12;

/** What a session says. `proof` ties it to the token it was opened with: it ends when that token is taken away. */
export const SessionClaims = z.object({
  sub: z.string(),
  via: z.enum(['token', 'oidc']),
  role: Role,
  proof: z.string().optional(),
});
export type SessionClaims = z.infer<typeof SessionClaims>;

export function cookieOf(request: Request, name: string): string | undefined {
  for (const part of (request.headers.cookie ?? '').split(';')) {
    const [key, value] = part.trim().split('=', 2);
    if (key === name) return value;
  }
  return undefined;
}

/** A `Cookie` header without this server's own cookies. */
export function withoutSession(header: string | undefined): string {
  return (header ?? '')
    .split(';')
    .map((part) => part.trim())
    .filter((part) => part !== '' && !part.startsWith(`${sessionCookie}=`) && !part.startsWith(`${loginCookie}=`))
    .join('; ');
}

/** Signs what browsers keep for the server, and reads it back. */
export class CookieSigner {
  readonly #key: Uint8Array;

  constructor(key: Uint8Array) {
    this.#key = key;
  }

  sign(purpose: string, claims: Record<string, unknown>, lifetime: string): Promise<string> {
    return new SignJWT(claims)
      .setProtectedHeader({ alg: 'HS256' })
      .setIssuer('forge')
      .setAudience(purpose)
      .setExpirationTime(lifetime)
      .sign(this.#key);
  }

  /** Null for what was not signed here, for another purpose, or too long ago. */
  async read<S extends z.ZodType>(purpose: string, schema: S, text: string | undefined): Promise<z.output<S> | null> {
    if (text === undefined) return null;
    try {
      const { payload } = await jwtVerify(text, this.#key, {
        issuer: 'forge',
        audience: purpose,
        algorithms: ['HS256'],
      });
      return schema.parse(payload);
    } catch {
      return null;
    }
  }

  session(claims: SessionClaims): Promise<string> {
    return this.sign('session', claims, `${sessionHours}h`);
  }
}

/** The key that sessions are signed with: it lies beside the store, readable to its owner alone, and is made when it is missing. */
export async function loadSessionKey(folder: string): Promise<Uint8Array> {
  const file = join(folder, 'session.key');
  const read = async () => {
    const key = await readFile(file);
    return key.length === 32 ? new Uint8Array(key) : null;
  };
  const known = await read().catch(() => null);
  if (known !== null) return known;
  const made = randomBytes(32);
  await mkdir(dirname(file), { recursive: true });
  const fresh = `${file}.${process.pid}.new`;
  await writeFile(fresh, made, { mode: 0o600 });
  await rename(fresh, file);
  return new Uint8Array(await readFile(file));
}
