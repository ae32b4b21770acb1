import { GraphDocument } from '@cua-forge/spec/document';
import type { ModelCall, RunRecord } from '@cua-forge/spec/store-port';
import { type Behaviour, fakeChatServer, hangs, resets, status, streams } from '@cua-forge/testing/fake-chat-server';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { runIn } from '../support/run-watch.ts';
import { type RunningServices, startServices } from '../support/services.ts';
import { modelAt } from '../support/slow-model.ts';
import { documentOf } from '../support/test-kinds.ts';

const schema = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'], additionalProperties: false };

describe('a model that misbehaves', () => {
  let script: Behaviour[] = [];
  let served = 0;
  let seed = 0;
  let model: Awaited<ReturnType<typeof fakeChatServer>>;
  let services: RunningServices;
  beforeAll(async () => {
    model = await fakeChatServer([
      (response, request) => {
        const behave = script[Math.min(served, script.length - 1)];
        served += 1;
        behave?.(response, request);
      },
    ]);
    services = await startServices({
      env: modelAt(model.baseUrl, { FORGE_MODEL_TIMEOUT_MS: '1500', FORGE_MODEL_RETRIES: '3' }),
    });
  });
  afterAll(async () => {
    await services.stop();
    await model.close();
  });
  beforeEach(() => {
    served = 0;
    seed += 1;
    model.seen.length = 0;
  });

  /** Runs one node that asks the model, which answers by the script; each with a seed of its own, so that no memo answers. */
  async function ask(
    behaviours: Behaviour[],
    params: object = {},
    text = '',
  ): Promise<{ run: RunRecord; calls: ModelCall[] }> {
    script = behaviours;
    const document = documentOf(
      [{ id: 'draft', kind: 'llm.generate', params: { prompt: 'Name a river.', ...params } }],
      text === '' ? [] : [['$inputs.text', 'draft.text']],
      text === '' ? {} : { inputs: { text: { type: 'text' } } },
    );
    const inputs = text === '' ? {} : { text };
    const { id } = await services.api.startRun({
      document: GraphDocument.parse(document),
      inputs,
      seed,
      mode: 'batch',
    });
    const run = await runIn(services.api, id);
    const { calls } = await services.api.node(id, { key: 'draft' });
    return { run, calls };
  }
  const summary = (calls: ModelCall[]) => calls.map(({ status: state, error }) => error?.split(':')[0] ?? state);

  it('times out and then answers: the node succeeds, both calls are on record', async () => {
    const { run, calls } = await ask([hangs, streams('The Aare.')]);
    expect(run).toMatchObject({ state: 'succeeded' });
    expect(model.seen).toHaveLength(2);
    expect(summary(calls)).toEqual(['model.timeout', 'ok']);
    expect(calls[0]?.milliseconds).toBeGreaterThanOrEqual(1_490);
    expect(calls[1]?.usage).toEqual({ input: 7, cached: 0, output: 3 });
    const { usage } = await services.api.run(run.id);
    expect(usage).toMatchObject({ calls: 2, usage: { input: 7, output: 3 } });
  });

  it('asks for patience: the next call comes no sooner than Retry-After says', async () => {
    const { run, calls } = await ask([status(429, {}, { 'retry-after': '2' }), streams('The Rhine.')]);
    expect(run).toMatchObject({ state: 'succeeded' });
    expect(summary(calls)).toEqual(['model.rate-limited', 'ok']);
    const [first, second] = model.seen;
    expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThanOrEqual(1_990);
  });

  it('ends in mid-stream: half an answer is none', async () => {
    const { run, calls } = await ask([resets, streams('half an', { breakOff: true }), streams('The Reuss.')]);
    expect(run).toMatchObject({ state: 'succeeded' });
    expect(summary(calls)).toEqual(['model.unavailable', 'model.unavailable', 'ok']);
    const { outcomes } = await services.api.node(run.id, { key: 'draft' });
    expect(outcomes).toHaveLength(1);
    expect(await services.api.value(outcomes[0]?.outputs.text?.hash ?? '')).toBe('The Reuss.');
  });

  it('answers rubbish twice: it is told once what was wrong, then the node fails by name', async () => {
    const { run, calls } = await ask([streams('certainly! n is four'), streams('{"n": "four"}')], { schema });
    expect(run).toMatchObject({
      state: 'failed',
      failure: { code: 'model.bad-output', place: { node: 'draft' }, fix: expect.any(String) },
    });
    expect(model.seen).toHaveLength(2);
    expect(JSON.stringify(model.seen[1]?.body)).toContain('It is not JSON');
    expect(summary(calls)).toEqual(['ok', 'ok']);
    const { outcomes } = await services.api.node(run.id, { key: 'draft' });
    expect(outcomes).toMatchObject([{ status: 'failed', failure: { code: 'model.bad-output' } }]);
  });

  it('gets a prompt of 4 MB: it is refused before anything is sent', async () => {
    const params = { prompt: 'Sum up: {{ text }}', inputs: { text: 'text' } };
    const { run, calls } = await ask([streams('never')], params, 'and so on '.repeat(419_430));
    expect(run).toMatchObject({
      state: 'failed',
      failure: {
        code: 'model.prompt-too-large',
        message: expect.stringMatching(/41943\d\d bytes/),
        place: { node: 'draft' },
        fix: expect.stringContaining('FORGE_MODEL_MAX_PROMPT_BYTES'),
      },
    });
    expect(model.seen).toEqual([]);
    expect(calls.map(({ usage }) => usage)).toEqual([{ input: 0, cached: 0, output: 0 }]);
  });
});
