import { ForgeError } from '@cua-forge/spec/errors';
import type { JsonObject } from '@cua-forge/spec/json';
import { listedAt } from '@cua-forge/spec/listed-at';
import type { DeliveredEvent, Delivery, WebhookRecord } from '@cua-forge/spec/webhook';
import { given } from '../http/given.ts';
import type { HandlersOf } from '../http/handlers.ts';
import { newId } from '../runs/start-run.ts';
import type { Services } from '../services.ts';

/** Deliveries that are shown beside a webhook. */
const shown = 5;

type Names =
  | 'createWebhook'
  | 'webhooks'
  | 'changeWebhook'
  | 'deleteWebhook'
  | 'testWebhook'
  | 'deliveries'
  | 'redeliver';

export function webhookRoutes({ store: { meta }, now }: Services): HandlersOf<Names> {
  async function find(id: string): Promise<WebhookRecord> {
    const webhook = await meta.getWebhook(id);
    if (webhook !== null) return webhook;
    throw new ForgeError('not-found', `There is no webhook "${id}".`, { fix: listedAt('webhooks') });
  }
  /** A delivery of now, which a worker sends. */
  async function send(webhookId: string, event: DeliveredEvent, subject: string, body: JsonObject): Promise<Delivery> {
    const id = newId('d', undefined);
    const delivery: Delivery = {
      ...{ id, webhookId, event, subject, body: { ...body, id }, state: 'waiting', attempts: 0 },
      ...{ nextAt: now(), status: null, failure: null, createdAt: now(), endedAt: null },
    };
    await meta.addDeliveries([delivery], null);
    return delivery;
  }
  async function refuseUnknown(documentId: string | null | undefined): Promise<void> {
    if (documentId == null || (await meta.getDocument(documentId)) !== null) return;
    throw new ForgeError('not-found', `There is no document "${documentId}".`, {
      fix: listedAt('documents'),
    });
  }
  return {
    createWebhook: async ({ body, user }) => {
      await refuseUnknown(body.documentId);
      const webhook = { ...body, id: newId('w', undefined), paused: false, by: user?.name ?? '', createdAt: now() };
      await meta.saveWebhook(webhook, await meta.lastEventId());
      return webhook;
    },
    webhooks: async ({ query }) => {
      const webhooks = await meta.listWebhooks(query.limit);
      const recent = webhooks.map(({ id }) => meta.listDeliveries({ webhookId: id, limit: shown }));
      const deliveries = await Promise.all(recent);
      return { webhooks: webhooks.map((webhook, index) => ({ webhook, recent: deliveries[index] ?? [] })) };
    },
    changeWebhook: async ({ params: { id }, body }) => {
      const webhook = await find(id);
      await refuseUnknown(body.documentId);
      const changed = { ...webhook, ...given(body) };
      const cursor = (await meta.webhookCursors()).find((each) => each.webhook.id === id);
      // Taken up again, it is told of what happens from now on.
      const since = webhook.paused && !changed.paused ? undefined : cursor?.since;
      await meta.saveWebhook(changed, since ?? (await meta.lastEventId()));
      return changed;
    },
    deleteWebhook: async ({ params: { id } }) => {
      await find(id);
      await meta.deleteWebhook(id);
      return { ok: true };
    },
    testWebhook: async ({ params: { id } }) => {
      await find(id);
      return send(id, 'ping', '', { event: 'ping', at: new Date(now()).toISOString() });
    },
    deliveries: async ({ params: { id }, query: { state, limit } }) => {
      await find(id);
      return { deliveries: await meta.listDeliveries({ webhookId: id, limit, ...given({ state }) }) };
    },
    redeliver: async ({ params }) => {
      const delivery = await meta.getDelivery(params.delivery);
      if (delivery === null || delivery.webhookId !== params.id)
        throw new ForgeError('not-found', `There is no delivery "${params.delivery}" of webhook "${params.id}".`, {
          fix: listedAt(`webhooks/${params.id}/deliveries`),
        });
      const { event, subject, body } = delivery;
      return send(params.id, event, subject, { ...body, redeliveryOf: delivery.id });
    },
  };
}
