import { ForgeError } from '@cua-forge/spec/errors';
import type { SecretSource, SecretsPort } from '@cua-forge/spec/secrets-port';

/** Shorter texts are no secrets worth the name, and would blot out what has nothing to do with them. */
const shortest = 6;
const mask = '[secret]';

type Environment = Readonly<Record<string, string | undefined>>;

/** Variables that hold credentials by their name. */
const sensitive = /(^|_)(API_?KEY|TOKEN|SECRET|PASSWORD|ACCESS_KEY)$|^FORGE_SECRET_/;

/** Everything in an environment that must not be shown: credentials by name, and passwords inside addresses. */
export function secretsInEnvironment(env: Environment): string[] {
  return Object.entries(env).flatMap(([name, value]) => {
    if (value === undefined || value === '' || value.startsWith('secret:')) return [];
    if (sensitive.test(name)) return [value];
    const password = /^[a-z][a-z0-9+.-]*:\/\/[^/@\s]*:([^/@\s]+)@/i.exec(value)?.[1];
    return password === undefined ? [] : [password, safelyDecoded(password)];
  });
}

function safelyDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&');

/** A secret as it stands in texts: itself, quoted in JSON, in addresses, and in Base64 wherever it begins there. */
function formsOf(secret: string): string[] {
  const bytes = Buffer.from(secret, 'utf8');
  const inBase64 = [0, 1, 2].flatMap((before) => {
    const padded = Buffer.concat([Buffer.alloc(before), bytes]);
    // Letters that hold bits of the neighbours are left out.
    const from = Math.ceil((before * 8) / 6);
    const to = Math.floor((padded.length * 8) / 6);
    return [padded.toString('base64').slice(from, to), padded.toString('base64url').slice(from, to)];
  });
  return [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret), ...inBase64];
}

/** Masks every secret it knows, in whatever is written down, logged or shown. */
export class Redactor {
  readonly #known = new Set<string>();
  #forms: string[] = [];
  #pattern: RegExp | null = null;

  constructor(secrets: Iterable<string> = []) {
    this.add(secrets);
  }

  add(secrets: Iterable<string>): void {
    const fresh = [...secrets].filter((secret) => secret.length >= shortest && !this.#known.has(secret));
    if (fresh.length === 0) return;
    for (const secret of fresh) this.#known.add(secret);
    const forms = [...new Set([...this.#known].flatMap(formsOf))].filter(({ length }) => length >= shortest);
    this.#forms = forms.sort((a, b) => b.length - a.length);
    this.#pattern = new RegExp(this.#forms.map(escaped).join('|'), 'g');
  }

  text(text: string): string {
    return this.#pattern === null ? text : text.replace(this.#pattern, mask);
  }

  /** Bytes of the same length, with asterisks where a secret stood. */
  bytes(bytes: Uint8Array): Uint8Array {
    let result: Buffer | null = null;
    for (const form of this.#forms) {
      const looked: Buffer = result ?? Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
      for (let at = looked.indexOf(form); at >= 0; at = looked.indexOf(form, at + 1)) {
        result ??= Buffer.from(looked);
        result.fill('*', at, at + Buffer.byteLength(form));
      }
    }
    return result ?? bytes;
  }

  /** A copy of plain data with its texts and names masked; the same data where there is nothing to mask. */
  data<T>(value: T): T {
    if (this.#pattern === null) return value;
    return this.#walk(value) as T;
  }

  #walk(value: unknown): unknown {
    if (typeof value === 'string') return this.text(value);
    if (Array.isArray(value)) {
      const copy = value.map((member) => this.#walk(member));
      return copy.some((member, index) => member !== value[index]) ? copy : value;
    }
    if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value;
    const entries = Object.entries(value);
    const copy = entries.map(([key, member]) => [this.text(key), this.#walk(member)] as const);
    const changed = copy.some(([key, member], index) => key !== entries[index]?.[0] || member !== entries[index]?.[1]);
    return changed ? Object.fromEntries(copy) : value;
  }

  /** The error with its texts, its stack and its causes masked; the same error where there is nothing to mask. */
  error<E>(thrown: E): E {
    if (this.#pattern === null || !(thrown instanceof Error)) return thrown;
    const { message, stack = '', cause } = thrown;
    const safe = { message: this.text(message), stack: this.text(stack), cause: this.error(cause) };
    const fix = thrown instanceof ForgeError && thrown.fix !== undefined ? this.text(thrown.fix) : undefined;
    const same = safe.message === message && safe.stack === stack && safe.cause === cause;
    if (same && (!(thrown instanceof ForgeError) || fix === thrown.fix)) return thrown;
    const copy =
      thrown instanceof ForgeError
        ? new ForgeError(thrown.code, safe.message, {
            fix,
            place: thrown.place,
            cause: safe.cause,
            retryAfterMs: thrown.retryAfterMs,
          })
        : Object.assign(Object.create(Object.getPrototypeOf(thrown)), thrown, {
            message: safe.message,
            cause: safe.cause,
          });
    copy.stack = safe.stack;
    return copy;
  }
}

/** The redactor of a process: it knows what its environment and its sources of secrets hold. A source that cannot be read now is asked when it is used. */
export async function redactorFor(env: Environment, sources: readonly SecretSource[]): Promise<Redactor> {
  const redactor = new Redactor(secretsInEnvironment(env));
  for (const source of sources) {
    const values = async () => {
      const found = await Promise.all((await source.names()).map((name) => source.find(name)));
      return found.filter((value) => value !== null);
    };
    redactor.add(await values().catch(() => []));
  }
  return redactor;
}

/** Secrets that the redactor knows from the moment they are handed out. */
export const redactedSecrets = (secrets: SecretsPort, redactor: Redactor): SecretsPort => ({
  get: async (name) => {
    const value = await secrets.get(name);
    redactor.add([value]);
    return value;
  },
});
