import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rehearsalModels } from '@cua-forge/models/rehearsal';
import { canonicalJson } from '@cua-forge/spec/canonical-json';
import { PortName } from '@cua-forge/spec/document';
import type { HttpPort } from '@cua-forge/spec/http-port';
import { JsonObject } from '@cua-forge/spec/json';
import { kinds } from '@cua-forge/spec/kinds';
import { memoryFiles, testContext } from '@cua-forge/testing/execute-context';
import { QuickJs } from '@cua-forge/worker/code/quick-js';
import { kindLoaders } from '@cua-forge/worker/kinds.generated';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { kindFiles } from '../../scripts/kind-sources.ts';
import { declaredPorts, outputSchema, runExample } from './run-example.ts';

const root = join(dirname(fileURLToPath(import.meta.url)), '../..');
const loaded = await Promise.all(Object.entries(kindLoaders).map(async ([key, load]) => ({ key, kind: await load() })));
/** Answers any request with what was asked, so that examples need no network. */
const http: HttpPort = {
  request: async ({ method, url }) => ({
    status: 200,
    headers: { 'content-type': 'application/json' },
    body: Buffer.from(JSON.stringify({ method, url })),
    url,
  }),
};
const code = new QuickJs(1);
const contextWith = (seed: number) =>
  testContext({
    seed,
    models: rehearsalModels(),
    files: memoryFiles(),
    http,
    code,
    secrets: { get: async (name) => `value of ${name}` },
  });

describe('the registry', () => {
  it('lists every kind that the source folders hold', () => {
    const files = kindFiles(['nodes/src', 'preparers/src', 'gates/src'].map((folder) => join(root, folder)));
    expect(loaded).toHaveLength(files.length);
    expect(kinds.map(({ id, version }) => `${id}@${version}`).sort()).toEqual(loaded.map(({ key }) => key).sort());
  });
});

describe.each(loaded)('$key', ({ key, kind }) => {
  const meta = kinds.find(({ id, version }) => `${id}@${version}` === key);

  it('is described', () => {
    expect(`${kind.id}@${kind.version}`).toBe(key);
    expect(kind.title).toMatch(/^\p{Lu}.{2,60}$/u);
    expect(kind.doc).toMatch(/^\p{Lu}[^.!?]*(?:\.\w[^.!?]*)*\.$/u);
    for (const port of [...Object.values(kind.inputs), ...Object.values(kind.outputs)]) expect(port.doc).toMatch(/\w/);
    expect(meta?.doc).toBe(kind.doc);
  });

  it('has ports with proper names, and params that name further ones', () => {
    for (const name of [...Object.keys(kind.inputs), ...Object.keys(kind.outputs)])
      expect(PortName.safeParse(name).success, name).toBe(true);
    expect(Object.keys(kind.outputs)).not.toContain('error');
    const shape = z.object({ properties: z.record(z.string(), z.unknown()).default({}) }).parse(meta?.params);
    for (const param of [kind.inputsFromParam, kind.outputsFromParam]) {
      if (param !== undefined) expect(Object.keys(shape.properties)).toContain(param);
    }
    const known = [
      ...Object.keys(kind.inputs),
      ...Object.keys(declaredPorts(kind.example.params, kind.inputsFromParam)),
    ];
    if (kind.flow === undefined)
      for (const name of Object.keys(kind.example.inputs)) expect(known, name).toContain(name);
  });

  it('has a sane policy', () => {
    const { policy } = kind;
    if (policy.cheap) expect(policy).toMatchObject({ effects: 'none', callsModel: false, queue: 'light' });
    if (policy.callsModel) expect(policy.queue).toBe('model');
    if (policy.effects !== 'none') expect(policy.cacheable).toBe(false);
    expect(policy.heartbeatMs).toBeLessThanOrEqual(policy.timeoutMs);
  });

  it('has a verdict port exactly when it is a gate', () => {
    expect(kind.outputs.verdict !== undefined).toBe(kind.gate);
  });

  it('has params whose JSON Schema is valid and takes the example', () => {
    expect(kind.params.safeParse(kind.example.params).error?.issues ?? []).toEqual([]);
    const schema = JsonObject.parse(meta?.params);
    expect(JSON.parse(JSON.stringify(schema))).toEqual(schema);
    const validate = new Ajv2020({ strict: false, validateFormats: false }).compile(schema);
    expect(validate(kind.example.params), JSON.stringify(validate.errors)).toBe(true);
  });

  it('migrates params from every older version', () => {
    const older = Array.from({ length: kind.version - 1 }, (_, index) => String(index + 1));
    expect(Object.keys(kind.migrations).sort()).toEqual(older.sort());
  });

  it.skipIf(kind.flow !== undefined)(
    'runs its example, giving what its ports promise',
    { timeout: 60_000 },
    async () => {
      const outputs = await runExample(kind, contextWith(1));
      expect(Object.keys(outputs).length).toBeGreaterThan(0);
      for (const [port, value] of Object.entries(outputs)) {
        if (value === undefined) continue;
        const schema = outputSchema(kind, port);
        expect(schema, `port ${port} is not declared`).toBeDefined();
        expect(schema?.safeParse(value).error?.issues ?? [], port).toEqual([]);
      }
      expect(() => canonicalJson(outputs)).not.toThrow();
    },
  );

  it.skipIf(kind.flow !== undefined || !kind.policy.cacheable)(
    'gives the same twice, since it is cacheable',
    { timeout: 60_000 },
    async () => {
      const first = await runExample(kind, contextWith(5));
      // Outputs that hang on the clock would agree within the same second.
      await new Promise((resolve) => setTimeout(resolve, kind.id.startsWith('preparer.') ? 2_100 : 5));
      expect(canonicalJson(await runExample(kind, contextWith(5)))).toBe(canonicalJson(first));
      if (!kind.policy.seeded) expect(canonicalJson(await runExample(kind, contextWith(6)))).toBe(canonicalJson(first));
    },
  );
});
