import { canonicalJson } from '@cua-forge/spec/canonical-json';
import { kinds } from '@cua-forge/spec/kinds';
import { PackageReview, RejectedExamples, ReviewReason, reviewReasons } from '@cua-forge/spec/review';
import { sampleOutcome, samplePackage } from '@cua-forge/store/testing/samples';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { startTestServer, type TestServer } from '../testing/test-server.ts';

let server: TestServer;
beforeEach(async () => {
  server = await startTestServer();
  for (const [index, id] of ['one', 'two', 'three'].entries())
    await server.store.meta.addPackage(samplePackage({ id, runId: `run-${id}`, skill: 'sum', createdAt: index + 1 }));
});
afterEach(() => server.stop());

const call = async (method: string, path: string, body?: unknown) => (await server.call(method, path, body)).body;
const idsOf = async (query: string): Promise<string[]> =>
  z
    .object({ packages: z.array(z.object({ id: z.string() })) })
    .parse(await call('GET', `/api/packages?${query}`))
    .packages.map(({ id }) => id);
const put = async (value: unknown) => server.store.artifacts.put(Buffer.from(canonicalJson(value)));

describe('a verdict', () => {
  it('is kept with who and why, shows in lists, and stays in the history', async () => {
    const rejected = { verdict: 'rejected', reason: 'unclear', note: ' which column? ', by: 'ann' };
    const kept = PackageReview.parse(await call('PUT', '/api/packages/one/review', rejected));
    expect(kept).toMatchObject({ packageId: 'one', ...rejected, note: 'which column?' });
    expect(await call('PUT', '/api/packages/one/review', rejected)).toEqual(kept);
    const accepted = await call('PUT', '/api/packages/one/review', { verdict: 'accepted', by: 'ben' });
    expect(await call('GET', '/api/packages/one/reviews')).toEqual({ reviews: [accepted, kept] });
    expect(await call('GET', '/api/packages?verdict=accepted')).toMatchObject({ reviews: { one: accepted } });
    const { entries } = z.object({ entries: z.array(z.unknown()) }).parse(await call('GET', '/api/audit?target=one'));
    expect(entries[0]).toMatchObject({ action: 'package.review', detail: 'verdict=accepted reason=null' });
  });

  it('is given to several packages at once, or to none of them', async () => {
    const body = { verdict: 'rejected', reason: 'duplicate', ids: ['one', 'three'] };
    const first = await call('POST', '/api/packages/reviews', body);
    expect(await call('POST', '/api/packages/reviews', body)).toEqual(first);
    expect(await idsOf('verdict=rejected')).toEqual(['three', 'one']);
    expect(await idsOf('verdict=unreviewed')).toEqual(['two']);
    expect(await idsOf('verdict=kept')).toEqual(['two']);
    const none = await server.call('POST', '/api/packages/reviews', { verdict: 'accepted', ids: ['two', 'nowhere'] });
    expect(none).toMatchObject({ status: 404, body: { error: { message: expect.stringContaining('nowhere') } } });
    expect(await idsOf('verdict=accepted')).toEqual([]);
  });

  it('is refused when the reason is missing, not wanted, or tells nothing', async () => {
    for (const body of [
      { verdict: 'rejected' },
      { verdict: 'accepted', reason: 'unclear' },
      { verdict: 'rejected', reason: 'other' },
      { verdict: 'rejected', reason: 'because' },
    ]) {
      expect((await server.call('PUT', '/api/packages/one/review', body)).status).toBe(400);
    }
  });

  it('is counted by skill and reason', async () => {
    await call('PUT', '/api/packages/two/review', { verdict: 'rejected', reason: 'unclear' });
    const counted = z.object({ counts: z.array(z.unknown()) }).parse(await call('GET', '/api/reviews?skill=sum'));
    expect(counted.counts).toEqual([
      { skill: 'sum', verdict: 'rejected', reason: 'unclear', count: 1 },
      { skill: 'sum', verdict: 'unreviewed', reason: null, count: 2 },
    ]);
  });
});

describe('examples for gates', () => {
  const gateOutcome = async (runId: string, verdict: 'pass' | 'reject') =>
    sampleOutcome({
      ...{ runId, key: 'clear', kind: 'gate.ambiguity', params: (await put({ strict: true })).hash },
      inputs: { instruction: [await put('Sum it up.')] },
      verdict: { verdict, evidence: [{ check: 'clear', ok: verdict === 'pass', detail: 'it is' }] },
    });

  it('are what a gate was shown of a package that people rejected for what it looks for', async () => {
    await server.store.meta.commitOutcome(await gateOutcome('run-one', 'pass'), []);
    await server.store.meta.commitOutcome(await gateOutcome('run-two', 'reject'), []);
    await call('POST', '/api/packages/reviews', { verdict: 'rejected', reason: 'unclear', ids: ['one', 'two'] });
    await call('PUT', '/api/packages/three/review', { verdict: 'rejected', reason: 'other', note: 'odd' });
    const found = RejectedExamples.parse(await call('GET', '/api/reviews/examples'));
    expect(found.examples).toMatchObject([
      { packageId: 'one', node: 'clear', gate: 'gate.ambiguity', reason: 'unclear' },
    ]);
    expect(found.examples[0]).toMatchObject({ params: { strict: true }, inputs: { instruction: 'Sum it up.' } });
    expect(found.without.map(({ packageId }) => packageId)).toEqual(['three', 'two']);
    const other = RejectedExamples.parse(await call('GET', '/api/reviews/examples?gate=gate.rubric'));
    expect(other).toEqual({ examples: [], without: [], next: null });
  });
});

it('every reason names a gate that there is, or none', () => {
  const gates = kinds.filter(({ gate }) => gate).map(({ id }) => id);
  const named = ReviewReason.options.flatMap((reason) => reviewReasons[reason].gate ?? []);
  expect(named.filter((gate) => !gates.includes(gate))).toEqual([]);
});
