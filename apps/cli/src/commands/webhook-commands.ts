import type { ApiClient } from '@cua-forge/api-client/api-client';
import { type Delivery, DeliveryState, WebhookEvent, type WebhookList } from '@cua-forge/spec/webhook';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { exitCodes } from './exit-code.ts';
import { type Output, printResult, tableText } from './output.ts';

interface Parts {
  command(name: string, parent: Command): Command;
  running(work: (api: ApiClient) => Promise<number>): Promise<void>;
  positive(text: string): number;
  output: Output;
}

function collectEvent(text: string, before: WebhookEvent[]): WebhookEvent[] {
  const event = WebhookEvent.safeParse(text);
  if (!event.success) throw new InvalidArgumentError(`It must be one of ${WebhookEvent.options.join(', ')}.`);
  return [...before, event.data];
}

const listText = ({ webhooks }: WebhookList): string =>
  webhooks.length === 0
    ? 'There are no webhooks.'
    : tableText(
        ['webhook', 'title', 'address', 'events', 'state', 'last'],
        webhooks.map(({ webhook: { id, title, url, events, paused }, recent: [last] }) => [
          ...[id, title, url, events.join(', '), paused ? 'paused' : 'active'],
          last === undefined ? '' : outcomeText(last),
        ]),
      );

function outcomeText({ state, status, failure, attempts, nextAt }: Delivery): string {
  if (state === 'delivered') return `delivered (${status})`;
  const why = failure?.message ?? 'not tried yet';
  return nextAt === null ? `failed after ${attempts}: ${why}` : `waiting (${attempts} tried): ${why}`;
}

const deliveriesText = (deliveries: readonly Delivery[]): string =>
  deliveries.length === 0
    ? 'Nothing was sent yet.'
    : tableText(
        ['delivery', 'event', 'about', 'when (UTC)', 'outcome'],
        deliveries.map((delivery) => [
          ...[delivery.id, delivery.event, delivery.subject],
          new Date(delivery.createdAt).toISOString().slice(0, 19).replace('T', ' '),
          outcomeText(delivery),
        ]),
      );

interface AddOptions {
  title?: string;
  event: WebhookEvent[];
  document?: string;
  secret?: string;
}

/** `webhooks …`: addresses that are told when runs and batches end. */
export function addWebhookCommands(program: Command, { command, running, positive, output }: Parts): void {
  const webhooks = program.command('webhooks').description('addresses that are told when runs and batches end');
  const act = <T>(work: (api: ApiClient) => Promise<T>, text: (value: T) => string) =>
    running(async (api) => {
      printResult(output, await work(api), text);
      return exitCodes.done;
    });
  command('list', webhooks)
    .description('all webhooks, and how the last delivery of each went')
    .action(() => act((api) => api.webhooks({}), listText));
  command('add', webhooks)
    .description('have an address told; the worker must be allowed to reach its host')
    .argument('<url>')
    .option('--title <text>', 'what it is for')
    .option('--event <event>', `${WebhookEvent.options.join(', ')}; all without it`, collectEvent, [])
    .option('--document <id>', 'of one document alone')
    .option('--secret <name>', 'name of the secret that deliveries are signed with')
    .action((url: string, { title = url, event: events, document, secret }: AddOptions) =>
      act(
        (api) =>
          api.createWebhook({
            ...{ title, url, documentId: document ?? null, secret: secret ?? null },
            ...(events.length === 0 ? {} : { events }),
          }),
        ({ id }) => `Webhook ${id} is told from now on. forge webhooks test ${id} sends a ping.`,
      ),
    );
  for (const [name, paused, description] of [
    ['pause', true, 'tell it nothing; what happens meanwhile is never told'],
    ['resume', false, 'tell it what happens from now on'],
  ] as const)
    command(name, webhooks)
      .description(description)
      .argument('<webhook>')
      .action((id: string) =>
        act(
          (api) => api.changeWebhook(id, { paused }),
          () => `Webhook ${id}: ${name}d.`,
        ),
      );
  command('test', webhooks)
    .description('send a ping')
    .argument('<webhook>')
    .action((id: string) =>
      act(
        (api) => api.testWebhook(id),
        (delivery) => `Ping ${delivery.id} is on its way. forge webhooks deliveries ${id} tells how it went.`,
      ),
    );
  command('deliveries', webhooks)
    .description('what was sent, and how it went')
    .argument('<webhook>')
    .addOption(new Option('--state <state>').choices(DeliveryState.options))
    .option('--limit <n>', 'how many', positive, 20)
    .action((id: string, { state, limit }: { state?: DeliveryState; limit: number }) => {
      const filter = state === undefined ? { limit } : { state, limit };
      return act(async (api) => (await api.deliveries(id, filter)).deliveries, deliveriesText);
    });
  command('redeliver', webhooks)
    .description('send the same once more')
    .argument('<webhook>')
    .argument('<delivery>')
    .action((id: string, delivery: string) =>
      act(
        (api) => api.redeliver(id, delivery),
        (made) => `Delivery ${made.id} is on its way.`,
      ),
    );
  command('delete', webhooks)
    .description('end a webhook and forget its deliveries')
    .argument('<webhook>')
    .action((id: string) =>
      act(
        (api) => api.deleteWebhook(id),
        () => `Webhook ${id} has ended.`,
      ),
    );
}
