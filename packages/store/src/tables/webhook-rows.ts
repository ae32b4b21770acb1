import { Delivery, type WebhookLog, WebhookRecord } from '@cua-forge/spec/webhook';
import { build } from '../query-builder.ts';
import { parseBody, parseRow } from '../rows.ts';
import { all, first, modify, type Steps } from '../steps.ts';

type DeliveryFilter = Parameters<WebhookLog['listDeliveries']>[0];

export class WebhookRows {
  *save(record: WebhookRecord, since: number): Steps<void> {
    const body = JSON.stringify(parseRow(WebhookRecord, 'webhooks', record));
    const { id, createdAt } = record;
    yield* modify(
      build
        .insertInto('webhooks')
        .values({ id, since, first: since, created_at: createdAt, body })
        .onConflict((conflict) => conflict.column('id').doUpdateSet({ body, since, first: since })),
    );
  }

  *get(id: string): Steps<WebhookRecord | null> {
    const row = yield* first(build.selectFrom('webhooks').select('body').where('id', '=', id));
    return row === undefined ? null : toWebhook(row);
  }

  *list(limit: number): Steps<WebhookRecord[]> {
    const query = build.selectFrom('webhooks').select('body').orderBy('created_at', 'desc').orderBy('id', 'desc');
    return (yield* all(query.limit(limit))).map(toWebhook);
  }

  *remove(id: string): Steps<void> {
    yield* modify(build.deleteFrom('deliveries').where('webhook_id', '=', id));
    yield* modify(build.deleteFrom('webhooks').where('id', '=', id));
  }

  *cursors(): Steps<{ webhook: WebhookRecord; since: number; first: number }[]> {
    const rows = yield* all(build.selectFrom('webhooks').select(['body', 'since', 'first']));
    return rows.map((row) => ({ webhook: toWebhook(row), since: row.since, first: row.first }));
  }

  *addDeliveries(deliveries: readonly Delivery[], toldUpTo: number | null): Steps<void> {
    for (const delivery of deliveries)
      yield* modify(
        build
          .insertInto('deliveries')
          .values({ id: delivery.id, ...columnsOf(delivery) })
          .onConflict((conflict) => conflict.column('id').doNothing()),
      );
    if (toldUpTo !== null)
      yield* modify(build.updateTable('webhooks').set({ since: toldUpTo }).where('since', '<', toldUpTo));
  }

  *isDue(now: number): Steps<boolean> {
    const due = build.selectFrom('deliveries').select('id').where('next_at', '<=', now).limit(1);
    return (yield* first(due)) !== undefined;
  }

  *take(now: number, until: number, limit: number): Steps<Delivery[]> {
    const due = build.selectFrom('deliveries').select('body').where('next_at', '<=', now).orderBy('next_at');
    const taken: Delivery[] = [];
    for (const row of yield* all(due.limit(limit))) {
      const delivery = { ...toDelivery(row), nextAt: until };
      const changed = yield* modify(
        build
          .updateTable('deliveries')
          .set(columnsOf(delivery))
          .where('id', '=', delivery.id)
          .where('next_at', '<=', now),
      );
      if (changed > 0) taken.push(delivery);
    }
    return taken;
  }

  *update(delivery: Delivery): Steps<void> {
    yield* modify(build.updateTable('deliveries').set(columnsOf(delivery)).where('id', '=', delivery.id));
  }

  *getDelivery(id: string): Steps<Delivery | null> {
    const row = yield* first(build.selectFrom('deliveries').select('body').where('id', '=', id));
    return row === undefined ? null : toDelivery(row);
  }

  *listDeliveries({ webhookId, state, limit }: DeliveryFilter): Steps<Delivery[]> {
    let query = build.selectFrom('deliveries').select('body').where('webhook_id', '=', webhookId);
    if (state !== undefined) query = query.where('state', '=', state);
    return (yield* all(query.orderBy('created_at', 'desc').orderBy('id', 'desc').limit(limit))).map(toDelivery);
  }

  *forget(before: number): Steps<void> {
    yield* modify(build.deleteFrom('deliveries').where('next_at', 'is', null).where('created_at', '<', before));
  }
}

function columnsOf(delivery: Delivery) {
  const { webhookId, state, nextAt, createdAt } = delivery;
  const body = JSON.stringify(parseRow(Delivery, 'deliveries', delivery));
  return { webhook_id: webhookId, state, next_at: nextAt, created_at: createdAt, body };
}

const toWebhook = ({ body }: { body: string }): WebhookRecord => parseBody(WebhookRecord, 'webhooks', body);
const toDelivery = ({ body }: { body: string }): Delivery => parseBody(Delivery, 'deliveries', body);
