import { z } from 'zod';
import { Failure } from './errors.ts';
import { Json } from './json.ts';
import { SecretName } from './secrets-port.ts';

/** What is told. `ping` is sent when somebody tries a webhook. */
export const WebhookEvent = z.enum(['run.accepted', 'run.rejected', 'run.failed', 'batch.ended']);
export type WebhookEvent = z.infer<typeof WebhookEvent>;
export const DeliveredEvent = z.enum([...WebhookEvent.options, 'ping']);
export type DeliveredEvent = z.infer<typeof DeliveredEvent>;

const settings = {
  title: z.string().trim().min(1).max(200),
  /** Where to; the worker's FORGE_HTTP_ALLOW has to have the host. */
  url: z.url({ protocol: /^https?$/, error: 'an http or https address' }).max(2_000),
  events: z
    .array(WebhookEvent)
    .min(1)
    .default([...WebhookEvent.options]),
  /** Of one document alone; null for all. */
  documentId: z.string().min(1).nullable().default(null),
  /** Name of the secret that deliveries are signed with; null for none. */
  secret: SecretName.nullable().default(null),
};

/** An address that is told when runs and batches end. */
export const WebhookRecord = z.strictObject({
  id: z.string(),
  ...settings,
  /** Nothing is told while it is paused, nor afterwards what happened meanwhile. */
  paused: z.boolean(),
  by: z.string(),
  createdAt: z.number().int(),
});
export type WebhookRecord = z.infer<typeof WebhookRecord>;

/** POST /api/webhooks */
export const CreateWebhook = z.strictObject(settings);
export type CreateWebhook = z.infer<typeof CreateWebhook>;

/** PUT /api/webhooks/:id: what is left out stays. */
export const ChangeWebhook = z
  .strictObject({
    title: settings.title,
    url: settings.url,
    events: z.array(WebhookEvent).min(1),
    documentId: z.string().min(1).nullable(),
    secret: SecretName.nullable(),
    paused: z.boolean(),
  })
  .partial();
export type ChangeWebhook = z.infer<typeof ChangeWebhook>;

/** Milliseconds to wait after the first, second, … try that failed. After the last one a delivery has failed. */
export const retryAfterMs: readonly number[] = [
  ...[5, 30, 120, 600].map((seconds) => seconds * 1_000),
  ...[1, 3, 6, 12].map((hours) => hours * 3_600_000),
];

export const DeliveryState = z.enum(['waiting', 'delivered', 'failed']);
export type DeliveryState = z.infer<typeof DeliveryState>;

/** One message to a webhook, and how its newest try went. */
export const Delivery = z.strictObject({
  id: z.string(),
  webhookId: z.string(),
  event: DeliveredEvent,
  /** The run or batch that it is about; empty for a ping. */
  subject: z.string(),
  /** What is sent. */
  body: z.record(z.string(), Json),
  state: DeliveryState,
  attempts: z.number().int().nonnegative(),
  /** When it is tried next; null when it is not. */
  nextAt: z.number().int().nullable(),
  /** Of the newest answer; null when there was none. */
  status: z.number().int().nullable(),
  failure: Failure.nullable(),
  createdAt: z.number().int(),
  endedAt: z.number().int().nullable(),
});
export type Delivery = z.infer<typeof Delivery>;

/** The part of the store that keeps webhooks and what is sent to them. */
export interface WebhookLog {
  /** In place of one of the same id. A new one is told what happens after the event `since`. */
  saveWebhook(record: WebhookRecord, since: number): Promise<void>;
  getWebhook(id: string): Promise<WebhookRecord | null>;
  /** Newest first. */
  listWebhooks(limit: number): Promise<WebhookRecord[]>;
  /** With its deliveries. */
  deleteWebhook(id: string): Promise<void>;
  /** The last event that each was told of, and the one it began after. */
  webhookCursors(): Promise<{ webhook: WebhookRecord; since: number; first: number }[]>;
  /** Adds what is to be sent, each `id` once, and says that the webhooks were told of the events up to this one. */
  addDeliveries(deliveries: Delivery[], toldUpTo: number | null): Promise<void>;
  /** Takes deliveries whose time has come, so that nobody else tries them until `until`. */
  takeDeliveries(now: number, until: number, limit: number): Promise<Delivery[]>;
  /** Records how a try ended. */
  updateDelivery(delivery: Delivery): Promise<void>;
  getDelivery(id: string): Promise<Delivery | null>;
  /** Newest first. */
  listDeliveries(filter: { webhookId: string; state?: DeliveryState; limit: number }): Promise<Delivery[]>;
  /** Forgets deliveries that ended before this time. */
  forgetDeliveries(before: number): Promise<void>;
}

export const WebhookList = z.strictObject({
  webhooks: z.array(
    z.strictObject({
      webhook: WebhookRecord,
      /** The newest ones, newest first. */
      recent: z.array(Delivery),
    }),
  ),
});
export type WebhookList = z.infer<typeof WebhookList>;
export const DeliveryList = z.strictObject({ deliveries: z.array(Delivery) });
