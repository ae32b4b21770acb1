import { fileURLToPath } from 'node:url';
import { EvaluationView } from '@cua-forge/spec/evaluation-view';
import { PublishResult } from '@cua-forge/spec/publication';
import { ScheduleView } from '@cua-forge/spec/schedule';
import { BatchRecord } from '@cua-forge/spec/store-port';
import { Delivery, WebhookRecord } from '@cua-forge/spec/webhook';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer, twoEchoes } from '../../server/src/testing/test-server.ts';
import { silentReporter } from './bootstrap/progress.ts';
import { runCli } from './program.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
let server: TestServer;
const save = (title: string, expectedRevision: number | null) =>
  server.call('PUT', '/api/documents/two-echoes', { document: { ...twoEchoes, title }, expectedRevision });
beforeEach(async () => {
  server = await startTestServer();
  await save('First', null);
  await save('Second', 1);
});
afterEach(() => server.stop());

async function cli(...argv: string[]) {
  let out = '';
  let err = '';
  const note = (text: string) => {
    err += `${text}\n`;
  };
  const code = await runCli(argv, {
    root,
    env: { FORGE_URL: server.url },
    write: (text) => {
      out += text;
    },
    reporter: { ...silentReporter, line: note, update: note },
    signal: new AbortController().signal,
  });
  return { code, out, err, json: (): unknown => JSON.parse(out) };
}

describe('forge publish', () => {
  it('says what runs from now on, and versions lists which revision that is', async () => {
    const made = await cli('publish', 'two-echoes', '--revision', '1', '--note', 'tried out', '--json');
    expect(made.code).toBe(0);
    expect(PublishResult.parse(made.json()).publication).toMatchObject({ revision: 1, note: 'tried out' });
    const { out } = await cli('versions', 'two-echoes');
    expect(out).toMatch(/^1 .* published +local: tried out$/m);
    expect(out).toContain('The newest revision (2) has 1 changes to the published one (1).');
    expect((await cli('publish', 'two-echoes', '--revision', '9')).code).not.toBe(0);
  });

  it('is what a batch runs, unless another revision is named', async () => {
    await cli('publish', 'two-echoes', '--revision', '1');
    const start = async (...more: string[]) =>
      BatchRecord.parse(
        (await cli('batch', 'two-echoes', '--no-wait', '--input', 'word=x', '--json', ...more)).json(),
      ).parts.map(({ revision }) => revision);
    expect(await start()).toEqual([1]);
    expect(await start('--revision', 'latest')).toEqual([2]);
    expect(await start('--revision', '2')).toEqual([2]);
    expect((await cli('batch', 'two-echoes', '--no-wait', '--revision', 'newest')).code).toBe(2);
  });
});

it('forge evaluate compares revisions and models on the same seeds', async () => {
  await cli('publish', 'two-echoes', '--revision', '1');
  const options = ['--count', '3', '--against', 'latest', '--input', 'word=x', '--no-wait', '--json'];
  const started = await cli('evaluate', 'two-echoes', ...options);
  expect(started.code).toBe(0);
  const { evaluation } = EvaluationView.parse(started.json());
  expect(evaluation).toMatchObject({ count: 3, variants: [{ revision: 1 }, { revision: 2 }] });
  const { out } = await cli('evaluations', 'show', evaluation.id);
  expect(out).toContain('revision 1');
  expect(out).toContain('0 of 3 seeds came out differently.');
  expect((await cli('evaluations', 'list')).out).toContain('0 of 6');
  expect((await cli('evaluations', 'cancel', evaluation.id)).code).toBe(0);
});

it('forge schedules change changes what is named alone', async () => {
  const inputs = ['--inputs', '{"word": "x"}'];
  const made = await cli('schedules', 'add', 'two-echoes', '--every', '60', ...inputs, '--json');
  const { schedule } = ScheduleView.parse(made.json());
  const changed = await cli('schedules', 'change', schedule.id, '--count', '5', '--prove', '--json');
  const now = ScheduleView.parse(changed.json()).schedule;
  expect(now).toMatchObject({ prove: true, timing: { everySeconds: 60 }, part: { count: 5 } });
  expect((await cli('schedules', 'change', schedule.id, '--zone', 'Europe/Berlin')).code).toBe(2);
});

it('forge webhooks makes, tries, lists and ends them', async () => {
  const url = 'https://tracker.example/told';
  const made = await cli('webhooks', 'add', url, '--event', 'batch.ended', '--secret', 'TRACKER', '--json');
  const webhook = WebhookRecord.parse(made.json());
  expect(webhook).toMatchObject({ url, events: ['batch.ended'], secret: 'TRACKER', documentId: null });
  expect((await cli('webhooks', 'add', url, '--event', 'batch.began')).code).toBe(2);
  const ping = Delivery.parse((await cli('webhooks', 'test', webhook.id, '--json')).json());
  expect(ping).toMatchObject({ event: 'ping', state: 'waiting' });
  const again = Delivery.parse((await cli('webhooks', 'redeliver', webhook.id, ping.id, '--json')).json());
  expect(again.body).toMatchObject({ redeliveryOf: ping.id, id: again.id });
  expect((await cli('webhooks', 'deliveries', webhook.id)).out).toContain('waiting (0 tried)');
  const listed = await cli('webhooks', 'deliveries', webhook.id, '--state', 'waiting', '--json');
  expect(listed.json()).toMatchObject([{ id: again.id }, { id: ping.id }]);
  await cli('webhooks', 'pause', webhook.id);
  expect((await cli('webhooks', 'list')).out).toMatch(/paused/);
  expect((await cli('webhooks', 'delete', webhook.id)).code).toBe(0);
  expect((await cli('webhooks', 'list')).out).toContain('There are no webhooks.');
});
