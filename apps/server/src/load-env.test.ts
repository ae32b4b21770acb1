import { describe, expect, it } from 'vitest';
import { loadEnv } from './load-env.ts';

describe('loadEnv', () => {
  it('has defaults for everything', () => {
    expect(loadEnv({})).toMatchObject({
      host: '127.0.0.1',
      port: 7400,
      store: { folder: '.forge/store', database: undefined, bucket: undefined },
      token: undefined,
      temporalUi: undefined,
    });
    expect(loadEnv({ FORGE_TOKEN: '', FORGE_TEMPORAL_UI: '' })).toMatchObject({
      token: undefined,
      temporalUi: undefined,
    });
  });

  it('opens to other machines only with a login', () => {
    expect(() => loadEnv({ FORGE_HOST: '0.0.0.0' })).toThrow(/without a login/);
    expect(loadEnv({ FORGE_HOST: '0.0.0.0', FORGE_TOKEN: 'x'.repeat(16) }).host).toBe('0.0.0.0');
    expect(loadEnv({ FORGE_HOST: '0.0.0.0', FORGE_TOKENS: 'users.json' }).login).toBe(true);
    const oidc = { FORGE_OIDC_ISSUER: 'https://id.example', FORGE_OIDC_CLIENT_ID: 'forge' };
    expect(loadEnv({ FORGE_HOST: '0.0.0.0', ...oidc }).oidc).toMatchObject({ audience: 'forge', roleClaim: 'roles' });
    expect(() => loadEnv({ FORGE_OIDC_ISSUER: 'https://id.example' })).toThrow(/FORGE_OIDC_CLIENT_ID/);
  });

  it('names every variable that is wrong, and no secret', () => {
    const load = () => loadEnv({ FORGE_PORT: 'many', FORGE_TOKEN: 'short', TEMPORAL_TLS: 'perhaps' });
    expect(load).toThrow(/FORGE_PORT.*FORGE_TOKEN.*TEMPORAL_TLS/);
    expect(load).not.toThrow(/short|perhaps/);
  });
});
