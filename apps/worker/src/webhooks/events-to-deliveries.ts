import type { JsonObject } from '@cua-forge/spec/json';
import { fateOf } from '@cua-forge/spec/run-fate';
import { BatchState, type MetaStore, type RunEvent, RunState } from '@cua-forge/spec/store-port';
import type { Delivery, WebhookEvent, WebhookRecord } from '@cua-forge/spec/webhook';
import { sha256 } from '@cua-forge/store/hash';
import { z } from 'zod';

const RunChange = z.object({ state: RunState, epoch: z.number().int().optional() });
const BatchChange = z.object({ state: BatchState });
const endedRuns: ReadonlySet<string> = new Set(['succeeded', 'failed', 'cancelled', 'terminated']);
const endedBatches = endedRuns;

interface Message {
  event: WebhookEvent;
  subject: string;
  /** Documents that it is about. */
  documents: string[];
  /** One end of a run or batch is told once, however often it is announced. */
  once: string;
  body: JsonObject;
}

const eventOf = { accepted: 'run.accepted', rejected: 'run.rejected', failed: 'run.failed' } as const;

async function runMessage(meta: MetaStore, { runId, data }: RunEvent): Promise<Message | null> {
  const change = RunChange.safeParse(data);
  if (!change.success || !endedRuns.has(change.data.state)) return null;
  const run = await meta.getRun(runId);
  if (run === null) return null;
  const { documentId, title, skill, seed, batchId, state, epoch } = run;
  const failureCode = run.failure?.code ?? null;
  const fate = fateOf(state, failureCode);
  if (fate !== 'accepted' && fate !== 'rejected' && fate !== 'failed') return null;
  const packages = fate === 'accepted' ? await meta.listPackages({ runId, limit: 20 }) : [];
  return {
    event: eventOf[fate],
    subject: runId,
    documents: [documentId],
    once: `${runId} ${change.data.epoch ?? epoch}`,
    body: {
      run: {
        ...{ id: runId, documentId, title, skill, seed, batchId, state, failureCode },
        packages: packages.map(({ id }) => id),
      },
    },
  };
}

async function batchMessage(meta: MetaStore, { id, runId, data }: RunEvent): Promise<Message | null> {
  const change = BatchChange.safeParse(data);
  if (!change.success || !endedBatches.has(change.data.state)) return null;
  const batch = await meta.getBatch(runId);
  if (batch === null) return null;
  const counts = { accepted: 0, rejected: 0, failed: 0, cancelled: 0 };
  for (const { state, failureCode, count } of await meta.countRuns({ batchId: runId })) {
    const fate = fateOf(state, failureCode);
    if (fate !== 'running' && fate !== 'waiting') counts[fate] += count;
  }
  const { title, count, evaluationId = null } = batch;
  const documents = [...new Set(batch.parts.map(({ documentId }) => documentId))];
  return {
    event: 'batch.ended',
    subject: runId,
    documents,
    once: `${runId} ${id}`,
    body: { batch: { id: runId, title, documents, state: change.data.state, count, ...counts, evaluationId } },
  };
}

const wants = ({ paused, events, documentId }: WebhookRecord, { event, documents }: Message): boolean =>
  !paused && events.includes(event) && (documentId === null || documents.includes(documentId));

/** What each webhook that was told of the events up to `since` has to be told of these. The same event gives the same ids, whoever looks at it. */
export async function deliveriesOf(
  meta: MetaStore,
  events: readonly RunEvent[],
  webhooks: readonly { webhook: WebhookRecord; since: number }[],
  now: number,
): Promise<Delivery[]> {
  const deliveries: Delivery[] = [];
  for (const event of events) {
    const asking = webhooks.filter(({ since }) => since < event.id);
    if (asking.length === 0) continue;
    const message = event.type === 'batch' ? await batchMessage(meta, event) : await runMessage(meta, event);
    if (message === null) continue;
    for (const { webhook } of asking.filter((each) => wants(each.webhook, message))) {
      const id = `d${sha256(`${webhook.id} ${message.event} ${message.once}`).slice(0, 20)}`;
      deliveries.push({
        ...{ id, webhookId: webhook.id, event: message.event, subject: message.subject, state: 'waiting' },
        body: { id, event: message.event, at: new Date(event.at).toISOString(), ...message.body },
        ...{ attempts: 0, nextAt: now, status: null, failure: null, createdAt: now, endedAt: null },
      });
    }
  }
  return deliveries;
}
