import { afterEach, describe, expect, it, vi } from 'vitest';
import { askEarly, takeEarly } from './early.ts';

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const answering = (status: number, body = '{"a":1}') =>
  vi.stubGlobal('fetch', async () => new Response(body, { status }));

describe('an answer that was asked for early', () => {
  it('is given once', async () => {
    answering(200);
    askEarly('/api/kinds');
    expect(await (await takeEarly('/api/kinds'))?.json()).toEqual({ a: 1 });
    expect(await takeEarly('/api/kinds')).toBeNull();
    expect(await takeEarly('/api/other')).toBeNull();
  });

  it('is not given when it was a refusal, or when none came', async () => {
    answering(401);
    askEarly('/api/documents/a');
    expect(await takeEarly('/api/documents/a')).toBeNull();
    vi.stubGlobal('fetch', async () => {
      throw new TypeError('away');
    });
    askEarly('/api/documents/a');
    expect(await takeEarly('/api/documents/a')).toBeNull();
  });

  it('is not given when it is old', async () => {
    vi.useFakeTimers();
    answering(200);
    askEarly('/api/documents/a');
    await vi.advanceTimersByTimeAsync(5_001);
    expect(await takeEarly('/api/documents/a')).toBeNull();
  });
});
