import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { rehearsalModels } from '@cua-forge/models/rehearsal';
import type { HttpPort } from '@cua-forge/spec/http-port';
import { JsonObject } from '@cua-forge/spec/json';
import { runKind } from '@cua-forge/testing/run-kind';
import { QuickJs } from '@cua-forge/worker/code/quick-js';
import { kindLoaders } from '@cua-forge/worker/kinds.generated';
import { afterAll, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { root } from './read-docs.ts';

const page = readFileSync(join(root, 'docs/authoring/more-kinds.md'), 'utf8');
const Example = z.strictObject({ kind: z.string(), params: JsonObject, inputs: JsonObject, gives: JsonObject });
const examples = [...page.matchAll(/^```yaml\n(kind: [\s\S]*?)^```$/gm)].map((match) =>
  Example.parse(parse(match[1] ?? '')),
);

const code = new QuickJs(1);
afterAll(() => code.close());
/** Answers with what was asked. */
const http: HttpPort = {
  request: async ({ method, url }) => ({
    status: 200,
    headers: { 'content-type': 'application/json' },
    body: Buffer.from(JSON.stringify({ method, url })),
    url,
  }),
};

it('has an example for each kind it speaks of', () => {
  const headings = [...page.matchAll(/^## ([^:\n]+)/gm)].flatMap((match) => (match[1] ?? '').split(', '));
  expect(examples.map(({ kind }) => kind)).toEqual(headings);
});

it.each(examples)('the example of $kind gives what the page says', async ({ kind: id, params, inputs, gives }) => {
  const load = Object.entries(kindLoaders).find(([key]) => key.startsWith(`${id}@`))?.[1];
  if (load === undefined) throw new Error(`there is no kind ${id}`);
  const secrets = { get: async () => 'a secret' };
  const outputs = await runKind(await load(), {
    params,
    inputs,
    context: { models: rehearsalModels(), http, secrets, code },
  });
  expect(outputs).toMatchObject(gives);
});
