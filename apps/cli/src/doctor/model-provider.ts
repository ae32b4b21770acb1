import type { Environment } from '../bootstrap/environment.ts';
import type { PartReport } from './report.ts';

/** Which model provider is set up, and whether a key is there; the key itself is never read out. */
export function reportModels(env: Environment): PartReport {
  const provider = env.FORGE_MODEL_PROVIDER || 'rehearsal';
  const base = {
    id: 'models',
    title: 'Model provider',
    purpose: 'writes the content of tasks',
    need: 'optional' as const,
    where: null,
  };
  if (provider === 'rehearsal') {
    return {
      ...base,
      ok: true,
      found: 'rehearsal (offline, no model)',
      fix: 'For a real model set FORGE_MODEL_PROVIDER=openai, FORGE_MODEL, FORGE_OPENAI_BASE_URL and FORGE_OPENAI_API_KEY.',
    };
  }
  const hasKey = Boolean(env.FORGE_OPENAI_API_KEY);
  const hasModel = Boolean(env.FORGE_MODEL);
  return {
    ...base,
    ok: hasModel,
    found: `${provider}, model ${env.FORGE_MODEL || 'not set'}, key ${hasKey ? 'set' : 'not set'}`,
    fix: hasModel
      ? hasKey
        ? null
        : 'A local server may need no key; otherwise set FORGE_OPENAI_API_KEY.'
      : 'Set FORGE_MODEL.',
  };
}
