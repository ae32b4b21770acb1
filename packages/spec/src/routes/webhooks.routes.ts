import { z } from 'zod';
import { Done } from '../api/done.ts';
import type { ApiRoute } from '../api-route.ts';
import {
  ChangeWebhook,
  CreateWebhook,
  Delivery,
  DeliveryList,
  DeliveryState,
  WebhookList,
  WebhookRecord,
} from '../webhook.ts';
import { limit } from './params.ts';

/** Messages to others when something ended. */
export const webhooksRoutes = {
  createWebhook: {
    method: 'POST',
    path: '/webhooks',
    summary: 'Has an address told when runs and batches end, signed where a secret is named.',
    role: 'operator',
    body: CreateWebhook,
    answers: WebhookRecord,
    status: 201,
    audit: { action: 'webhook.create', keep: ['title', 'events', 'documentId'] },
  },
  webhooks: {
    method: 'GET',
    path: '/webhooks',
    summary: 'Webhooks, newest first, with what was sent to each last.',
    role: 'operator',
    query: z.strictObject({ limit: z.coerce.number<number>().int().min(1).max(200).default(100) }),
    answers: WebhookList,
  },
  changeWebhook: {
    method: 'PUT',
    path: '/webhooks/:id',
    summary:
      'Changes, pauses or resumes a webhook; what is left out stays. What happens while it is paused is never told.',
    role: 'operator',
    body: ChangeWebhook,
    answers: WebhookRecord,
    repeatable: true,
    audit: { action: 'webhook.change', keep: ['paused', 'events'] },
  },
  deleteWebhook: {
    method: 'DELETE',
    path: '/webhooks/:id',
    summary: 'Ends a webhook and forgets its deliveries.',
    role: 'operator',
    answers: Done,
    audit: { action: 'webhook.delete' },
  },
  testWebhook: {
    method: 'POST',
    path: '/webhooks/:id/test',
    summary: 'Sends a ping; the delivery tells how it went.',
    role: 'operator',
    answers: Delivery,
    status: 201,
    audit: { action: 'webhook.test' },
  },
  deliveries: {
    method: 'GET',
    path: '/webhooks/:id/deliveries',
    summary: 'What was sent to a webhook, newest first, and how it went.',
    role: 'operator',
    query: z.strictObject({ state: DeliveryState.optional(), limit: limit.default(100) }),
    answers: DeliveryList,
  },
  redeliver: {
    method: 'POST',
    path: '/webhooks/:id/deliveries/:delivery/redeliver',
    summary: 'Sends the same once more, as a delivery of its own.',
    role: 'operator',
    answers: Delivery,
    status: 201,
    audit: { action: 'webhook.redeliver' },
  },
} as const satisfies Record<string, ApiRoute>;
