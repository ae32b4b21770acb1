import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { placeInBatch } from '@cua-forge/spec/batch-parts';
import { canonicalJson } from '@cua-forge/spec/canonical-json';
import { GraphDocument } from '@cua-forge/spec/document';
import { serializeYaml } from '@cua-forge/spec/document-io';
import { kinds } from '@cua-forge/spec/kinds';
import type { BatchRecord, RunRecord } from '@cua-forge/spec/store-port';
import type { FileValue } from '@cua-forge/spec/value';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { startTestServer, type TestServer } from '../../server/src/testing/test-server.ts';
import { silentReporter } from './bootstrap/progress.ts';
import { runCli } from './program.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
let server: TestServer;
let folder: string;
beforeEach(async () => {
  env = {};
  server = await startTestServer({ kinds });
  folder = await mkdtemp(join(tmpdir(), 'forge-cli-'));
});
afterEach(async () => {
  await server.stop();
  await rm(folder, { recursive: true, force: true });
});

/** A document of real kinds: doubles a number; its file input has a default beside it. */
const doubler = GraphDocument.parse({
  forge: 1,
  id: 'doubler',
  title: 'Doubler',
  inputs: {
    amount: { type: 'number' },
    sheet: { type: 'file', default: 'sheet.csv' },
    note: { type: 'text', default: '' },
  },
  nodes: [
    {
      id: 'double',
      kind: 'data.transform',
      version: 1,
      params: { expression: 'amount * 2', inputs: { amount: 'number' } },
    },
    { id: 'read', kind: 'data.file', version: 2 },
  ],
  edges: [
    { from: '$inputs.amount', to: 'double.amount' },
    { from: '$inputs.sheet', to: 'read.file' },
  ],
  outputs: { doubled: 'double.value', table: 'read.table' },
});

/** Variables over the test's own, and what stands in standard input. */
let env: Record<string, string> = {};
let typed = '';

async function cli(...argv: string[]): Promise<{ code: number; out: string; err: string; json: () => unknown }> {
  let out = '';
  let err = '';
  const code = await runCli(argv, {
    root,
    env: { FORGE_URL: server.url, FORGE_DATA: folder, ...env },
    readSecret: async () => typed,
    write: (text) => {
      out += text;
    },
    reporter: {
      ...silentReporter,
      line: (text) => {
        err += `${text}\n`;
      },
    },
    signal: new AbortController().signal,
  });
  return { code, out, err, json: () => JSON.parse(out) };
}

async function documentFile(document: GraphDocument = doubler): Promise<string> {
  const file = join(folder, 'doubler.yaml');
  await writeFile(file, serializeYaml(document));
  await writeFile(join(folder, 'sheet.csv'), 'a,b\n1,2\n');
  return file;
}

describe('forge validate', () => {
  it('finds nothing in a good document, without any server', async () => {
    await server.stop();
    const { code, out } = await cli('validate', await documentFile());
    server = await startTestServer({ kinds });
    expect(out).toContain('no findings');
    expect(code).toBe(0);
  });

  it('prints all ten planted faults with file and line, and ends with 2', async () => {
    const file = join(root, 'tests/fixtures/ten-faults.yaml');
    const { code, json } = await cli('validate', '--json', file);
    expect(code).toBe(2);
    expect(json()).toMatchObject({
      ok: false,
      files: [{ findings: Array.from({ length: 10 }, () => ({ severity: 'error', line: expect.any(Number) })) }],
    });
    const { out } = await cli('validate', file);
    expect(out.match(new RegExp(`^${file}:\\d+: `, 'gm'))).toHaveLength(10);
  });

  it('ends with 2 for a file that is not there, and still checks the others', async () => {
    const { code, json } = await cli('validate', '--json', join(folder, 'none.yaml'), await documentFile());
    expect(code).toBe(2);
    expect(json()).toMatchObject({ files: [{ ok: false, findings: [{ code: 'file.unreadable' }] }, { ok: true }] });
  });
});

describe('bad command lines', () => {
  it.each([
    [['bogus']],
    [['generate']],
    [['generate', 'x', '--count', '0']],
    [['generate', 'x', '--count', 'many']],
    [['run', 'x', '--only', 'a', '--to', 'b']],
    [['run', 'x', '--input', 'novalue']],
    [['runs', 'list', '--state', 'happy']],
    [['runs', 'show', 'none']],
    [['generate', 'no-such-skill']],
    [['retry', 'none']],
  ])('%j end with 2', async (argv) => {
    expect((await cli(...argv)).code).toBe(2);
  });

  it('answer with JSON when asked for it', async () => {
    expect((await cli('runs', 'show', 'none', '--json')).json()).toMatchObject({ error: { code: 'run.not-found' } });
  });

  it('--help ends with 0', async () => {
    const { code, out } = await cli('--help');
    expect(code).toBe(0);
    expect(out).toContain('generate');
  });
});

describe('forge run', () => {
  it('uploads inputs and files beside the document, and starts it', async () => {
    const file = await documentFile();
    const { code, json } = await cli(
      'run',
      file,
      '--input',
      'amount=21',
      '--set',
      'double.expression=amount * 3',
      '--seed',
      '5',
      '--json',
    );
    expect(code).toBe(0);
    expect(json()).toMatchObject({
      seed: 5,
      state: 'queued',
      inputs: { amount: { preview: '21' }, sheet: { preview: 'sheet.csv', media: 'text/csv' } },
    });
    const shown = await cli('runs', 'list', '--json');
    expect(shown.json()).toHaveLength(1);
  });

  it('ends with 2 on wrong inputs and params', async () => {
    const file = await documentFile();
    expect((await cli('run', file, '--input', 'amount=lots')).code).toBe(2);
    expect((await cli('run', file, '--input', 'sum=1')).err).toContain('no input "sum"');
    expect((await cli('run', file, '--input', 'amount=1', '--set', 'none.x=1')).code).toBe(2);
    expect((await cli('run', file)).err).toContain('needs a value for its input "amount"');
  });

  it.each([
    ['succeeded', 0],
    ['failed', 1],
    ['needs-attention', 1],
  ] as const)('--wait follows a run that ends %s, and ends with %i', async (state, expected) => {
    const start = server.engine.startRun.bind(server.engine);
    server.engine.startRun = async (run, retry) => {
      await start(run, retry);
      setTimeout(() => server.store.meta.updateRun(run.id, { state }), 100);
    };
    const { code, json } = await cli('run', await documentFile(), '--input', 'amount=1', '--wait', '--json');
    expect(json()).toMatchObject({ run: { state } });
    expect(code).toBe(expected);
  });

  it('says in JSON that nothing answers, and ends with 1', async () => {
    const url = server.url;
    await server.stop();
    const { code, out } = await cli('cancel', 'r1', '--json');
    server = await startTestServer({ kinds });
    expect(url).not.toBe('');
    expect(JSON.parse(out)).toMatchObject({ error: { code: 'server.unreachable' } });
    expect(code).toBe(1);
  });
});

/** What the batch's workflow would do: a run for each seed, and packages for those that succeed. */
async function carryOut(batch: BatchRecord, states: readonly (RunRecord['state'] | 'rejected')[]): Promise<void> {
  const { meta, artifacts } = server.store;
  const put = async (path: string, text: string): Promise<{ path: string; file: FileValue; executable: boolean }> => {
    const { hash, size } = await artifacts.put(new TextEncoder().encode(text));
    return {
      path,
      file: { name: path.split('/').at(-1) ?? path, mediaType: 'text/plain', hash, size },
      executable: path.endsWith('.sh'),
    };
  };
  for (const [index, state] of states.entries()) {
    const id = `${batch.id}-${index}`;
    const { part, seed } = placeInBatch(batch, index);
    const { documentId, documentHash, planHash, title, skill, inputs } = part;
    await meta.createRun({
      ...{
        id,
        documentId,
        documentHash,
        planHash,
        title,
        skill,
        inputs,
        seed,
        mode: 'batch',
        batchId: batch.id,
        baseRun: null,
      },
      ...{
        selection: { mode: 'all' },
        edits: {},
        state: 'running',
        failure: null,
        outputs: {},
        epoch: 1,
        workflowId: `run/${id}`,
      },
      ...{ createdAt: index, startedAt: index, endedAt: null },
    });
    if (state === 'succeeded') {
      const files = [await put('instruction.md', `Task ${index}`), await put('setup/setup.sh', '#!/bin/bash\n')];
      const manifest = {
        ...{
          schema: 1,
          id: `pkg-${index}`,
          title,
          domain: 'office',
          skills: ['s'],
          applications: ['calc'],
          seed: index,
          workflow: { id: documentId, version: 'v' },
        },
        ...{
          run: id,
          models: ['rehearsal'],
          files: [],
          outcome: { kind: 'k', summary: 's' },
          traits: {},
          proofs: [],
          gates: [],
        },
      };
      const value = await artifacts.put(new TextEncoder().encode(canonicalJson({ manifest, files })));
      await meta.addPackage({
        id: `pkg-${index}`,
        runId: id,
        batchId: batch.id,
        skill,
        seed: index,
        title,
        outcomeKind: 'k',
        rehearsed: true,
        value,
        createdAt: index,
      });
      await meta.addEvents([{ runId: id, type: 'package', data: { id: `pkg-${index}` }, at: 1 }]);
    }
    const failure =
      state === 'rejected'
        ? { code: 'gate.rejected' as const, message: 'x' }
        : state === 'failed'
          ? { code: 'node.failed' as const, message: 'x' }
          : null;
    await meta.updateRun(id, { state: state === 'rejected' ? 'failed' : state, failure, endedAt: 9 });
  }
  await meta.updateBatch(batch.id, { state: 'succeeded', endedAt: 9 });
}

describe('forge generate', () => {
  const generate = async (states: Parameters<typeof carryOut>[1], ...more: string[]) => {
    await server.call('PUT', '/api/documents/doubler', {
      document: { ...doubler, inputs: { ...doubler.inputs, amount: { type: 'number', default: 1 } } },
      expectedRevision: null,
    });
    const start = server.engine.startBatch.bind(server.engine);
    server.engine.startBatch = async (batch) => {
      await start(batch);
      setTimeout(() => carryOut(batch, states), 20);
    };
    await documentFile();
    return cli(
      'generate',
      'doubler',
      '--count',
      String(states.length),
      '--seed',
      '3',
      '--out',
      join(folder, 'out'),
      '--input',
      `sheet=${join(folder, 'sheet.csv')}`,
      '--json',
      ...more,
    );
  };

  it('writes accepted packages and prints the summary', async () => {
    const { code, json } = await generate(['succeeded', 'rejected', 'succeeded']);
    expect(json()).toEqual({
      requested: 3,
      accepted: 2,
      rejected: 1,
      failed: 0,
      provider: 'rehearsal',
      tokens: { input: 0, cached: 0, output: 0 },
      usd: expect.toSatisfy((usd) => usd === null || usd === 0),
      seconds: expect.any(Number),
      packages: expect.arrayContaining([
        { id: 'pkg-0', path: join(folder, 'out', 'pkg-0') },
        { id: 'pkg-2', path: join(folder, 'out', 'pkg-2') },
      ]),
    });
    expect(code).toBe(0);
    expect(await readFile(join(folder, 'out', 'pkg-2', 'instruction.md'), 'utf8')).toBe('Task 2');
    expect((await stat(join(folder, 'out', 'pkg-2', 'setup', 'setup.sh'))).mode & 0o777).toBe(0o755);
  });

  it.each([
    [['succeeded', 'failed'], { accepted: 1, failed: 1 }],
    [['rejected'], { accepted: 0, rejected: 1, failed: 0 }],
  ] as const)('ends with 1 after %j', async (states, counts) => {
    const { code, json } = await generate(states);
    expect(json()).toMatchObject(counts);
    expect(code).toBe(1);
  });

  it('replaces the folder of an older package and leaves nothing beside', async () => {
    await generate(['succeeded']);
    await writeFile(join(folder, 'out', 'pkg-0', 'stale.txt'), 'x');
    const { code } = await cli('packages', 'export', 'pkg-0', join(folder, 'out'), '--json');
    expect(code).toBe(0);
    await expect(stat(join(folder, 'out', 'pkg-0', 'stale.txt'))).rejects.toThrow();
    expect((await cli('packages', 'list', '--json')).json()).toHaveLength(1);
  });

  it('leaves packages that people rejected out of exports, unless asked', async () => {
    await generate(['succeeded', 'succeeded']);
    const review = (...argv: string[]) => cli('packages', 'review', ...argv, '--json');
    const rejected = await review('reject', 'pkg-0', '--reason', 'other', '--note', 'odd', '--by', 'ann');
    expect(rejected.json()).toMatchObject([{ packageId: 'pkg-0', verdict: 'rejected', by: 'ann' }]);
    expect((await review('reject', 'pkg-1')).code).toBe(2);
    expect((await review('accept', 'pkg-1', 'none')).code).toBe(2);
    expect((await cli('packages', 'list', '--verdict', 'kept', '--json')).json()).toMatchObject([{ id: 'pkg-1' }]);

    const out = join(folder, 'kept');
    const refused = await cli('packages', 'export', 'pkg-0', out, '--json');
    expect(refused).toMatchObject({ code: 2, out: expect.stringContaining('ann rejected package') });
    expect((await cli('packages', 'export', 'pkg-0', out, '--rejected')).code).toBe(0);
    const [batch] = await server.store.meta.listBatches(1);
    const exported = await cli('batch', 'export', batch?.id ?? '', '--out', out, '--json');
    expect(exported.json()).toMatchObject({ packages: [{ id: 'pkg-1' }], leftOut: ['pkg-0'] });

    await review('reset', 'pkg-0', '--by', 'ben');
    expect((await review('show', 'pkg-0')).json()).toMatchObject([{ by: 'ben' }, { by: 'ann' }]);
    expect((await review('summary')).json()).toMatchObject({ counts: [{ verdict: 'unreviewed', count: 2 }] });
    const file = join(folder, 'examples.jsonl');
    expect((await review('export', file)).json()).toMatchObject({ examples: 0, without: [] });
    expect(await readFile(file, 'utf8')).toBe('');
  });
});

describe('forge retry, approve, cancel', () => {
  it('reach the run', async () => {
    const { json } = await cli('run', await documentFile(), '--input', 'amount=1', '--json');
    const { id } = json() as RunRecord;
    const params = { expression: 'amount', inputs: { amount: 'number' } };
    const retried = await cli(
      'retry',
      id,
      '--node',
      'double',
      '--params',
      `double=${JSON.stringify(params)}`,
      '--json',
    );
    expect(retried.json()).toEqual({ reset: ['double'], reopened: false });
    expect((await cli('approve', id, 'double', '--reject')).code).toBe(0);
    expect(server.engine.approvals[0]?.command.decision).toBe('reject');
    expect((await cli('cancel', id)).code).toBe(0);
    expect(server.engine.cancelled).toHaveLength(1);
    expect((await cli('retry', id, '--params', 'double=[1]')).code).toBe(2);
  });
});

describe('users, secrets and the audit trail', () => {
  it('a user gets a token that is shown once, and is let in with it until it is taken away', async () => {
    const file = join(folder, 'users.json');
    expect((await cli('users', 'list')).code).toBe(2);
    env = { FORGE_TOKENS: file };
    const { token } = z
      .object({ token: z.string() })
      .parse((await cli('users', 'add', 'ann', '--role', 'viewer', '--json')).json());
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await readFile(file, 'utf8')).not.toContain(token);
    expect((await cli('users', 'list')).out).toMatch(/ann +viewer/);
    const guarded = await startTestServer({ kinds, env: { FORGE_TOKENS: file } });
    try {
      const ask = (more: Record<string, string>) => {
        env = { FORGE_TOKENS: file, FORGE_URL: guarded.url, ...more };
        return cli('runs', 'list', '--json');
      };
      expect((await ask({})).json()).toMatchObject({ error: { code: 'unauthorized' } });
      expect((await ask({ FORGE_TOKEN: token })).json()).toEqual([]);
      expect((await cli('audit', '--json')).json()).toMatchObject({ error: { code: 'forbidden' } });
      expect((await cli('users', 'remove', 'ann')).code).toBe(0);
      expect((await ask({ FORGE_TOKEN: token })).json()).toMatchObject({ error: { code: 'unauthorized' } });
    } finally {
      await guarded.stop();
    }
    expect((await cli('users', 'remove', 'ann')).code).not.toBe(0);
    expect((await cli('users', 'add', 'a b')).code).toBe(2);
  });

  it('secrets are set, listed by name and removed, and never shown', async () => {
    typed = 'the-value-of-the-secret';
    env = { FORGE_SECRET_OTHER: 'another-value' };
    const set = await cli('secrets', 'set', 'API_KEY');
    const list = await cli('secrets', 'list', '--json');
    expect([set.code, list.code]).toEqual([0, 0]);
    expect(list.json()).toEqual({
      secrets: [
        { name: 'OTHER', place: 'environment (FORGE_SECRET_<NAME>)' },
        { name: 'API_KEY', place: `file ${join(folder, 'secrets.json')}` },
      ],
      problems: [],
    });
    expect(`${set.out}${set.err}${list.out}${list.err}`).not.toMatch(/the-value|another-value/);
    expect((await cli('secrets', 'remove', 'API_KEY')).code).toBe(0);
    expect((await cli('secrets', 'remove', 'API_KEY', '--json')).json()).toMatchObject({
      error: { code: 'not-found' },
    });
    expect((await cli('secrets', 'set', 'low')).code).toBe(2);
    typed = 'short';
    expect((await cli('secrets', 'set', 'API_KEY')).code).toBe(2);
  });

  it('the audit trail names what was changed', async () => {
    const run = z
      .object({ id: z.string() })
      .parse((await cli('run', await documentFile(), '--input', 'amount=2', '--json')).json());
    expect((await cli('audit', '--target', run.id)).out).toMatch(new RegExp(`local +run.start +${run.id}`));
    expect((await cli('audit', '--action', 'run.cancel', '--json')).json()).toEqual([]);
  });
});
