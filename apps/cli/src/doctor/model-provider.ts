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
      fix: 'For a real model set FORGE_MODEL_PROVIDER to openai, anthropic or local, and FORGE_MODEL: see docs/operations/models.md.',
    };
  }
  const model = env.FORGE_MODEL;
  const variable = keyVariables[provider];
  const hasKey = variable === undefined || Boolean(env[variable]);
  const key = variable === undefined ? 'needs no key' : `key ${hasKey ? 'set' : 'not set'}`;
  return {
    ...base,
    ok: Boolean(model),
    found: `${provider}, model ${model || 'not set'}, ${key}`,
    fix: !model
      ? 'Set FORGE_MODEL.'
      : hasKey
        ? null
        : `A server of your own may need no key; otherwise set ${variable}.`,
  };
}

const keyVariables: Readonly<Record<string, string | undefined>> = {
  openai: 'FORGE_OPENAI_API_KEY',
  anthropic: 'FORGE_ANTHROPIC_API_KEY',
};
