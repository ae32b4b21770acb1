import { ForgeError } from '@cua-forge/spec/errors';
import type { JsonObject } from '@cua-forge/spec/json';
import { SecretName, type SecretsPort } from '@cua-forge/spec/secrets-port';
import { renderTemplate } from '../llm/template.ts';

const placeholder = /\{\{\s*secret:([^}\s]*)\s*\}\}/g;

export const holdsSecret = (template: string): boolean => template.search(placeholder) >= 0;

export interface Headers {
  plain: Record<string, string>;
  /** Headers in which a secret stands. */
  secret: Record<string, string>;
  /** The secrets themselves, for masking what comes back. */
  values: string[];
}

/**
 * Header templates, filled. Placeholders for secrets are found in the template alone, so that no input can ask for a secret.
 * @throws ForgeError `params.invalid`, `template.invalid`, `secret.missing`
 */
export async function fillHeaders(
  templates: Readonly<Record<string, string>>,
  inputs: JsonObject,
  secrets: SecretsPort,
): Promise<Headers> {
  const filled: Headers = { plain: {}, secret: {}, values: [] };
  for (const [name, template] of Object.entries(templates)) {
    // Every second part is the name of a secret.
    const parts = template.split(placeholder);
    const texts: string[] = [];
    for (const [index, part] of parts.entries()) {
      if (index % 2 === 0) texts.push(renderTemplate(part, inputs, `headers/${name}`));
      else {
        const value = await secrets.get(secretName(part, name));
        filled.values.push(value);
        texts.push(value);
      }
    }
    const text = texts.join('').trim();
    if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(text))
      throw new ForgeError('params.invalid', `The header ${name} would hold a line break or a letter beyond Latin-1.`, {
        fix: 'Encode the value, or send it in the body.',
      });
    filled[parts.length > 1 ? 'secret' : 'plain'][name.toLowerCase()] = text;
  }
  return filled;
}

function secretName(text: string, header: string): string {
  const parsed = SecretName.safeParse(text);
  if (parsed.success) return parsed.data;
  throw new ForgeError('params.invalid', `The header ${header} asks for a secret of no proper name.`, {
    fix: 'Write {{secret:NAME}} with a name of capital letters, digits and underscores.',
  });
}

/** The bytes with every occurrence of a secret, also quoted or encoded in the usual ways, overwritten by asterisks. */
export function masked(bytes: Uint8Array, secrets: readonly string[]): Uint8Array {
  const forms = [...new Set(secrets.flatMap(formsOf))].sort((a, b) => b.length - a.length);
  if (forms.length === 0) return bytes;
  const result = Buffer.from(bytes);
  for (const form of forms) {
    const needle = Buffer.from(form, 'utf8');
    for (let at = result.indexOf(needle); at >= 0; at = result.indexOf(needle, at + needle.length))
      result.fill('*', at, at + needle.length);
  }
  return result;
}

export const maskedText = (text: string, secrets: readonly string[]): string =>
  Buffer.from(masked(Buffer.from(text, 'utf8'), secrets)).toString('utf8');

function formsOf(secret: string): string[] {
  const base64 = Buffer.from(secret, 'utf8').toString('base64');
  return [
    secret,
    JSON.stringify(secret).slice(1, -1),
    encodeURIComponent(secret),
    base64,
    base64.replace(/=+$/, ''),
    Buffer.from(secret, 'utf8').toString('base64url'),
  ];
}
