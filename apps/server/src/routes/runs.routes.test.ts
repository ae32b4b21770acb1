import { ApiError } from '@cua-forge/spec/api/api-error';
import { RetryResult, RunList, RunView } from '@cua-forge/spec/api/runs';
import { RunRecord } from '@cua-forge/spec/store-port';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer, twoEchoes } from '../testing/test-server.ts';

let server: TestServer;
beforeEach(async () => {
  server = await startTestServer();
});
afterEach(() => server.stop());

const start = async (body: object): Promise<RunRecord> => {
  const answer = await server.call('POST', '/api/runs', { document: twoEchoes, inputs: { word: 'hey' }, ...body });
  expect(answer.status).toBe(201);
  return RunRecord.parse(answer.body);
};
const refusal = async (body: object) => {
  const answer = await server.call('POST', '/api/runs', body);
  return { status: answer.status, ...ApiError.parse(answer.body) };
};

describe('POST /api/runs', () => {
  it('freezes plan, params, document and inputs before the workflow starts', async () => {
    const run = await start({ seed: 7 });
    expect(server.engine.started).toEqual([{ runId: run.id, epoch: 1, retry: [] }]);
    expect(run).toMatchObject({ seed: 7, state: 'queued', skill: 'echoing', workflowId: `run/${run.id}` });
    const { artifacts } = server.store;
    expect(await artifacts.has(run.planHash)).toBe(true);
    expect(await artifacts.has(run.documentHash)).toBe(true);
    const word = run.inputs.word;
    expect(word?.preview).toBe('hey');
    expect(new TextDecoder().decode(await artifacts.get(word?.hash ?? ''))).toBe('"hey"');

    const view = RunView.parse((await server.call('GET', `/api/runs/${run.id}`)).body);
    expect(view.document).toEqual(twoEchoes);
    const node = await server.call('GET', `/api/runs/${run.id}/node?key=second`);
    expect(node.body).toMatchObject({ params: { suffix: '?' }, outcomes: [], view: null });
  });

  it('starts one run for one idempotency key, and refuses the key for another run', async () => {
    const first = await start({ idempotencyKey: 'k' });
    const again = await start({ idempotencyKey: 'k' });
    expect(again.id).toBe(first.id);
    const other = await refusal({ document: twoEchoes, inputs: { word: 'other' }, idempotencyKey: 'k' });
    expect(other).toMatchObject({ status: 409, error: { code: 'request.conflict' } });
  });

  it.each([
    [{}, 'needs a value for its input "word"'],
    [{ word: 5 }, 'Input "word" must be of type text'],
    [{ word: 'x', wrod: 'y' }, 'has no input "wrod"'],
  ])('refuses inputs %j by name', async (inputs, message) => {
    const { status, error } = await refusal({ document: twoEchoes, inputs });
    expect(status).toBe(400);
    expect(error.code).toBe('input.invalid');
    expect(error.message).toContain(message);
    expect(server.engine.started).toEqual([]);
  });

  it('refuses a document with errors and lists every finding', async () => {
    const nodes = twoEchoes.nodes.map((node) => ({ ...node, params: {} }));
    const answer = await refusal({ document: { ...twoEchoes, nodes }, inputs: { word: 'x' } });
    expect(answer.status).toBe(422);
    expect(answer.findings?.map((finding) => finding.node)).toEqual(['first', 'second']);
  });

  it('reads a file default beside the document, and refuses one that lies elsewhere', async () => {
    const withFile = (path: string) => ({
      ...twoEchoes,
      inputs: { ...twoEchoes.inputs, sheet: { type: 'file', default: path } },
    });
    const run = await start({ document: withFile('workflow.yaml') });
    expect(run.inputs.sheet).toMatchObject({ preview: 'workflow.yaml', media: 'text/yaml' });
    for (const path of ['../../secret', '/etc/passwd', 'gone.xlsx']) {
      const answer = await refusal({ document: withFile(path), inputs: { word: 'x' } });
      expect(answer).toMatchObject({ status: 400, error: { code: 'input.invalid', place: { port: 'sheet' } } });
    }
  });

  it('takes missing inputs from the base run', async () => {
    const base = await start({});
    const run = await start({ inputs: {}, baseRun: base.id, selection: { mode: 'from', node: 'second' } });
    expect(run.inputs).toEqual(base.inputs);
    expect((await refusal({ document: twoEchoes, inputs: {}, baseRun: 'none' })).status).toBe(404);
  });

  it('answers 503 without recording anything when Temporal is away, and recovers', async () => {
    server.engine.reachable = false;
    const answer = await refusal({ document: twoEchoes, inputs: { word: 'x' } });
    expect(answer).toMatchObject({ status: 503, error: { code: 'temporal.unreachable' } });
    expect(await server.store.meta.listRuns({ limit: 10 })).toEqual([]);
    expect((await server.call('GET', '/api/health')).body).toMatchObject({ temporal: { reachable: false } });
    server.engine.reachable = true;
    await start({});
  });
});

describe('GET /api/runs', () => {
  it('pages with a cursor and refuses one that is made up', async () => {
    const ids = new Set<string>();
    for (let seed = 1; seed <= 3; seed += 1) ids.add((await start({ seed })).id);
    const first = RunList.parse((await server.call('GET', '/api/runs?limit=2')).body);
    const second = RunList.parse((await server.call('GET', `/api/runs?limit=2&cursor=${first.next}`)).body);
    expect(new Set([...first.runs, ...second.runs].map((run) => run.id))).toEqual(ids);
    expect(second.next).toBeNull();
    expect((await server.call('GET', '/api/runs?cursor=zzz')).status).toBe(400);
    expect((await server.call('GET', '/api/runs?color=red')).status).toBe(400);
  });
});

describe('POST /api/runs/:id/retry', () => {
  const failed = async (): Promise<RunRecord> => {
    const run = await start({});
    await server.store.meta.saveNodeViews([
      {
        runId: run.id,
        key: 'second',
        seq: 1,
        token: 2,
        status: 'failed',
        round: 1,
        attempt: 1,
        failure: { code: 'node.failed', message: 'No.' },
        note: null,
        counts: null,
        at: 1,
      },
    ]);
    return run;
  };

  it('sends targets and stored edits to the workflow of an open run', async () => {
    const run = await failed();
    const answer = await server.call('POST', `/api/runs/${run.id}/retry`, {
      targets: ['second'],
      edits: { second: { params: { suffix: '.' }, inputs: { value: ['other'] } } },
    });
    expect(RetryResult.parse(answer.body)).toEqual({ reset: ['second'], reopened: false });
    const edit = server.engine.retries[0]?.command.edits.second;
    expect(new TextDecoder().decode(await server.store.artifacts.get(edit?.params ?? ''))).toBe('{"suffix":"."}');
    expect(edit?.inputs?.value?.[0]?.preview).toBe('other');
    expect((await server.call('GET', `/api/runs/${run.id}/node?key=second`)).body).toMatchObject({
      params: { suffix: '.' },
    });
  });

  it('opens a closed run again with the next epoch and its failed nodes', async () => {
    const run = await failed();
    server.engine.end(run.workflowId, { status: 'failed' });
    await server.store.meta.updateRun(run.id, {
      state: 'failed',
      failure: { code: 'node.failed', message: 'No.' },
      endedAt: 5,
    });
    const answer = await server.call('POST', `/api/runs/${run.id}/retry`, { failureCode: 'node.failed' });
    expect(answer.body).toEqual({ reset: ['second'], reopened: true });
    expect(server.engine.started.at(-1)).toEqual({ runId: run.id, epoch: 2, retry: ['second'] });
    expect(await server.store.meta.getRun(run.id)).toMatchObject({
      epoch: 2,
      state: 'queued',
      failure: null,
      endedAt: null,
    });
  });

  it('leaves a closed run as it was when the engine breaks', async () => {
    const run = await failed();
    server.engine.end(run.workflowId, { status: 'failed' });
    await server.store.meta.updateRun(run.id, { state: 'failed', endedAt: 5 });
    server.engine.breaksOnStart = true;
    expect((await server.call('POST', `/api/runs/${run.id}/retry`, {})).status).toBe(503);
    expect(await server.store.meta.getRun(run.id)).toMatchObject({ state: 'failed', endedAt: 5 });
  });

  it.each([
    [{ targets: ['third'] }, 400, 'input.invalid'],
    [{ failureCode: 'model.auth' }, 400, 'input.invalid'],
    [{ edits: { second: { params: { suffix: 4 } } } }, 422, 'params.invalid'],
    [{ edits: { second: { inputs: { nothing: ['x'] } } } }, 400, 'input.invalid'],
  ])('refuses %j', async (body, status, code) => {
    const run = await failed();
    const answer = await server.call('POST', `/api/runs/${run.id}/retry`, body);
    expect(answer.status).toBe(status);
    expect(ApiError.parse(answer.body).error.code).toBe(code);
  });
});

describe('approve and cancel', () => {
  it('reach the workflow of an open run, and are refused for a closed one', async () => {
    const run = await start({});
    await server.call('POST', `/api/runs/${run.id}/approve`, { key: 'first', decision: 'approve' });
    expect(server.engine.approvals[0]?.command).toEqual({ key: 'first', decision: 'approve', by: 'someone', note: '' });
    expect((await server.call('POST', `/api/runs/${run.id}/cancel`, {})).body).toEqual({ ok: true });
    expect(server.engine.cancelled).toEqual([run.workflowId]);
    await server.store.meta.updateRun(run.id, { state: 'cancelled' });
    expect((await server.call('POST', `/api/runs/${run.id}/cancel`, {})).status).toBe(409);
    expect(
      (await server.call('POST', `/api/runs/${run.id}/approve`, { key: 'first', decision: 'approve' })).status,
    ).toBe(409);
    expect((await server.call('POST', '/api/runs/none/cancel', {})).status).toBe(404);
  });
});
