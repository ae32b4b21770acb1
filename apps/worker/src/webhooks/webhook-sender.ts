import type { HttpPort } from '@cua-forge/spec/http-port';
import type { SecretsPort } from '@cua-forge/spec/secrets-port';
import type { MetaStore, RunEvent } from '@cua-forge/spec/store-port';
import type { Delivery } from '@cua-forge/spec/webhook';
import pLimit from 'p-limit';
import type { Logger } from 'pino';
import { deliveriesOf } from './events-to-deliveries.ts';
import { tryDelivery } from './send-delivery.ts';

/** Milliseconds between two looks: one small query, as long as there is no webhook. */
const paceMs = 1_000;
const eventsAtOnce = 500;
const sendsAtOnce = 8;
/** Milliseconds that a delivery is another's after it was taken: longer than a try takes. */
const takenMs = 60_000;
/** Transactions may become visible in another order than their events' ids: these many ids are read again. */
const overlap = 200;
/** Milliseconds that an event may take to become visible. */
const lateMs = 600_000;
const keptMs = 30 * 86_400_000;

interface SenderParts {
  meta: MetaStore;
  http: HttpPort;
  secrets: SecretsPort;
  log: Logger;
  now?(): number;
}

/**
 * Tells webhooks what ended. What is to be sent lies in the store before it is sent, so that a restart loses nothing; any number of workers may do this beside
 * one another, and each delivery is tried by one at a time.
 */
export class WebhookSender {
  readonly #parts: SenderParts;
  readonly #stopping = new AbortController();
  #timer: NodeJS.Timeout | null = null;
  #looking: Promise<void> = Promise.resolve();
  #forgotAt = 0;

  constructor(parts: SenderParts) {
    this.#parts = parts;
  }

  #now(): number {
    return this.#parts.now?.() ?? Date.now();
  }

  start(): void {
    this.#soon(0);
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    if (this.#timer !== null) clearTimeout(this.#timer);
    await this.#looking;
  }

  #soon(milliseconds: number): void {
    if (this.#timer !== null || this.#stopping.signal.aborted) return;
    this.#timer = setTimeout(() => {
      this.#looking = this.#look().finally(() => {
        this.#timer = null;
        this.#soon(paceMs);
      });
    }, milliseconds);
    this.#timer.unref();
  }

  async #look(): Promise<void> {
    try {
      if (await this.#collect()) await this.#send();
    } catch (error) {
      if (!this.#stopping.signal.aborted)
        this.#parts.log.warn(
          { error: error instanceof Error ? error.message : String(error) },
          'webhooks have to wait',
        );
    }
  }

  /** Writes down what is to be sent for the events that webhooks were not told of yet. Answers whether there are webhooks. */
  async #collect(): Promise<boolean> {
    const { meta } = this.#parts;
    const webhooks = await meta.webhookCursors();
    if (webhooks.length === 0) return false;
    const last = await meta.lastEventId();
    const told = Math.min(...webhooks.map(({ since }) => since));
    if (told >= last) return true;
    // What is read again has its delivery by its id already, unless it became visible late.
    const asking = webhooks.map(({ webhook, since, first }) => ({ webhook, since: Math.max(first, since - overlap) }));
    const recent = this.#now() - lateMs;
    const isNew = ({ id, at }: RunEvent): boolean => id > told || at > recent;
    for (let after = Math.max(0, told - overlap); ; ) {
      const events: RunEvent[] = await meta.listEvents({ after, types: ['run', 'batch'], limit: eventsAtOnce });
      const deliveries = await deliveriesOf(meta, events.filter(isNew), asking, this.#now());
      const end = events.at(-1)?.id;
      const done = events.length < eventsAtOnce;
      await meta.addDeliveries(deliveries, done ? last : (end ?? last));
      if (done || end === undefined) return true;
      after = end;
    }
  }

  async #send(): Promise<void> {
    const { meta, log } = this.#parts;
    const few = pLimit(sendsAtOnce);
    for (;;) {
      const now = this.#now();
      const due = await meta.takeDeliveries(now, now + takenMs, 50);
      if (due.length === 0) break;
      await Promise.all(due.map((delivery) => few(() => this.#try(delivery))));
      log.debug({ deliveries: due.length }, 'webhooks were told');
    }
    if (this.#now() - this.#forgotAt < keptMs / 30) return;
    this.#forgotAt = this.#now();
    await meta.forgetDeliveries(this.#now() - keptMs);
  }

  async #try(delivery: Delivery): Promise<void> {
    const { meta, http, secrets } = this.#parts;
    const webhook = await meta.getWebhook(delivery.webhookId);
    if (webhook === null) return;
    const parts = { http, secrets, now: () => this.#now() };
    await meta.updateDelivery(await tryDelivery(parts, webhook, delivery, this.#stopping.signal));
  }
}
