import type { ServerEnv } from '../load-env.ts';
import type { Access } from './authenticate.ts';
import { OidcLogin } from './oidc.ts';
import { CookieSigner, loadSessionKey } from './session-cookie.ts';
import { TokenUsers } from './token-users.ts';

/** Who may enter, as the settings say. */
export async function createAccess({ tokensFile, token, oidc, store }: ServerEnv): Promise<Access> {
  return {
    tokens: new TokenUsers({ file: tokensFile, token }),
    oidc: oidc === undefined ? null : new OidcLogin(oidc),
    signer: new CookieSigner(await loadSessionKey(store.folder)),
  };
}
