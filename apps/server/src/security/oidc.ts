import { Role } from '@cua-forge/spec/api-route';
import { ForgeError } from '@cua-forge/spec/errors';
import { createRemoteJWKSet, type JWTVerifyGetKey, jwtVerify } from 'jose';
import * as client from 'openid-client';
import { z } from 'zod';
import type { User } from './user.ts';

export interface OidcSettings {
  issuer: string;
  clientId: string;
  clientSecret: string | undefined;
  /** Audience that bearer tokens must have. */
  audience: string;
  /** Claim that names the role, or a list with it. */
  roleClaim: string;
  /** Role of those whose claim names none; undefined refuses them. */
  defaultRole: Role | undefined;
}

/** What a login needs to remember until the issuer sends the browser back. */
export const LoginState = z.object({
  verifier: z.string(),
  state: z.string(),
  nonce: z.string(),
  to: z.string(),
  redirect: z.string(),
});
export type LoginState = z.infer<typeof LoginState>;

const Claims = z.looseObject({ sub: z.string(), email: z.string().optional(), email_verified: z.boolean().optional() });
const isLoopback = (issuer: URL): boolean => ['127.0.0.1', 'localhost', '[::1]'].includes(issuer.hostname);

/** Logins through an OpenID Connect issuer: the code flow with PKCE for browsers, signed access tokens for scripts. */
export class OidcLogin {
  readonly settings: OidcSettings;
  #found: Promise<{ configuration: client.Configuration; keys: JWTVerifyGetKey }> | undefined;

  constructor(settings: OidcSettings) {
    this.settings = settings;
  }

  /** Address at the issuer to send the browser to, and what to remember. */
  async begin(redirect: string, to: string): Promise<{ address: string; login: LoginState }> {
    const { configuration } = await this.#discover();
    const login: LoginState = {
      verifier: client.randomPKCECodeVerifier(),
      state: client.randomState(),
      nonce: client.randomNonce(),
      to,
      redirect,
    };
    const address = client.buildAuthorizationUrl(configuration, {
      redirect_uri: redirect,
      scope: 'openid email profile',
      code_challenge: await client.calculatePKCECodeChallenge(login.verifier),
      code_challenge_method: 'S256',
      state: login.state,
      nonce: login.nonce,
    });
    return { address: address.href, login };
  }

  /** The user who comes back from the issuer. @throws ForgeError `unauthorized`, `forbidden` (no role) */
  async finish(address: URL, login: LoginState): Promise<User> {
    const { configuration } = await this.#discover();
    try {
      const tokens = await client.authorizationCodeGrant(configuration, address, {
        pkceCodeVerifier: login.verifier,
        expectedState: login.state,
        expectedNonce: login.nonce,
        idTokenExpected: true,
      });
      const claims = Claims.parse(tokens.claims());
      const more = await client.fetchUserInfo(configuration, tokens.access_token, claims.sub).catch(() => ({}));
      return this.#userOf({ ...more, ...claims });
    } catch (cause) {
      if (cause instanceof ForgeError) throw cause;
      throw new ForgeError('unauthorized', 'The login at the issuer did not succeed.', {
        fix: 'Log in again; if it goes on, compare client id, secret and redirect address with the issuer’s.',
        cause,
      });
    }
  }

  /** The user of a signed token; null when it is none of this issuer or not for this server. @throws ForgeError `forbidden` (no role) */
  async userOfToken(token: string): Promise<User | null> {
    if (token.split('.').length !== 3) return null;
    const { keys } = await this.#discover();
    const { issuer, audience } = this.settings;
    const verified = await jwtVerify(token, keys, {
      issuer,
      audience,
      requiredClaims: ['sub', 'exp'],
      algorithms: ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'],
    }).catch(() => null);
    return verified === null ? null : this.#userOf(Claims.parse(verified.payload));
  }

  #userOf(claims: z.infer<typeof Claims>): User {
    const { roleClaim, defaultRole } = this.settings;
    const given = z
      .union([z.array(z.unknown()), z.string().transform((text) => text.split(' '))])
      .safeParse(claims[roleClaim]);
    const roles = given.success ? given.data : [];
    // The strongest of the roles that the claim names.
    const role = [...Role.options].reverse().find((one) => roles.includes(one)) ?? defaultRole;
    if (role === undefined) {
      throw new ForgeError('forbidden', `The issuer gives you no role here: its claim "${roleClaim}" names none.`, {
        fix: `Let the issuer put ${Role.options.join(', ')} into "${roleClaim}", or set FORGE_OIDC_DEFAULT_ROLE.`,
      });
    }
    const name = claims.email !== undefined && claims.email_verified !== false ? claims.email : claims.sub;
    return { name: `oidc:${name}`, role, via: 'oidc' };
  }

  /** Asks the issuer for its addresses and keys, once it answers. @throws ForgeError `server.busy` */
  async #discover() {
    this.#found ??= this.#ask();
    try {
      return await this.#found;
    } catch (cause) {
      this.#found = undefined;
      throw new ForgeError('server.busy', `The issuer ${this.settings.issuer} does not answer as one.`, {
        fix: 'Check FORGE_OIDC_ISSUER, and try again.',
        retryAfterMs: 5_000,
        cause,
      });
    }
  }

  async #ask() {
    const { clientId, clientSecret } = this.settings;
    const issuer = new URL(this.settings.issuer);
    const insecure =
      issuer.protocol === 'http:' && isLoopback(issuer) ? { execute: [client.allowInsecureRequests] } : {};
    const method = clientSecret === undefined ? client.None() : client.ClientSecretPost(clientSecret);
    const configuration = await client.discovery(issuer, clientId, undefined, method, insecure);
    const keys = configuration.serverMetadata().jwks_uri;
    if (keys === undefined) throw new Error('The issuer names no keys.');
    return { configuration, keys: createRemoteJWKSet(new URL(keys)) };
  }
}
