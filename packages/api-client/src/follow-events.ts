import { RunEvent } from '@cua-forge/spec/store-port';
import { EventSourceParserStream } from 'eventsource-parser/stream';
import { failureOf } from './api-error.ts';
import type { Http } from './http.ts';

export interface FollowOptions {
  run?: string;
  batch?: string;
  /** Id of the last event that is known already. */
  after?: number;
  signal: AbortSignal;
}

const pauseMs = 1_000;

/**
 * Reads the server's events and comes back after each break for what was missed.
 * @throws ForgeError when the server refuses; a server that does not answer is waited for
 */
export async function* followEvents(
  http: Http,
  { run, batch, after, signal }: FollowOptions,
): AsyncGenerator<RunEvent> {
  let last = after;
  while (!signal.aborted) {
    try {
      const response = await http.fetch(http.address('/api/events', { run, batch, after: last }), {
        headers: http.headers,
        signal,
      });
      if (!response.ok || response.body === null) {
        const failure = failureOf(response.status, await response.json().catch(() => null), http.address(''));
        if (response.status === 503) throw new TypeError(failure.message);
        throw failure;
      }
      const messages = response.body.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream());
      for await (const message of messages) {
        const event = RunEvent.parse(JSON.parse(message.data));
        last = event.id;
        yield event;
      }
    } catch (thrown) {
      // A connection that breaks is a TypeError of fetch; everything else is a real fault.
      if (signal.aborted) return;
      if (!(thrown instanceof TypeError)) throw thrown;
    }
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, pauseMs);
      signal.addEventListener(
        'abort',
        () => {
          clearTimeout(timer);
          resolve();
        },
        { once: true },
      );
    });
  }
}
