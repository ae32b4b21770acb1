import type { Delivery, WebhookRecord } from '@cua-forge/spec/webhook';
import { expect, it } from 'vitest';
import type { ConformanceContext } from './conformance-context.ts';
import { uniqueId } from './samples.ts';

const sample = (createdAt: number): WebhookRecord => ({
  ...{ id: uniqueId('webhook'), title: 'Tracker', url: 'https://tracker.example/hook', events: ['batch.ended'] },
  ...{ documentId: null, secret: 'TRACKER', paused: false, by: 'ann', createdAt },
});
const delivery = (webhookId: string, nextAt: number | null): Delivery => ({
  ...{ id: uniqueId('delivery'), webhookId, event: 'batch.ended', subject: 'b-1', body: { event: 'batch.ended' } },
  ...{ state: nextAt === null ? 'delivered' : 'waiting', attempts: 0, nextAt, status: null, failure: null },
  ...{ createdAt: nextAt ?? 1, endedAt: null },
});

export function webhookConformance({ pair }: ConformanceContext): void {
  it('keeps webhooks and what each was told of', async () => {
    const { one, two } = pair();
    const [old, recent] = [sample(8e12), sample(9e12)];
    await one.meta.saveWebhook(old, 5);
    await one.meta.saveWebhook(recent, 9);
    expect(await two.meta.listWebhooks(2)).toEqual([recent, old]);
    await two.meta.addDeliveries([], 7);
    const since = async () =>
      (await one.meta.webhookCursors())
        .filter(({ webhook }) => [old.id, recent.id].includes(webhook.id))
        .sort((a, b) => a.since - b.since)
        .map((each) => each.since);
    expect(await since()).toEqual([7, 9]);
    await one.meta.saveWebhook({ ...old, paused: true }, 11);
    expect(await two.meta.getWebhook(old.id)).toMatchObject({ paused: true });
    await one.meta.addDeliveries([delivery(recent.id, null)], null);
    await one.meta.deleteWebhook(recent.id);
    expect(await two.meta.getWebhook(recent.id)).toBeNull();
    expect(await two.meta.listDeliveries({ webhookId: recent.id, limit: 5 })).toEqual([]);
    await one.meta.deleteWebhook(old.id);
  });

  it('gives each delivery to one taker, when its time has come', async () => {
    const { one, two } = pair();
    const hook = sample(1);
    await one.meta.saveWebhook(hook, 0);
    const [due, later] = [delivery(hook.id, 100), delivery(hook.id, 900)];
    await one.meta.addDeliveries([due, later], null);
    await two.meta.addDeliveries([{ ...due, attempts: 7 }], null);
    const taken = await Promise.all([one, two].map(({ meta }) => meta.takeDeliveries(200, 500, 10)));
    expect(taken.flat()).toEqual([{ ...due, nextAt: 500 }]);
    expect(await one.meta.takeDeliveries(499, 600, 10)).toEqual([]);
    const tried: Delivery = { ...due, state: 'delivered', attempts: 1, nextAt: null, status: 204, endedAt: 300 };
    await one.meta.updateDelivery(tried);
    expect(await two.meta.getDelivery(due.id)).toEqual(tried);
    expect(await two.meta.listDeliveries({ webhookId: hook.id, state: 'delivered', limit: 5 })).toEqual([tried]);
    expect((await two.meta.takeDeliveries(1_000, 2_000, 10)).map(({ id }) => id)).toEqual([later.id]);
    await one.meta.forgetDeliveries(101);
    expect((await one.meta.listDeliveries({ webhookId: hook.id, limit: 5 })).map(({ id }) => id)).toEqual([later.id]);
    await one.meta.deleteWebhook(hook.id);
  });
}
