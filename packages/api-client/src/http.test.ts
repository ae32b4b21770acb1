import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { Http } from './http.ts';

const Answer = z.strictObject({ ok: z.boolean() });

/** A fetch that answers each call with the next of the given results. */
function scripted(...results: (Response | Error)[]): { fetch: typeof fetch; calls: () => number } {
  let calls = 0;
  return {
    fetch: async () => {
      const result = results[calls++] ?? new Error('nothing left');
      if (result instanceof Error) throw result;
      return result;
    },
    calls: () => calls,
  };
}
const good = () => Response.json({ ok: true });
const refused = () => new TypeError('fetch failed');
const busy = () =>
  Response.json({ error: { code: 'temporal.unreachable', message: 'Later.', fix: 'Wait.' } }, { status: 503 });

describe('requests', () => {
  it('that may be repeated wait for a server that restarts', async () => {
    const { fetch, calls } = scripted(refused(), busy(), good());
    const http = new Http({ url: 'http://server', fetch, patienceMs: 10_000 });
    expect(await http.json(Answer, '/x')).toEqual({ ok: true });
    expect(calls()).toBe(3);
  });

  it('that may not are sent once', async () => {
    const { fetch, calls } = scripted(refused(), good());
    const http = new Http({ url: 'http://server', fetch, patienceMs: 10_000 });
    await expect(http.json(Answer, '/x', { method: 'POST', json: {} })).rejects.toMatchObject({
      code: 'server.unreachable',
    });
    expect(calls()).toBe(1);
  });

  it('throw what the server said, with its findings', async () => {
    const finding = { code: 'x', severity: 'error', message: 'm', fix: 'f' };
    const { fetch } = scripted(
      Response.json({ error: { code: 'document.invalid', message: 'Bad.' }, findings: [finding] }, { status: 422 }),
    );
    const http = new Http({ url: 'http://server', fetch });
    await expect(http.json(Answer, '/x')).rejects.toMatchObject({
      code: 'document.invalid',
      message: 'Bad.',
      findings: [finding],
    });
  });

  it.each([
    () => new Response('<html>', { status: 200 }),
    () => Response.json({ other: 1 }),
    () => new Response('no', { status: 500 }),
  ])('to something that is no such server say so', async (answer) => {
    const http = new Http({ url: 'http://server', fetch: scripted(answer()).fetch });
    await expect(http.json(Answer, '/x')).rejects.toMatchObject({
      code: 'server.unreachable',
      message: expect.stringContaining('http://server'),
    });
  });

  it('end with the signal, also while they wait', async () => {
    const ending = new AbortController();
    const { fetch } = scripted(refused(), refused(), refused());
    const http = new Http({ url: 'http://server', fetch, patienceMs: 60_000, signal: ending.signal });
    setTimeout(() => ending.abort(new Error('stopped')), 50);
    await expect(http.json(Answer, '/x')).rejects.toThrow('stopped');
  });

  it('carry the token and the given part of a query', async () => {
    let seen: { address: string; authorization: string | undefined } | undefined;
    const fetch: typeof globalThis.fetch = async (address, init) => {
      seen = { address: String(address), authorization: new Headers(init?.headers).get('authorization') ?? undefined };
      return good();
    };
    await new Http({ url: 'http://server/', token: 't', fetch }).json(Answer, '/x', {
      query: { a: 'ä&', b: undefined, c: 0 },
    });
    expect(seen).toEqual({ address: 'http://server/x?a=%C3%A4%26&c=0', authorization: 'Bearer t' });
  });
});
