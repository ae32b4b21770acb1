import { kinds } from '@cua-forge/spec/kinds';
import { describe, expect, it } from 'vitest';
import { corpora } from './corpora.ts';
import { AIM } from './gates.bench.ts';
import { judgeCorpus, score } from './measure.ts';

/** Needs LibreOffice for every example; `npm run bench -- gates` measures it. */
const slow = ['gate.opens'];

describe('each gate on its examples', () => {
  it('has examples', () => {
    // gate.prove needs a sandbox for each example; bench/proof has its own.
    const gates = kinds.map(({ id }) => id).filter((id) => id.startsWith('gate.') && id !== 'gate.prove');
    expect(corpora.map(({ gate }) => gate.id).sort()).toEqual(gates.sort());
  });

  it.each(corpora.filter(({ gate }) => !slow.includes(gate.id)).map((corpus) => ({ corpus, id: corpus.gate.id })))(
    '$id finds faults and leaves good examples alone',
    async ({ corpus }) => {
      const judged = await judgeCorpus(corpus);
      const wrong = judged
        .filter(({ example, refused, named }) => (example.fault === null ? refused : !(refused && named)))
        .map(({ example, failed }) => `${example.fault?.kind ?? 'good'}, ${example.name}: ${failed.join('; ')}`);
      for (const part of [judged, judged.filter(({ heldOut }) => heldOut)]) {
        const { recall, precision } = score(part);
        expect(recall, wrong.join('\n')).toBeGreaterThanOrEqual(AIM);
        expect(precision, wrong.join('\n')).toBeGreaterThanOrEqual(AIM);
      }
      const { good, bad } = score(judged);
      expect(Math.min(good, bad)).toBeGreaterThanOrEqual(30);
      expect(new Set(judged.flatMap(({ example }) => example.fault?.kind ?? [])).size).toBeGreaterThanOrEqual(4);
    },
    120_000,
  );
});
