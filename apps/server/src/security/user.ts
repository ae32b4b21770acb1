import type { Role } from '@cua-forge/spec/api-route';
import type { Request } from 'express';

/** Who sent a request. */
export interface User {
  name: string;
  role: Role;
  /** `local`: the server asks for no login. */
  via: 'local' | 'token' | 'oidc';
}

/** Everybody, where the server asks for no login and listens on the loopback address alone. */
export const localUser: User = { name: 'local', role: 'operator', via: 'local' };

const users = new WeakMap<Request, User>();
export const setUser = (request: Request, user: User): void => {
  users.set(request, user);
};
/** Null when nobody is logged in. */
export const userOf = (request: Request): User | null => users.get(request) ?? null;
