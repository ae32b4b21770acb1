import type { JsonObject } from '@cua-forge/spec/json';
import { type ServerNames, unreachable } from './http-errors.ts';

/** Posts a JSON body and asks for a stream. @throws ForgeError `model.unavailable`, `node.cancelled` */
export async function postJson(
  address: URL,
  {
    headers,
    body,
    server,
    signal,
  }: { headers: Record<string, string>; body: JsonObject; server: ServerNames; signal: AbortSignal },
): Promise<Response> {
  try {
    return await fetch(address, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'text/event-stream, application/json',
        ...headers,
      },
      body: JSON.stringify(body),
      signal,
    });
  } catch (cause) {
    throw unreachable(server, cause, signal);
  }
}
