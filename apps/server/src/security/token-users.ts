import { createHash, timingSafeEqual } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { ForgeError } from '@cua-forge/spec/errors';
import { UserFile } from '@cua-forge/spec/users';
import type { User } from './user.ts';

/** A user with the hash of the token that proves it. */
export interface TokenUser extends User {
  hash: string;
}

export const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');
const same = (a: string, b: string): boolean => timingSafeEqual(Buffer.from(hashOf(a)), Buffer.from(hashOf(b)));

/** Users with tokens: those of the file, read again when it changes, and the one of FORGE_TOKEN, who is an operator. */
export class TokenUsers {
  readonly #file: string | undefined;
  readonly #own: TokenUser[];
  #read: { changed: string; users: TokenUser[] } = { changed: '', users: [] };

  constructor({ file, token }: { file: string | undefined; token: string | undefined }) {
    this.#file = file;
    this.#own = token === undefined ? [] : [{ name: 'operator', role: 'operator', via: 'token', hash: hashOf(token) }];
  }

  get any(): boolean {
    return this.#file !== undefined || this.#own.length > 0;
  }

  /** The user of a token; null when it is nobody's. Every hash is compared, whichever fits. */
  async byToken(token: string): Promise<TokenUser | null> {
    const hash = hashOf(token);
    return (await this.#all()).filter((user) => same(user.hash, hash))[0] ?? null;
  }

  async byName(name: string): Promise<TokenUser | null> {
    return (await this.#all()).find((user) => user.name === name) ?? null;
  }

  async #all(): Promise<TokenUser[]> {
    return this.#file === undefined ? this.#own : [...(await this.#fromFile(this.#file)), ...this.#own];
  }

  /** @throws ForgeError `input.invalid` when the file cannot be used: then nobody of it may enter */
  async #fromFile(file: string): Promise<TokenUser[]> {
    try {
      const { mtimeMs, size, ino } = await stat(file);
      const changed = `${mtimeMs} ${size} ${ino}`;
      if (changed !== this.#read.changed) {
        const { users } = UserFile.parse(JSON.parse(await readFile(file, 'utf8')));
        this.#read = {
          changed,
          users: users.map(({ name, role, hash }) => ({ name, role, hash, via: 'token' as const })),
        };
      }
      return this.#read.users;
    } catch (cause) {
      throw new ForgeError('internal', `The file of FORGE_TOKENS, ${file}, cannot be read as a list of users.`, {
        fix: 'Write it with `forge users add NAME --role author`.',
        cause,
      });
    }
  }
}
