import { createHmac } from 'node:crypto';
import { ForgeError, toForgeError } from '@cua-forge/spec/errors';
import type { HttpPort } from '@cua-forge/spec/http-port';
import type { SecretsPort } from '@cua-forge/spec/secrets-port';
import { type Delivery, retryAfterMs, type WebhookRecord } from '@cua-forge/spec/webhook';

/** Milliseconds that the receiver may take. */
const timeoutMs = 15_000;
/** Bytes of its answer that are read. */
const maxBytes = 65_536;

/** `v1=` and the HMAC-SHA256 of `timestamp.body` in hexadecimal. `timestamp` is in seconds since 1970. */
export const signatureOf = (secret: string, timestamp: number, body: string): string =>
  `v1=${createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')}`;

interface SendingParts {
  http: HttpPort;
  secrets: SecretsPort;
  now(): number;
}

/** Faults that another try does not mend. */
const final: ReadonlySet<string> = new Set(['http.refused', 'input.invalid']);

async function post(
  { http, secrets, now }: SendingParts,
  { url, secret }: WebhookRecord,
  { id, event, body }: Delivery,
  signal: AbortSignal,
): Promise<number> {
  const text = JSON.stringify(body);
  const timestamp = Math.floor(now() / 1_000);
  const signed = secret === null ? {} : { 'forge-signature': signatureOf(await secrets.get(secret), timestamp, text) };
  const { status } = await http.request(
    {
      ...{ method: 'POST', url, timeoutMs, maxBytes, maxRedirects: 0, secretHeaders: {} },
      headers: {
        ...{ 'content-type': 'application/json', 'forge-event': event, 'forge-delivery': id },
        ...{ 'forge-timestamp': String(timestamp), ...signed },
      },
      body: new TextEncoder().encode(text),
    },
    signal,
  );
  return status;
}

/** Tries a delivery once, and answers with it as it stands then: delivered, to be tried again at a time, or failed for good. */
export async function tryDelivery(
  parts: SendingParts,
  webhook: WebhookRecord,
  delivery: Delivery,
  signal: AbortSignal,
): Promise<Delivery> {
  const attempts = delivery.attempts + 1;
  let status: number | null = null;
  let failure: ForgeError;
  try {
    status = await post(parts, webhook, delivery, signal);
    if (status >= 200 && status < 300)
      return { ...delivery, state: 'delivered', attempts, nextAt: null, status, failure: null, endedAt: parts.now() };
    failure = new ForgeError('http.failed', `The receiver answered with ${status}.`, {
      fix: 'It has to answer with a status from 200 to 299.',
    });
  } catch (thrown) {
    signal.throwIfAborted();
    failure = toForgeError(thrown);
  }
  const wait = final.has(failure.code) ? undefined : retryAfterMs[attempts - 1];
  const tried = { ...delivery, attempts, status, failure: failure.toFailure() };
  return wait === undefined
    ? { ...tried, state: 'failed', nextAt: null, endedAt: parts.now() }
    : { ...tried, nextAt: parts.now() + wait };
}
