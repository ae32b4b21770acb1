import type { Store } from '@cua-forge/spec/store-port';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accessConformance } from './access-conformance.ts';
import { artifactConformance } from './artifact-conformance.ts';
import { claimConformance } from './claim-conformance.ts';
import type { ConformanceContext, Damage, StorePair } from './conformance-context.ts';
import { evaluationConformance } from './evaluation-conformance.ts';
import { hookConformance } from './hook-conformance.ts';
import { itemConformance } from './item-conformance.ts';
import { outcomeConformance } from './outcome-conformance.ts';
import { pageConformance } from './page-conformance.ts';
import { progressConformance } from './progress-conformance.ts';
import { publicationConformance } from './publication-conformance.ts';
import { recordConformance } from './record-conformance.ts';
import { reviewConformance } from './review-conformance.ts';
import { scheduleConformance } from './schedule-conformance.ts';
import { spendingConformance } from './spending-conformance.ts';
import { webhookConformance } from './webhook-conformance.ts';

/**
 * Registers the tests that every implementation of the store passes. `open` opens one more connection to the same store,
 * which is empty at first; without `damage`, the tests of damaged artifacts are skipped.
 */
export function storeConformance(name: string, open: () => Promise<Store>, damage?: Damage): void {
  describe(name, () => {
    let stores: StorePair | undefined;
    const pair = (): StorePair => {
      if (stores === undefined) throw new Error('The stores are open only while tests run.');
      return stores;
    };
    const context: ConformanceContext = { pair, open, damage };

    beforeAll(async () => {
      const [one, two] = await Promise.all([open(), open()]);
      stores = { one, two };
    });
    afterAll(async () => {
      await stores?.one.meta.close();
      await stores?.two.meta.close();
    });

    it('makes its schema once when two open it empty at once', async () => {
      const { one, two } = pair();
      expect(await one.meta.listDocuments()).toEqual([]);
      expect(await two.meta.lastEventId()).toBe(0);
    });

    describe('artifacts', () => artifactConformance(context));
    describe('outcomes', () => outcomeConformance(context));
    describe('progress', () => progressConformance(context));
    describe('map items', () => itemConformance(context));
    describe('claims', () => claimConformance(context));
    describe('records', () => recordConformance(context));
    describe('access', () => accessConformance(context));
    describe('reviews', () => reviewConformance(context));
    describe('publications', () => publicationConformance(context));
    describe('evaluations', () => evaluationConformance(context));
    describe('pictures of pages', () => pageConformance(context));
    describe('webhooks', () => webhookConformance(context));
    describe('hooks', () => hookConformance(context));
    describe('schedules', () => scheduleConformance(context));
    describe('spending', () => spendingConformance(context));

    it('keeps everything when it is closed and opened again', async () => {
      const first = await open();
      const artifact = await first.artifacts.put(Buffer.from('kept'));
      await first.meta.setPin('reopened', 'draft', { text: artifact });
      await first.meta.close();
      const again = await open();
      expect(await again.meta.listPins('reopened')).toEqual({ draft: { text: artifact } });
      expect(Buffer.from(await again.artifacts.get(artifact.hash)).toString()).toBe('kept');
      await again.meta.close();
    });

    it('commits what was under way when it is closed, and refuses what comes later', async () => {
      const closing = await open();
      const written = closing.meta.setPin('closing', 'draft', {});
      await closing.meta.close();
      await written;
      expect(await pair().one.meta.listPins('closing')).toEqual({ draft: {} });
      await expect(closing.meta.setPin('closing', 'late', {})).rejects.toMatchObject({ name: 'ForgeError' });
      await expect(closing.meta.listPins('closing')).rejects.toMatchObject({ name: 'ForgeError' });
      await closing.meta.close();
    });
  });
}
